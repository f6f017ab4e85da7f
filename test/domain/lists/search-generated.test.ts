import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listIn, recordIn } from '../../support/contract.ts';
import { onEachStore } from '../../support/service.ts';

/**
 * Letters of several scripts, each with spellings for which searches make no difference. Latin letters that all email
 * addresses of this test have are not among them.
 */
const SCRIPTS = {
  latin: ['uúUu\u0308', 'iíÎ', 'zžZ\u030c', 'dđĐ', 'hħ', 'nñN', 'cçC\u0327'],
  arabic: ['اأإآٱ', 'يىیئ', 'هةھە', 'كک', 'مم\u064eم\u0640م\u0651', 'دد\u0650د\u200f', 'وؤ'],
  hebrew: ['ממ\u05bcמ\u05b9', 'שש\u05c1ש\u05c2', 'הה\u05b6', 'לל\u200b', 'ן'],
  hangul: ['김', '민민\u2060', '수수', '영', '희'],
  han: ['王', '小', '明', '李', '华'],
} as const;
type Script = keyof typeof SCRIPTS;
const UNSPACED: readonly Script[] = ['hangul', 'han'];

/** The spellings of each letter: a base character and its combining or invisible ones. */
const SPELLINGS = Object.fromEntries(
  Object.entries(SCRIPTS).map(([script, letters]) => [
    script,
    letters.map((text) => text.match(/.[\p{M}\u0640\u200b\u200f\u2060]*/gu) as string[]),
  ]),
) as Record<Script, string[][]>;

/** A letter, and which of its spellings is written. */
const letter = fc.record({ at: fc.nat(6), spelling: fc.nat(9), isDecomposed: fc.boolean() });
const word = fc.array(letter, { minLength: 1, maxLength: 4 });
type Word = readonly { readonly at: number; readonly spelling: number; readonly isDecomposed: boolean }[];

const member = fc.record({
  script: fc.constantFrom(...(Object.keys(SCRIPTS) as Script[])),
  first: word,
  last: word,
});
/** What is searched: names of a member or parts of them, spelled otherwise and with punctuation, or other letters. */
const search = fc.record({
  member: fc.nat(),
  kind: fc.constantFrom('first', 'last', 'both', 'reversed', 'together', 'together reversed', 'other'),
  from: fc.nat(2),
  spelling: fc.nat(9),
  isDecomposed: fc.boolean(),
  other: word,
  around: fc.constantFrom('*', '"*"', '«*»', '(*)', '*,', '<*>', '* ;'),
});

/** The letters of a word as text, so that texts are compared without their spelling. */
const lettersOf = (script: Script, list: Word) =>
  list.map(({ at }) => `${script}${at % SPELLINGS[script].length}.`).join('');

function write(script: Script, list: Word): string {
  return list
    .map(({ at, spelling, isDecomposed }) => {
      const spellings = SPELLINGS[script][at % SPELLINGS[script].length] as string[];
      const text = spellings[spelling % spellings.length] as string;
      return isDecomposed ? text.normalize('NFD') : text;
    })
    .join('');
}

onEachStore((service) => {
  it('finds the names that a model in memory finds, however their letters are written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 3, maxLength: 10 }),
        fc.array(search, { minLength: 12, maxLength: 12 }),
        async (members, searches) => {
          const us = await service.organization();
          const stored: { id: string; texts: string[] }[] = [];
          for (const { script, first, last } of members) {
            const names = { first_name: write(script, first), last_name: write(script, last) };
            const email_address = `${randomUUID().replace(/\D/g, '')}@example.org`;
            const { id } = recordIn(await us.post('/members', { ...names, email_address }), 201);
            const [a, b] = [lettersOf(script, first), lettersOf(script, last)];
            stored.push({ id, texts: UNSPACED.includes(script) ? [a, b, b + a + b] : [a, b] });
          }
          for (const { member, kind, from, spelling, isDecomposed, other, around } of searches) {
            const { script, first, last } = members[member % members.length] as (typeof members)[number];
            const respell = (list: Word): Word =>
              list.map((one, at) => ({ ...one, spelling: spelling + at, isDecomposed }));
            const part = (list: Word) => respell(list.slice(Math.min(from, list.length - 1)));
            const words = {
              first: [part(first)],
              last: [part(last)],
              both: [part(first), respell(last)],
              reversed: [respell(last), part(first)],
              together: [respell([...last, ...first])],
              'together reversed': [respell([...first, ...last])],
              other: [other],
            }[kind];
            const q = words.map((one) => around.replace('*', write(script, one))).join(' ');
            const wanted = words.map((one) => lettersOf(script, one));
            const expected = stored.filter(({ texts }) =>
              wanted.every((one) => texts.some((text) => text.includes(one))),
            );
            const found = listIn(await us.get(`/members?q=${encodeURIComponent(q)}&limit=100`));
            expect(
              found.map(({ id }: { id: string }) => id),
              JSON.stringify([q, members]),
            ).toEqual(expected.map(({ id }) => id));
          }
        },
      ),
      { seed: 3, numRuns: 12, endOnFailure: true },
    );
  });
});
