import { expect, it } from 'vitest';
import { DOCUMENT_LIMITS } from '../../../../src/graphql/document/limits.ts';
import { times } from '../../../support/data.ts';
import { DOUBLING_DOCUMENTS } from '../../../support/documents/doubling-documents.ts';
import { INVALID, TOO_COMPLEX } from '../../../support/documents/hostile-documents.ts';
import { graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { expectWithin, startTimer } from '../../../support/time/pace.ts';
import { countingApp } from '../../counting.ts';

/** Maximum time for rejecting a document; most take a few milliseconds. */
const MAX_MS = 300;

onOneStore((service) => {
  it.each(Object.entries(TOO_COMPLEX))(
    'rejects %s quickly, with no statement except the key check',
    async (_name, query) => {
      const { app, during } = countingApp(service);
      const { key } = await service.organization();
      const took = startTimer();
      const { result, statements } = await during(() => graphql(app, key)(query));
      expectWithin(MAX_MS, took());
      expect([result.status, result.json.errors.map(codeOf)]).toEqual([400, ['query_too_complex']]);
      expect(result.json).not.toHaveProperty('data');
      expect(statements).toEqual([expect.stringContaining('FROM api_key')]);
    },
  );

  it.each(Object.entries(INVALID))('rejects %s as an invalid document', async (_name, query) => {
    const { app, during } = countingApp(service);
    const { key } = await service.organization();
    const took = startTimer();
    const { result, statements } = await during(() => graphql(app, key)(query));
    expectWithin(MAX_MS, took());
    expect(result.status).toBe(400);
    expect(new Set(result.json.errors.map(codeOf))).toEqual(new Set(['invalid_request']));
    expect(result.json).not.toHaveProperty('data');
    expect(statements).toHaveLength(1);
  });

  it.each(Object.entries(DOUBLING_DOCUMENTS))('executes or rejects fragments %s quickly', async (_name, query) => {
    const { key } = await service.organization();
    const took = startTimer();
    const { status } = await graphql(service.app, key)(query);
    expectWithin(MAX_MS, took());
    expect([200, 400]).toContain(status);
  });

  it('executes a query with 25,000 comments quickly', async () => {
    const { key } = await service.organization();
    const took = startTimer();
    const answer = await graphql(service.app, key)(`{ viewer { keyName } } ${'#\n'.repeat(25_000)}`);
    expectWithin(MAX_MS, took());
    expect(answer.json.data).toEqual({ viewer: { keyName: 'Test' } });
  });

  it('lists at most 20 validation errors, and states that there are more', async () => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(`{ ${times(60, (n) => `unknown${n}`).join(' ')} }`);
    expect(json.errors).toHaveLength(21);
    expect(json.errors.at(-1).message).toMatch(/too many validation errors/i);
  });

  it('executes and charges up to the maximum number of aliased mutations', async () => {
    const { key, id } = await service.organization();
    const maximum = DOCUMENT_LIMITS.aliases;
    const submit = (n: number) => `a${n}: submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } }`;
    const answer = await graphql(service.app, key)(`mutation { ${times(maximum, submit).join(' ')} }`);
    expect(answer.json.extensions.rateLimit.cost).toBe(maximum);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(maximum);
    expect((await graphql(service.app, key)(`mutation { ${times(maximum + 1, submit).join(' ')} }`)).status).toBe(400);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(maximum);
  });
});

function codeOf({ extensions }: { extensions: { code: string } }): string {
  return extensions.code;
}
