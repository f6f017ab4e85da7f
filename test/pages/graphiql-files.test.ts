import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ASSETS = new URL('../../dist/graphql/graphiql/assets.js', import.meta.url).href;

/** Requests the files of GraphiQL without and then with free file descriptors. */
const SCRIPT = `
  import { closeSync, openSync } from 'node:fs';
  import { buildSchema } from 'graphql';
  import { graphiqlAssets } from ${JSON.stringify(ASSETS)};
  const assets = graphiqlAssets(buildSchema('type Query { a: Int }'));
  const attempt = () => assets.version().then((version) => /^[0-9a-f]{16}$/.test(version), ({ code }) => code);
  const open = [];
  try {
    for (;;) open.push(openSync('/dev/null'));
  } catch {}
  const first = await attempt();
  for (const file of open) closeSync(file);
  process.stdout.write(JSON.stringify([first, await attempt()]));`;

it('serves GraphiQL after a failure to open its files', async () => {
  const limited = 'ulimit -n 256 && exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, SCRIPT]);
  expect(JSON.parse(stdout)).toEqual(['EMFILE', true]);
});
