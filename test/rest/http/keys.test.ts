import { expect, it } from 'vitest';
import { expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  const listening = onSocket(() => service.app);
  const get = (headers: Record<string, string | string[]>) =>
    listening.open(requestText('GET /v1/members HTTP/1.1', headers)).answer();

  it('rejects a repeated key header, with equal or different values', async () => {
    const [one, two] = await Promise.all([service.organization(), service.organization()]);
    for (const keys of [
      [one.key, one.key],
      [one.key, two.key],
      [one.key, ''],
      ['', one.key],
    ]) {
      expectRefusal(await get({ 'X-Api-Key': keys }), 401, 'missing_api_key');
    }
  });

  it('accepts the key header in any letter case, with white space around its value', async () => {
    const { key } = await service.organization();
    expect((await get({ 'x-aPI-kEY': `\t ${key} \t` })).status).toBe(200);
  });

  it.each(['', ' ', '\t'])('rejects the empty key %o', async (key) => {
    expectRefusal(await get({ 'X-Api-Key': key }), 401, 'missing_api_key');
  });

  it.each([15, 16, 17, 100, 1_000])('rejects a key of %i KB', async (size) => {
    const answer = await get({ 'X-Api-Key': 'k'.repeat(size * 1024) });
    if (size < 16) expectRefusal(answer, 401, 'invalid_api_key');
    else expectHttpRefusal(answer, 431);
  });

  it.each([
    ['a NUL', '\0'],
    ['a bell character', '\x07'],
    ['a delete character', '\x7f'],
    ['a lone carriage return', '\r'],
  ])('rejects a key with %s', async (_, character) => {
    const { key } = await service.organization();
    expectHttpRefusal(await get({ 'X-Api-Key': `${key}${character}x` }), 400);
  });

  it.each(['é', '🗝', '\u202e', '\xa0'])('rejects a key with the character %o', async (letter) => {
    const { key } = await service.organization();
    expectRefusal(await get({ 'X-Api-Key': `${key}${letter}` }), 401, 'invalid_api_key');
  });

  it('accepts hundreds of headers, and rejects more than 16 KB of them', async () => {
    const { key } = await service.organization();
    const many = (length: number) => ({ A: Array.from({ length }, () => 'a'), 'X-Api-Key': key });
    expect((await get(many(900))).status).toBe(200);
    expectHttpRefusal(await get(many(10_000)), 431);
  });

  it.each(['X-Request-Id: a\r\n b', 'X-Api-Key : x', 'No colon', ': no name', 'Sp ace: x'])(
    'rejects the header line %o',
    async (line) => {
      const wire = listening.open(`GET /v1/members HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`);
      expectHttpRefusal(await wire.answer(), 400);
    },
  );
});
