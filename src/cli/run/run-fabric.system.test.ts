// `trenio run --show-fabric` on this machine, and on a virtual host with a separate address.
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Fabric } from '../../distributed/launch/fabric.ts';
import { canMakeHosts, VirtualNetwork } from '../../distributed/launch/namespaces.testing.ts';
import { trenio } from '../process.testing.ts';

test('the interfaces of this machine, and whether it has an MPI', async () => {
  const { exitCode, stdout, stderr } = await trenio('run', '--show-fabric', '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  const fabric = JSON.parse(stdout) as Fabric;
  expect(fabric.withinHost.transport).toBe('shared memory');
  expect(fabric.betweenHosts.transport).toBe('tcp');
  const known = networkInterfaces();
  for (const [name, addresses] of Object.entries(known)) {
    const found = fabric.interfaces.find(one => one.name === name);
    expect(found?.addresses).toEqual(addresses!.map(({ address }) => address));
  }
  const hasMpi = spawnSync('mpicc', ['--version']).error === undefined;
  expect(fabric.mpiJob.transport).toBe(hasMpi ? 'mpi' : 'none');
  if (hasMpi) expect(fabric.mpi.implementation).toMatch(/^(Open MPI|MPICH) \d/);
  const libraries = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout;
  expect(fabric.libfabric.library).toBe(/libfabric\.so\.\d+/.exec(libraries)?.[0]);
  expect(fabric.ucx.library).toBe(/libucp\.so\.\d+/.exec(libraries)?.[0]);
});

test('a script is still needed without it', async () => {
  const { exitCode, stderr } = await trenio('run', '--json');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('missing argument: <script>')]);
});

test.skipIf(!canMakeHosts())('the interface towards the rendezvous is the one that is used', async () => {
  await using network = await VirtualNetwork.make(2);
  const [host] = network.hosts;
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const words = ['run', '--show-fabric', '--nnodes=2', '--rdzv-endpoint=host2:29500'];
  const text = host!.execute(process.execPath, main, ...words);
  expect(text).toMatch(/^ranks of several hosts {2,}tcp: .* at 10\.88\.0\.1$/m);
  expect(text).toMatch(/^eth0 +10\.88\.0\.1.* +used$/m);
});
