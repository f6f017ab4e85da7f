import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';

const name = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }).filter((text) => !text.includes('\0')),
  fc.constantFrom('Zoë', 'Ngô Văn', 'İbrahim', 'Ωmega', ''),
);

onOneDatabase((service) => {
  it('member_sort_name returns the same value for ASCII text as with normalization', async () => {
    const texts = fc
      .sample(fc.tuple(name, name, name), { numRuns: 2_000, seed: 1 })
      .map((fields) => searchTextOf(...fields));
    const names = sql`
      left(split_part(text, chr(31), 2), 100) || chr(31) || left(split_part(text, chr(31), 1), 100)`;
    const different = await service.store.db.rows(sql`
      SELECT text FROM unnest(${texts}::text[]) text
      WHERE member_sort_name(text) IS DISTINCT FROM regexp_replace(normalize(${names}, NFD), '[\u0300-\u036F]', '', 'g')`);
    expect(different).toEqual([]);
  });
});
