import { expect, test } from 'vitest';
import { parseHostList } from './host-list.ts';

test('hosts are read with users, ports and comments', () => {
  expect(parseHostList('node1\n\n# all\nroot@10.0.0.2:2222  # the second\n[fe80::1]:22\n', 'hosts')).toEqual([
    { target: 'node1', port: undefined, line: 1 },
    { target: 'root@10.0.0.2', port: 2222, line: 4 },
    { target: 'fe80::1', port: 22, line: 5 },
  ]);
});

test.each([
  ['', 'hosts: it lists no hosts'],
  ['a\na\n', 'hosts line 2: a is already in line 1'],
  ['-oProxyCommand=x', "hosts line 1: expected [user@]name[:port], got '-oProxyCommand=x'"],
  ['a b', "hosts line 1: expected [user@]name[:port], got 'a b'"],
  ['a:70000', "hosts line 1: expected [user@]name[:port], got 'a:70000'"],
  ['a;reboot', "hosts line 1: expected [user@]name[:port], got 'a;reboot'"],
])('%j is rejected', (text, message) => {
  expect(() => parseHostList(text, 'hosts')).toThrow(message);
});
