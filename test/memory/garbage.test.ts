import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { manyOf } from '../support/many.ts';
import { type RunningService, startService } from '../support/processes/running.ts';
import { onOneStore } from '../support/service.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const QUERY = 'query List($first: Int) { members(first: $first) { edges { cursor node { id firstName city } } } }';
const WARM_UP = 400;
const MEASURED = 200;

/** The part of the allocated memory that is left after two young collections. */
function promotedShare(collections: readonly Collection[]): number {
  let [allocated, promoted] = [0, 0];
  collections.forEach(({ kind, before, after }, index) => {
    const previous = collections[index - 1];
    if (kind !== 'Scavenge' || previous?.kind !== 'Scavenge') return;
    allocated += before - previous.after;
    promoted += after - previous.after;
  });
  return promoted / allocated;
}

describe.skipIf(!inject('databaseUrl'))('a request', () => {
  const { folder: newFolder } = temporaryStores();
  onOneStore((service) => {
    let folder: string;
    let running: RunningService;
    let key: string;
    beforeAll(async () => {
      folder = await newFolder();
      const options = [
        '--opt',
        '--max-semi-space-size=1',
        '--trace-gc',
        '--log-maps',
        `--logfile=${folder}/v8.log`,
        '--no-logfile-per-isolate',
      ];
      const environment = { DATABASE_URL: inject('databaseUrl') as string, RATE_LIMIT_PER_MINUTE: '1000000' };
      running = await startService(environment, options);
      const organization = await service.organization();
      key = organization.key;
      await manyOf(service, organization.id).members(26);
    });
    afterAll(() => running.stop());

    const rest = () => fetch(`${running.address}/v1/members?limit=25`, { headers: { 'X-Api-Key': key } });
    const graphql = () =>
      fetch(`${running.address}/graphql`, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: QUERY, variables: { first: 25 } }),
      });
    /** With the number of hidden classes that libraries create: Yoga adds four properties to objects of each request. */
    const APIS: [string, () => Promise<Response>, number][] = [
      ['REST', rest, 0],
      ['GraphQL', graphql, 4],
    ];
    const repeat = async (send: () => Promise<Response>, times: number) => {
      for (let n = 0; n < times; n++) {
        const response = await send();
        expect(response.status).toBe(200);
        await response.arrayBuffer();
      }
    };
    const hiddenClasses = async () => (await readFile(`${folder}/v8.log`, 'utf8')).split('\nmap,Transition,').length;

    describe.each(APIS)('for a list of the %s API', (_, send, ofLibraries) => {
      let created: number;
      let collections: Collection[];
      beforeAll(async () => {
        await repeat(send, WARM_UP);
        const [classes, printed] = [await hiddenClasses(), running.output().length];
        await repeat(send, MEASURED);
        created = (await hiddenClasses()) - classes;
        collections = collectionsIn(running.output().slice(printed));
      });

      it('creates no hidden classes of its own', () => {
        expect(created / MEASURED - ofLibraries).toBeLessThan(0.5);
      });

      it('leaves nothing to full collections', () => {
        expect(promotedShare(collections)).toBeLessThan(0.1);
      });
    });
  });
});

/** A garbage collection of a process; the sizes of the heap are in MB. */
interface Collection {
  readonly kind: string;
  readonly before: number;
  readonly after: number;
}

/** The lines of `--trace-gc`, such as `[12:0x55d0]  543 ms: Scavenge 12.9 (17.5) -> 10.9 (26.2) MB, …`. */
function collectionsIn(output: string): Collection[] {
  return [...output.matchAll(/ms: (Scavenge|Mark-Compact)\D*([\d.]+) \([\d.]+\) -> ([\d.]+)/g)].map(
    ([, kind = '', before, after]) => ({ kind, before: Number(before), after: Number(after) }),
  );
}
