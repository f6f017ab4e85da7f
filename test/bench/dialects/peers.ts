import { connectionDialect } from './graphql.ts';

/** Cursors of Pothos's Prisma plugin for a position. */
export const pothos = connectionDialect({
  cursor: (_world, _list, { position }) => Buffer.from(`GPC:I:${position}`).toString('base64'),
});

/** Cursors are positions. */
export const byPosition = connectionDialect({ cursor: (_world, _list, { position }) => String(position) });
