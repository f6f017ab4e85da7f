import { connect } from 'node:net';
import { times } from '../../support/data.ts';
import { forEachConcurrently } from '../../support/load/concurrency.ts';
import { requestText } from '../../support/requests/socket.ts';
import type { Attack, Phase } from '../attack.ts';

/** Long enough for any response; an incomplete request gets none before the service's timeout. */
const TIMEOUT_MS = 3_000;
/** The wait for more data after a response. */
const QUIET_MS = 300;
/** The maximum number of bytes to read. */
const ENOUGH_BYTES = 100_000;
const AT_ONCE = 8;

/** Invalid and unusual HTTP. */
export const rawHttp: Phase = {
  name: 'raw-http',
  about: 'invalid request lines, headers, lengths, chunks and bodies',
  async run(attack) {
    await forEachConcurrently(Object.entries(shapes(attack.target.key)), AT_ONCE, ([name, bytes]) =>
      send(attack, name, bytes),
    );
    await attack.checkDelay('raw HTTP', 'npm run test:attacks -- --only raw-http');
    await attack.sendSequentially([attack.rest('a request after all this', 'GET', '/v1/members')]);
  },
};

async function send(attack: Attack, name: string, bytes: Buffer): Promise<void> {
  const text = await answerTo(attack.target.service.port, bytes);
  const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
  attack.count(statuses.at(-1));
  const repeat = `sent to the port: ${JSON.stringify(bytes.toString('latin1', 0, 300))} (${bytes.length} bytes)`;
  const failure = statuses.find((status) => status >= 500);
  if (failure) attack.report(`${name}: status ${failure}`, repeat);
  if (text !== '' && statuses.length === 0)
    attack.report(`${name}: the response is not HTTP: ${text.slice(0, 100)}`, repeat);
}

/** The data until the service closes the connection, or until nothing more arrives. */
function answerTo(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(TIMEOUT_MS).on('timeout', end);
    for (const event of ['error', 'close', 'end']) socket.on(event, end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.length > ENOUGH_BYTES) end();
      else socket.setTimeout(QUIET_MS);
    });
    socket.write(bytes);
  });
}

function shapes(key: string): Record<string, Buffer> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const get = (target: string, more: Record<string, string | string[]> = {}) =>
    requestText(`GET ${target} HTTP/1.1`, { ...headers, ...more });
  const post = (body: string | Buffer, more: Record<string, string | string[]> = {}, path = '/v1/members') =>
    requestText(`POST ${path} HTTP/1.1`, { ...headers, ...more }, body);
  const chunked = (body: string) =>
    Buffer.concat([
      requestText('POST /v1/members HTTP/1.1', { ...headers, 'Transfer-Encoding': 'chunked' }),
      Buffer.from(body),
    ]);
  const raw = (text: string) => Buffer.from(text, 'latin1');
  const good = get('/v1/tags');
  return {
    'no HTTP': raw('hello\r\n\r\n'),
    TLS: raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(500, '\0')),
    'HTTP/2': raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'HTTP/0.9': raw('GET /\r\n'),
    'HTTP/1.0': raw(`GET /v1/tags HTTP/1.0\r\nX-Api-Key: ${key}\r\n\r\n`),
    'HTTP/9.9': raw('GET / HTTP/9.9\r\nHost: a\r\n\r\n'),
    'NUL bytes': Buffer.alloc(100_000),
    'line breaks': raw('\r\n'.repeat(50_000)),
    'a request line of 1 MB': raw(`GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n\r\n`),
    'no line end': raw('G'.repeat(200_000)),
    'an unknown method': raw('FOO / HTTP/1.1\r\nHost: a\r\n\r\n'),
    CONNECT: raw('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'),
    TRACE: requestText('TRACE / HTTP/1.1', headers),
    '10,000 headers': get('/v1/tags', Object.fromEntries(times(10_000, (n) => [`H${n}`, 'a']))),
    'a header over and over': get('/v1/tags', { Cookie: times(1_500, () => 'a=b') }),
    'a header of 1 MB': get('/v1/tags', { A: 'a'.repeat(1_000_000) }),
    'headers without names': raw('GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n'),
    'folded headers': raw('GET / HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n'),
    'a NUL in a header': raw('GET / HTTP/1.1\r\nHost: a\r\nA: b\0c\r\n\r\n'),
    'a cookie of 15 KB': get('/developer', { Cookie: `cms_session=${'%'.repeat(15_000)}` }),
    'many addresses': get('/v1/tags', { 'X-Forwarded-For': '1.1.1.1, '.repeat(1_600) }),
    'two lengths': post('{}', { 'Content-Length': ['2', '3'] }),
    'a length and chunks': post('{}', { 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }),
    'a negative length': post('{}', { 'Content-Length': '-1' }),
    'a length that overflows': post('{}', { 'Content-Length': '9'.repeat(40) }),
    'a length that is too small': post('{"first_name":"A"}', { 'Content-Length': '3' }),
    'a length that is too large': post('{}', { 'Content-Length': '100' }),
    'a length of 1 TB': post('{}', { 'Content-Length': String(2 ** 40) }),
    'chunks of one byte': chunked(`${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`),
    'a chunk of no size': chunked('zz\r\n{}\r\n0\r\n\r\n'),
    'a chunk size that overflows': chunked(`${'f'.repeat(40)}\r\n{}`),
    'chunks with long extensions': chunked(`2;${'a'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`),
    'chunks with trailers': chunked(`2\r\n{}\r\n0\r\n${'T: a\r\n'.repeat(5_000)}\r\n`),
    'a body of 5 MB in chunks': chunked(`${`10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(80)}0\r\n\r\n`),
    'unknown encodings': post('{}', { 'Transfer-Encoding': 'gzip, chunked' }),
    'a compressed body that is not': post('{}', { 'Content-Encoding': 'gzip' }),
    'an expectation': post('{}', { Expect: 'a miracle' }),
    '500 requests in one write': Buffer.concat(times(500, () => good)),
    'requests and then garbage': Buffer.concat([good, good, raw('garbage\r\n\r\n'), good]),
    'a request within a body': post(`${'{}'}${good}`, { 'Content-Length': '2' }),
    'an upgrade': get('/graphql', { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'AAAA' }),
    'no host': raw('GET / HTTP/1.1\r\n\r\n'),
    'two hosts': get('/', { Host: ['a', 'b'] }),
    'a host that is none': get('/', { Host: 'a b/[@' }),
    'a host of 10 KB': get('/', { Host: 'a'.repeat(10_000) }),
    'an absolute URL': get('http://169.254.169.254/v1/tags'),
    'an absolute URL that is none': get('http://[/v1/tags'),
    'dot segments': get('/v1/../../../../etc/passwd'),
    'encoded dot segments': get('/assets/%2e%2e/%2e%2e%2fetc%2fpasswd'),
    'a path of slashes': get('/'.repeat(10_000)),
    'broken percent-encoding': get('/v1/members/%E0%80%80%ff%?q=%c0%ae%'),
    'an asterisk': requestText('OPTIONS * HTTP/1.1', headers),
    'broken UTF-8': post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
    'lone surrogates': post('{"first_name":"\\ud800","last_name":"\\udfff"}'),
    'a byte order mark': post('\ufeff{}'),
    'invalid JSON': post('{"first_name":'),
    'JSON 50,000 deep': post(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    'objects 14,000 deep': post(`${'{"a":'.repeat(14_000)}1${'}'.repeat(14_000)}`),
    'objects 14,000 deep as a variable': post(
      `{"query":"query ($v: ID!) { node(id: $v) { id } }","variables":{"v":${'{"a":'.repeat(14_000)}1${'}'.repeat(14_000)}}}`,
      {},
      '/graphql',
    ),
    'lists 45,000 deep as variables': post(
      `{"query":"query ($v: [ID!]!) { nodes(ids: $v) { id } }","variables":{"v":${'['.repeat(45_000)}${']'.repeat(45_000)}}}`,
      {},
      '/graphql',
    ),
    'a number of 90,000 digits': post(`{"first_name":${'9'.repeat(90_000)}}`),
    'an equal key 8,000 times': post(`{${times(8_000, () => '"__proto__":1').join()}}`.slice(0, 100_000)),
    'a batch': post(`[${times(1_000, () => '{"query":"{ viewer { keyName } }"}').join()}]`, {}, '/graphql'),
  };
}
