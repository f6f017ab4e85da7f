# Three stages, so that the image contains neither build tools nor files of packages that a running service does not read.
FROM node:24-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json tsconfig.json ./
COPY .config .config
COPY prisma prisma
COPY src src
# `npm ci` builds too (its script `prepare`).
RUN npm ci --no-audit --no-fund

FROM node:24-bookworm-slim AS packages
WORKDIR /service
COPY package.json package-lock.json ./
# Without optional packages: one of @prisma/client is the Prisma command line, which only the build needs.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Source maps, types, and Prisma's query compilers other than the one that the generated client imports.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql.*mjs' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /service
COPY package.json cms ./
COPY prisma/migrations prisma/migrations
COPY src/pages/public src/pages/public
COPY docs/cookbook docs/cookbook
COPY --from=packages /service/node_modules node_modules
COPY --from=build /service/dist dist
# Checks that no file that the service needs was left out: the demo loads Prisma Client and the embedded database.
RUN DATA_DIR=/tmp/tried ./cms demo --json > /tmp/demo.json && rm -r /tmp/tried /tmp/demo.json
# A platform can run the image as any user, of the group 0 on OpenShift. The service creates its folders in it with mode 0700.
RUN install --directory --owner=1000 --group=0 --mode=1777 /data
# The user node, as a number: Kubernetes cannot see whether a name is root's (runAsNonRoot).
USER 1000
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \
  ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
