import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import type { TestClient } from '../../support/client.ts';
import { exported, exportText, importText, ndjson, undo } from '../imports.ts';

const CITIES = ['Rome', 'Oslo', 'Bonn', null];
const TAGS = ['choir', 'youth', 'band'];

/** A row of members; ids, names and addresses are shared by some, so that rows match, exchange addresses or are rejected. */
const row = fc.record({
  person: fc.nat(7),
  address: fc.nat(7),
  hasOwnAddress: fc.constantFrom(true, false, null),
  hasId: fc.boolean(),
  hasNewLastName: fc.boolean(),
  city: fc.constantFrom(...CITIES),
  tags: fc.subarray(TAGS),
});
const file = fc.record({
  source: fc.constantFrom('', 'crm'),
  trustsAddresses: fc.boolean(),
  fills: fc.boolean(),
  rows: fc.array(row, { minLength: 1, maxLength: 12 }),
});
/** Edits of members by the API, after the earlier imports, and after the one that is undone. */
const edits = fc.array(
  fc.record({ member: fc.nat(7), city: fc.constantFrom('Paris', 'Turin'), address: fc.boolean() }),
  {
    maxLength: 3,
  },
);

/**
 * Imports random files with edits by the API between them, and undoes the last import: the export must be equal to the one
 * before, and edits since the import must survive.
 *
 * @throws on the first difference, with the seed and the smallest files found that show it.
 */
export function compareUndone(
  service: {
    readonly store: Store;
    organization(): Promise<{ readonly id: string } & Pick<TestClient, 'get' | 'patch'>>;
  },
  sampling: { readonly seed: number; readonly numRuns: number },
): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(fc.tuple(file, edits), { minLength: 1, maxLength: 3 }),
    file,
    edits,
    async (earlier, last, later) => {
      const us = await service.organization();
      const domain = `${randomUUID()}.example.org`;
      const run = ({ rows, fills, ...options }: typeof last) => {
        const fillEmail = fills ? `{external_id}@fill.${domain}` : undefined;
        const records = rows.map(({ person, address, hasOwnAddress, hasId, hasNewLastName, city, tags }) => ({
          ...(hasId && { external_id: `p${person}` }),
          first_name: `First${person}`,
          last_name: hasNewLastName ? 'New' : 'Old',
          ...(hasOwnAddress !== null && { email_address: `a${hasOwnAddress ? person : address}@${domain}` }),
          city,
          tags,
        }));
        return importText(service.store, us.id, 'members.ndjson', ndjson(...records), { ...options, fillEmail });
      };
      const edit = async (list: typeof later) => {
        const { data } = (await us.get('/members?limit=100')).json;
        const edited: string[] = [];
        for (const { member, city, address } of list) {
          const one = data[member];
          if (!one) continue;
          const changes = { city, ...(address && { email_address: `${randomUUID()}@${domain}` }) };
          expect((await us.patch(`/members/${one.id}`, changes)).status).toBe(200);
          edited.push(one.id);
        }
        return edited;
      };
      await importText(service.store, us.id, 'tags.ndjson', ndjson(...TAGS.map((name) => ({ name }))));
      for (const [one, changes] of earlier) {
        await run(one);
        await edit(changes);
      }
      const before = await exportText(service.store, us.id);
      const first = await run(last);
      if (first.run_id)
        expect(await undo(service.store, us.id, first.run_id)).toMatchObject({ complete: true, kept: [] });
      expect(await exportText(service.store, us.id)).toEqual(before);

      const { run_id } = await run(last);
      const edited = await edit(later);
      const now = new Map((await us.get('/members?limit=100')).json.data.map((one: { id: string }) => [one.id, one]));
      if (run_id) await undo(service.store, us.id, run_id);
      const after = (await us.get('/members?limit=100')).json.data as {
        id: string;
        city: string;
        email_address: string;
      }[];
      for (const id of edited) {
        const { city } = now.get(id) as { city: string };
        expect(after.find((one) => one.id === id)).toMatchObject({ city });
      }
      expect((await exported(service.store, us.id, 'members')).length).toBe(after.length);
    },
  );
  return fc.assert(property, { ...sampling, endOnFailure: true });
}
