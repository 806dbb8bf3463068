import { expect, test } from 'vitest';
import { type Surroundings, sharedWithMachine } from './shared-with-machine.ts';

const best: Surroundings = {
  isolation: 'namespaces',
  isContainer: false,
  network: 'isolated',
  wantsNoNetwork: true,
  hasGroups: true,
};
const files = 'Files outside /opt/ml, /tmp and the folder of the server, with the rights of an unprivileged user.';

test.each<[string, Partial<Surroundings>, readonly string[]]>([
  ['with all rights, only files', {}, [files]],
  ['of a container, nothing', { isContainer: true, network: 'shared' }, []],
  [
    'with the network of the machine',
    { network: 'shared', wantsNoNetwork: false },
    [files, 'The network, with the ports of other programs on 127.0.0.1.'],
  ],
  [
    'without any rights',
    { isolation: 'none', network: 'shared', hasGroups: false },
    [
      'All files and processes of the machine, the folder and the keys of the server included: it does not allow namespaces.',
      'The network, although EnableNetworkIsolation is set: the machine does not allow network namespaces.',
      'Cores, and the number of processes: the machine does not allow control groups. Memory is limited for each process.',
    ],
  ],
  ['on a cluster, without limits of this machine', { hasGroups: undefined }, [files]],
])('shared with the machine: %s', (_, changes, expected) => {
  expect(sharedWithMachine({ ...best, ...changes })).toEqual(expected);
});
