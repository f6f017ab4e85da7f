import { expect, it } from 'vitest';
import { baseAddress } from '../../../src/http/request/base-address.ts';

const URL_ASKED = 'http://inner.test:4000/developer?x=1';
const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'records.example.org' };

it.each([
  ['the Host header', {}, 0, 'http://inner.test:4000'],
  ['the Host header, whatever proxy headers a client sends', forwarded, 0, 'http://inner.test:4000'],
  ['the scheme and host requested from the proxy', forwarded, 1, 'https://records.example.org'],
  ['the Host header with the scheme of the proxy', { 'X-Forwarded-Proto': 'https' }, 1, 'https://inner.test:4000'],
  ['the scheme of the first of several proxies', { 'X-Forwarded-Proto': 'https, http' }, 2, 'https://inner.test:4000'],
  ['the Host header if the proxy adds no header', {}, 1, 'http://inner.test:4000'],
  ['the Host header if the header of the proxy is invalid', { 'X-Forwarded-Host': 'a b' }, 1, 'http://inner.test:4000'],
  ['no scheme except http and https', { 'X-Forwarded-Proto': 'javascript' }, 1, 'http://inner.test:4000'],
])('is %s', (_, headers, trustProxy, address) => {
  expect(baseAddress(URL_ASKED, new Headers(headers as Record<string, string>), trustProxy)).toBe(address);
});
