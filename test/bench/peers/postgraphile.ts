import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { pool } from './pool.ts';

// PostGraphile with its usual preset. Needs Node.js 22.

await pool.query(await readFile(new URL('postgraphile.sql', import.meta.url), 'utf8'));

const server = createServer();
const api = postgraphile({
  extends: [PostGraphileAmberPreset],
  grafserv: { graphqlPath: '/graphql', websockets: false },
  pgServices: [makePgService({ pool, schemas: ['graph'] })],
});
await api.createServ(grafserv).addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
