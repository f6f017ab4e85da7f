import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';

// PostGraphile derives its schema from the tables, and has none of this service's rules: a filter selects the organization. It
// needs an older version of graphql than the other peers, so its packages are in this folder.

const { DATABASE_URL: connectionString, PORT } = process.env;
// As the other peers.
const pool = new pg.Pool({ connectionString, max: 10, options: '-c TimeZone=UTC' });
const options = {
  disableQueryLog: true,
  disableDefaultMutations: true,
  dynamicJson: true,
  graphiql: false,
  ignoreRBAC: true,
};
createServer(postgraphile(pool, 'public', options)).listen(Number(PORT), '127.0.0.1');
