// Endpoints as users write them.
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { formatEndpoint, isThisMachine, parseEndpoint } from './endpoint.ts';

test.each([
  ['node1', { host: 'node1', port: 29500 }],
  ['node1.cluster:1234', { host: 'node1.cluster', port: 1234 }],
  ['10.0.0.1:0', { host: '10.0.0.1', port: 0 }],
  ['[::1]:80', { host: '::1', port: 80 }],
])('%s', (text, endpoint) => {
  expect(parseEndpoint(text)).toEqual(endpoint);
  expect(parseEndpoint(formatEndpoint(endpoint))).toEqual(endpoint);
});

test.each(['', ':80', 'a:b', 'host:70000', 'a b:1', '::1:80', 'http://host:1'])('%j is none', text => {
  expect(parseEndpoint(text)).toBeUndefined();
});

test('which hosts are this machine', async () => {
  expect(
    await Promise.all(['localhost', '127.0.0.7', hostname(), '192.0.2.1', 'no-such-host.invalid'].map(isThisMachine)),
  ).toEqual([true, true, true, false, false]);
});
