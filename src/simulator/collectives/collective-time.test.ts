import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import type { Machine } from '../../hardware/machine.ts';
import {
  type CollectiveKind,
  collectiveKinds,
  collectiveTime,
  type Group,
  neuronFlatRingStack,
  neuronRingStack,
} from './index.ts';
import { reachOf } from './reach.ts';
import { neuronStack } from './stack.ts';

const trn1 = machineOf('trn1.32xlarge');
const p4d = machineOf('p4d.24xlarge');
const p5 = machineOf('p5.48xlarge');
const oneChip: Machine = { ...machineOf('trn1.2xlarge'), network: undefined };
/** With logical cores of two, as its communication library is documented. */
const trn2 = ((machine: Machine): Machine => {
  const { device, devicesPerChip, devices } = machine;
  const half = devicesPerChip === 8 ? 2 : 1;
  return {
    ...machine,
    device: { ...device, memoryBandwidth: device.memoryBandwidth * half },
    devicesPerChip: devicesPerChip / half,
    devices: devices / half,
  };
})(machineOf('trn2.48xlarge'));

const whole = (machine: Machine, nodes = 1): Group => ({
  size: machine.devices * nodes,
  ranksPerNode: machine.devices,
  nodes,
  groupsPerNode: 1,
});
const time = (kind: CollectiveKind, bytes: number, group: Group, machine: Machine) =>
  collectiveTime({ kind, bytes, group, machine });

describe('collectiveTime', () => {
  it('costs nothing for one rank or an empty tensor', () => {
    const alone: Group = { size: 1, ranksPerNode: 1, nodes: 1, groupsPerNode: 32 };
    expect(time('all-reduce', 1e9, alone, trn1)).toMatchObject({ seconds: 0, algorithm: 'none' });
    expect(time('all-to-all', 0, whole(trn1), trn1)).toMatchObject({ seconds: 0, algorithm: 'none' });
  });

  it('is a sum of its parts, grows with the bytes, and never beats the links', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...collectiveKinds),
        fc.constantFrom(trn1, trn2, p4d, p5),
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom(1, 2, 3, 16, 100),
        fc.integer({ min: 1, max: 2 ** 32 }),
        (kind, machine, power, nodes, bytes) => {
          const ranksPerNode = Math.min(machine.devices, 2 ** power);
          const group = { size: ranksPerNode * nodes, ranksPerNode, nodes, groupsPerNode: 1 };
          const t = time(kind, bytes, group, machine);
          expect(t.intraSeconds + t.interSeconds + t.latencySeconds).toBeCloseTo(t.seconds, 12);
          for (const part of [t.intraSeconds, t.interSeconds, t.latencySeconds]) expect(part).toBeGreaterThanOrEqual(0);
          expect(time(kind, 2 * bytes, group, machine).seconds).toBeGreaterThanOrEqual(t.seconds);
          if (nodes > 1 && (kind === 'all-reduce' || kind === 'all-gather')) {
            const least = ((kind === 'all-reduce' ? 2 : 1) * bytes * (nodes - 1)) / nodes / machine.network!.bandwidth;
            expect(t.seconds).toBeGreaterThan(least);
          }
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('switches between the algorithms of Trainium2 near the documented sizes', () => {
    const algorithm = (bytes: number) => time('all-reduce', bytes, whole(trn2), trn2).algorithm;
    expect(algorithm(2 ** 16)).toBe('mesh');
    expect(algorithm(2 ** 23)).toBe('halving-doubling');
    expect(algorithm(2 ** 27)).toBe('paired ring');
  });

  it('reaches the published bus bandwidth of NCCL', () => {
    const busBandwidth = (machine: Machine) =>
      (2 * (7 / 8) * 8e9) / time('all-reduce', 8e9, whole(machine), machine).seconds;
    expect(busBandwidth(p4d) / 1e9).toBeGreaterThan(220);
    expect(busBandwidth(p4d) / 1e9).toBeLessThan(240);
    expect(busBandwidth(p5) / 1e9).toBeGreaterThan(340);
    expect(busBandwidth(p5) / 1e9).toBeLessThan(370);
  });

  it('is hierarchical across many instances, so that latency does not grow with every rank', () => {
    const few = time('all-reduce', 2 ** 21, whole(trn1, 2), trn1);
    const many = time('all-reduce', 2 ** 21, whole(trn1, 64), trn1);
    expect(many.algorithm).toMatch(/^hierarchical/);
    expect(many.latencySeconds).toBeLessThan(4 * few.latencySeconds);
  });

  it('shares the network card among the groups of an instance', () => {
    const group = (groupsPerNode: number): Group => ({ size: 16, ranksPerNode: 1, nodes: 16, groupsPerNode });
    const one = time('all-reduce', 1e9, group(1), trn1);
    const sixteen = time('all-reduce', 1e9, group(16), trn1);
    const all = time('all-reduce', 1e9, group(32), trn1);
    // A card for each chip: the second rank of a chip is the first to wait.
    expect(sixteen.interSeconds).toBeCloseTo(one.interSeconds, 9);
    expect(all.interSeconds).toBeCloseTo(2 * one.interSeconds, 9);
  });

  it('supports groups that do not fill the last instance', () => {
    const six: Group = { size: 6, ranksPerNode: 4, nodes: 2, groupsPerNode: 8, stride: 8 };
    const eight: Group = { ...six, size: 8 };
    expect(time('all-reduce', 1e9, six, trn1).seconds).toBeLessThanOrEqual(
      time('all-reduce', 1e9, eight, trn1).seconds,
    );
  });

  it('lets ranks of one chip communicate through its memory', () => {
    const pair: Group = { size: 2, ranksPerNode: 2, nodes: 1, groupsPerNode: 1 };
    const t = time('all-reduce', 1e9, pair, oneChip);
    expect(t.intraSeconds).toBeCloseTo((2.5 * 1e9) / (0.345 * oneChip.device.memoryBandwidth), 6);
  });

  it('rejects impossible inputs', () => {
    const g = whole(trn1);
    expect(() => time('all-reduce', -1, g, trn1)).toThrow('bytes is -1');
    expect(() => time('all-reduce', Number.NaN, g, trn1)).toThrow('bytes is NaN');
    expect(() => time('all-reduce', 1, { ...g, size: 33 }, trn1)).toThrow(
      'group.size is 33, expected 32 ranks on each of 1 instance',
    );
    expect(() => time('all-reduce', 1, { ...g, ranksPerNode: 64, size: 64 }, trn1)).toThrow(
      'the devices of trn1.32xlarge',
    );
    expect(() => time('all-reduce', 1, { ...g, groupsPerNode: 2 }, trn1)).toThrow('group.groupsPerNode is 2');
    const two: Group = { size: 4, ranksPerNode: 2, nodes: 2, groupsPerNode: 1 };
    expect(() => time('all-reduce', 1, two, oneChip)).toThrow('trn1.2xlarge has no network');
  });
});

describe('where ranks sit', () => {
  const reach = (ranksPerNode: number, groupsPerNode: number, stride: number) =>
    reachOf(trn1, { size: ranksPerNode, ranksPerNode, nodes: 1, groupsPerNode, stride }, neuronStack);
  const { fabric } = trn1;
  const link = (fabric.kind === 'torus' ? fabric.linkBandwidth[0]! : 0) * neuronStack.linkEfficiency;

  it('uses the links of a row, a column and the whole torus', () => {
    expect(reach(8, 4, 1)).toMatchObject({ chips: 4, ranksPerChip: 2, links: 2, chipRate: 2 * link });
    // Two ranks a chip, each of another group: they share the column.
    expect(reach(4, 8, 8)).toMatchObject({ chips: 4, ranksPerChip: 1, links: 2, chipRate: link });
    expect(reach(32, 1, 1)).toMatchObject({
      chips: 16,
      ranksPerChip: 2,
      links: 4,
      chipRate: 4 * link,
      distance: 32 / 15,
    });
    expect(reach(4, 8, 1)).toMatchObject({ chips: 2, links: 1, chipRate: link, distance: 1 });
  });
});

const within = (predicted: number, measured: number, share: number) => {
  expect(predicted * 1e6).toBeGreaterThan(measured * (1 - share));
  expect(predicted * 1e6).toBeLessThan(measured * (1 + share));
};

/**
 * Public tables of nccom-test (aws-neuron-sdk, tools/neuron-sys-tools/nccom-test.rst), bytes and microseconds. Of small
 * messages the first size of each plateau; what other tables say of unnamed instances is in the folder's README.
 */
describe('measured tables of Trainium1', () => {
  it.each([
    [1024, 58],
    [262_144, 60],
    [1_048_576, 68],
    [16_777_216, 332],
    [67_108_864, 1214],
    [268_435_456, 4750],
    [1_073_741_824, 18_930],
  ])('all-reduce of 2 ranks, %i bytes: %i µs', (bytes, microseconds) => {
    const group: Group = { size: 2, ranksPerNode: 2, nodes: 1, groupsPerNode: 1 };
    within(
      collectiveTime({ kind: 'all-reduce', bytes, group, machine: trn1 }, neuronRingStack).seconds,
      microseconds,
      0.13,
    );
  });

  it.each([
    [1024, 151],
    [65_536, 150],
    [524_288, 179],
  ])('all-gather of 32 ranks, %i bytes: %i µs', (bytes, microseconds) => {
    const request = { kind: 'all-gather', bytes, group: whole(trn1), machine: trn1 } as const;
    within(collectiveTime(request, neuronRingStack).seconds, microseconds, 0.15);
  });

  it.each([
    [65_536, 1315],
    [1_048_576, 1328],
    [4_194_304, 1378],
    [8_388_608, 1419],
    [33_554_432, 2711],
    [134_217_728, 6279],
    [268_435_456, 11_954],
    [1_073_741_824, 41_806],
  ])('all-reduce of 64 ranks on two instances, %i bytes: %i µs', (bytes, microseconds) => {
    const request = { kind: 'all-reduce', bytes, group: whole(trn1, 2), machine: trn1 } as const;
    within(collectiveTime(request, neuronFlatRingStack).seconds, microseconds, 0.13);
  });
});

/** NVIDIA/nccl, issue 527: nccl-tests on p4d.24xlarge. */
describe('a measured table of A100', () => {
  it.each([
    [1, 8143],
    [2, 35_215],
  ])('all-reduce of 1 GiB on %i instances: %i µs', (nodes, microseconds) => {
    const request = { kind: 'all-reduce', bytes: 2 ** 30, group: whole(p4d, nodes), machine: p4d } as const;
    within(collectiveTime(request).seconds, microseconds, 0.03);
  });
});
