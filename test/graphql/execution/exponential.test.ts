import { expect, it } from 'vitest';
import { DOUBLING_DOCUMENTS } from '../../support/documents/doubling-documents.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { expectWithin, startTimer } from '../../support/time/pace.ts';

const MAX_MS = 100;

onOneStore((service) => {
  it.each(Object.entries(DOUBLING_DOCUMENTS))(
    'executes or rejects fragments %s within 100 ms',
    async (_name, query) => {
      const { id, key } = await service.organization();
      await manyOf(service, id).members(1);
      const ask = graphql(service.app, key);
      await ask('{ tags { edges { cursor } } members { edges { cursor } } }');
      const taken: number[] = [];
      // Code is compiled for the first document; comments make each of the others miss the document cache.
      for (const comment of ['#1', '#2', '#3']) {
        const took = startTimer();
        const answer = await ask(`${query} ${comment}`);
        taken.push(took());
        const codes = codesIn(answer);
        expect(['query_too_complex', 'invalid_request', 'not_found', undefined]).toContain(codes[0]);
      }
      expectWithin(MAX_MS, Math.min(...taken));
    },
  );

  it('returns the correct result for fragments that are spread many times', async () => {
    const { id, key } = await service.organization();
    await manyOf(service, id).tags(1, () => []);
    const { json } = await graphql(service.app, key)(DOUBLING_DOCUMENTS['spread twice'] as string);
    expect(json.data.tags.edges).toEqual([{ node: { id: expect.stringMatching(/^tag_/) } }]);
  });
});
