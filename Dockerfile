# Two stages: what builds is left behind.
FROM node:20-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json tsconfig.json ./
COPY .config .config
COPY prisma prisma
COPY src src
# `npm ci` builds too (its script `prepare`).
RUN npm ci --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /service
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY prisma/migrations prisma/migrations
COPY public public
COPY cookbook cookbook
COPY --from=build /service/dist dist
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \
  ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
