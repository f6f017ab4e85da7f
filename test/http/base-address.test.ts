import { expect, it } from 'vitest';
import { baseAddress } from '../../src/http/base-address.ts';

const URL_ASKED = 'http://inner.test:4000/developer?x=1';
const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'records.example.org' };

it.each([
  ['the Host header', {}, 0, 'http://inner.test:4000'],
  ['the Host header, whatever a client says of proxies', forwarded, 0, 'http://inner.test:4000'],
  ['what the proxy was asked for', forwarded, 1, 'https://records.example.org'],
  ['the scheme alone', { 'X-Forwarded-Proto': 'https' }, 1, 'https://inner.test:4000'],
  ['the first of several proxies', { 'X-Forwarded-Proto': 'https, http' }, 2, 'https://inner.test:4000'],
  ['the Host header where the proxy says nothing', {}, 1, 'http://inner.test:4000'],
  ['the Host header where the proxy says nonsense', { 'X-Forwarded-Host': 'a b' }, 1, 'http://inner.test:4000'],
  ['no other scheme', { 'X-Forwarded-Proto': 'javascript' }, 1, 'http://inner.test:4000'],
])('is %s', (_, headers, trustProxy, address) => {
  expect(baseAddress(URL_ASKED, new Headers(headers as Record<string, string>), trustProxy)).toBe(address);
});
