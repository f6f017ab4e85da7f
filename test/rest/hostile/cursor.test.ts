import { expect, it } from 'vitest';
import { visible } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** An organization with three members and three events, and the cursor after the first member. */
  async function withCursor() {
    const organization = await service.organization();
    for (const n of [1, 2, 3]) await organization.post('/members', person({ last_name: `Cursor${n}` }));
    await recordsOf(service, organization.id).events(['One', 'Two', 'Three']);
    const { json } = await organization.get('/members?limit=1');
    return { organization, cursor: json.pagination.next_cursor as string, first: json.data[0] };
  }

  it('rejects a cursor with any bit flipped, always with the same message', async () => {
    const { organization, cursor } = await withCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    const answers = await Promise.all(
      times(bytes.length * 8, (bit) => {
        const forged = Buffer.from(bytes);
        forged.writeUInt8((forged[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
        return organization.get(`/members?cursor=${forged.toString('base64url')}`);
      }),
    );
    for (const answer of answers) expectRefusal(answer, 400, 'invalid_cursor');
    expect(new Set(answers.map((answer) => JSON.stringify(visible(answer)))).size).toBe(1);
  });

  it.each([
    ['empty', () => ''],
    ['truncated', (cursor: string) => cursor.slice(0, -1)],
    ['extended', (cursor: string) => `${cursor}A`],
    ['padded', (cursor: string) => `${cursor}%3D`],
    ['with a letter of the other base64 alphabet', (cursor: string) => `${cursor.slice(0, -1)}%2B`],
    ['with a space before it', (cursor: string) => `%20${cursor}`],
    ['with a NUL', (cursor: string) => `${cursor.slice(0, -1)}%00`],
    ['an emoji', () => '%F0%9F%98%80'],
    ['a number', () => '1'],
    ['SQL', () => `1'%20OR%20'1'='1`],
    ['10 KB long', () => 'A'.repeat(10_000)],
  ])('rejects a cursor that is %s', async (_, forge) => {
    const { organization, cursor } = await withCursor();
    expectRefusal(await organization.get(`/members?cursor=${forge(cursor)}`), 400, 'invalid_cursor');
  });
});
