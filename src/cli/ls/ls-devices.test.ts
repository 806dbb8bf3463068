import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeTopology, neuronDevices, numaNodes } from './ls-devices.ts';
import { parseGpus } from './ls-gpus.ts';

const root = mkdtempSync(join(tmpdir(), 'trenio-ls-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const machine = { allowed: [0, 1], memoryBytes: 5 };

test('each NUMA node is a device', () => {
  expect(numaNodes(machine, join(root, 'nothing'))).toEqual([
    { node: 0, cpus: [0, 1], memoryBytes: 5, distances: [10] },
  ]);
  for (const [node, cpus, distances] of [
    [0, '0-1', '10 21'],
    [1, '2-3', '21 10'],
  ] as const) {
    const directory = join(root, `sys/devices/system/node/node${node}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'cpulist'), `${cpus}\n`);
    writeFileSync(join(directory, 'distance'), `${distances}\n`);
    writeFileSync(join(directory, 'meminfo'), `Node ${node} MemTotal:       1024 kB\n`);
  }
  const nodes = numaNodes(machine, root);
  expect(describeTopology(nodes)).toMatchInlineSnapshot(`
    "node 0   CPUs 0-1
    node 1   CPUs 2-3

    relative distance of memory (10 is local)
              node 0  node 1
    node 0        10      21
    node 1        21      10"
  `);
  const process = {
    pid: 7,
    user: 'someone',
    script: 'train.ts',
    command: ['node', 'train.ts'],
    rank: 0,
    worldSize: 1,
    cpus: [2],
    threads: 1,
    residentBytes: 1,
    cpuSeconds: 1,
  };
  expect(neuronDevices(nodes, [process])).toMatchObject([
    {
      neuron_device: 0,
      connected_to: [1],
      nc_count: 2,
      memory_size: 2 ** 20,
      neuroncore_ids: [0, 1],
      neuron_processes: [],
    },
    { neuron_device: 1, cpu_affinity: '2-3', neuron_processes: [{ pid: 7, command: 'node train.ts' }] },
  ]);
});

test('parses the output of nvidia-smi', () => {
  expect(parseGpus('0, NVIDIA H200, 143771, 1, 0\n1, NVIDIA H200, 143771, 5, [N/A]\nNo devices were found\n')).toEqual([
    { index: 0, name: 'NVIDIA H200', memoryBytes: 143_771 * 2 ** 20, usedBytes: 2 ** 20, utilizationPercent: 0 },
    {
      index: 1,
      name: 'NVIDIA H200',
      memoryBytes: 143_771 * 2 ** 20,
      usedBytes: 5 * 2 ** 20,
      utilizationPercent: undefined,
    },
  ]);
});
