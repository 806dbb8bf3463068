import { describe, expect, test } from 'vitest';
import { machineOf } from '../hardware/index.ts';
import type { Layout } from './layout.ts';
import { modelOf } from './models/presets.ts';
import { chooseLayout } from './plan/choose-layout.ts';
import { largestBound } from './plan/training.ts';
import { predict } from './predict.ts';
import type { Prediction } from './prediction.ts';
import { assumedSampleBytes } from './sample-bytes.ts';
import type { StorageOptions } from './storage.ts';
import { exposedByPhase } from './timeline/exposed.ts';

const plain: Layout = {
  data: 8,
  tensor: 1,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: false,
  microBatch: 16,
  microBatches: 4,
  recompute: 'none',
};
interface Asked {
  readonly sampleBytes?: number | undefined;
  readonly storage?: StorageOptions;
  readonly nodes?: number;
  readonly layout?: Partial<Layout>;
  readonly machine?: string;
}
/** ViT-B/16 on images of 224 × 224. */
const vision = (sampleBytes: number | undefined) =>
  ({
    model: modelOf('vit-base'),
    run: { kind: 'training', sequence: 197, optimizer: 'adamw', sampleBytes },
    precision: 'bf16-mixed',
    attention: 'blocked',
  }) as const;
const step = ({ sampleBytes, storage, nodes = 1, layout = {}, machine = 'p5.48xlarge' }: Asked): Prediction =>
  predict({
    workload: vision(sampleBytes),
    machine: machineOf(machine),
    nodes,
    layout: { ...plain, ...layout },
    storage,
  });
const sum = (times: Readonly<Record<string, number>>): number => Object.values(times).reduce((a, b) => a + b, 0);

describe('a step that reads its samples', () => {
  const unread = step({});

  test('waits for what reading takes longer than computing', () => {
    const sampleBytes = 5e6;
    const read = step({ sampleBytes });
    // 512 samples of 5 MB at 2 GB/s
    expect(read.dataLoading).toMatchObject({ stepBytes: 2.56e9, nodeBytes: 2.56e9, readSeconds: 1.28 });
    expect(read.stepSeconds).toBeCloseTo(1.28, 12);
    expect(read.byPhase['data loading']).toBeCloseTo(1.28 - unread.stepSeconds, 12);
    expect(read.byBound.storage).toBe(read.byPhase['data loading']);
    expect(sum(read.byPhase)).toBeCloseTo(read.stepSeconds, 12);
    expect(sum(read.byBound)).toBeCloseTo(read.stepSeconds, 12);
    expect(largestBound(read).bound).toBe('storage');
    expect(read.samplesPerSecond).toBeCloseTo(2e9 / sampleBytes, 9);
    expect(read.mfu / unread.mfu).toBeCloseTo(unread.stepSeconds / read.stepSeconds, 12);
    expect(read.assumptions.slice(unread.assumptions.length)).toEqual([
      'Samples of 5 MB are read from shared storage while the previous step computes, at 2 GB/s per instance and 100 GB/s in total.',
      '1 × p5.48xlarge waits for data for 92 % of each step: an instance reads 2.56 GB, limited by its own bandwidth.',
    ]);
  });

  test('is the same to the last bit if computing takes longer, if nothing is read, or if the size is not known', () => {
    const bare = ({ dataLoading: _, assumptions: __, timeline, ...rest }: Prediction) => ({ ...rest, t: timeline() });
    expect(bare(step({ sampleBytes: 1000 }))).toEqual(bare(unread));
    expect(bare(step({ sampleBytes: 0 }))).toEqual(bare(unread));
    expect(unread.dataLoading).toBeUndefined();
    expect(step({ sampleBytes: 0 }).assumptions.at(-1)).toBe('No data is read from storage.');
  });

  test('the timeline waits before the first pass, and is as long', () => {
    for (const layout of [{}, { data: 2, pipeline: 4, microBatches: 8 }]) {
      const read = step({ sampleBytes: 5e6, layout });
      const timeline = read.timeline();
      expect(timeline.seconds / read.stepSeconds).toBeCloseTo(1, 2);
      const group = timeline.lanes[0]!.group;
      expect(exposedByPhase(timeline, group).get('data loading')).toBeCloseTo(read.byPhase['data loading'], 9);
      expect(Math.min(...timeline.tasks.filter(task => task.phase === 'forward').map(task => task.start))).toBe(
        read.byPhase['data loading'],
      );
    }
  });
});

test('of layouts that are as fast as the storage, the default is one that computes as fast as without reading', () => {
  const question = { machine: machineOf('p5.48xlarge'), nodes: 1, space: { globalBatch: 4096 } };
  const unread = chooseLayout({ ...question, workload: vision(undefined) }, predict).prediction;
  const read = chooseLayout({ ...question, workload: vision(600_000) }, predict).prediction;
  expect(read.layout).toEqual(unread.layout);
  expect(largestBound(read).bound).toBe('storage');
});

describe('instances that read', () => {
  const reading = (asked: Asked) => step({ sampleBytes: 5e6, ...asked }).dataLoading!;

  test('each its own samples, all of them at most at the rate of the storage', () => {
    const four = reading({ nodes: 4, layout: { data: 32 } });
    expect([four.stepBytes, four.nodeBytes, four.readSeconds]).toEqual([10.24e9, 2.56e9, 1.28]);
    const shared = { nodes: 4, layout: { data: 32 }, storage: { storageBandwidth: 4e9 } };
    expect(reading(shared).readSeconds).toBe(2.56);
    expect(step({ sampleBytes: 5e6, ...shared }).assumptions.at(-1)).toContain(
      'limited by the bandwidth of the storage',
    );
  });

  test('a copy of the model on several instances reads each sample once', () => {
    // Two copies, each on two instances.
    const { stepBytes, nodeBytes } = reading({ nodes: 4, layout: { data: 2, tensor: 4, pipeline: 4 } });
    // The first stages of both copies are on the first instance.
    expect([stepBytes, nodeBytes]).toEqual([0.64e9, 0.64e9]);
    const wide = reading({ nodes: 4, layout: { data: 4, tensor: 4, pipeline: 2 } });
    expect([wide.stepBytes, wide.nodeBytes]).toEqual([1.28e9, 0.64e9]);
  });

  test('no faster than the network of the instance', () => {
    const layout = { data: 1 };
    const network = machineOf('g5.xlarge').network!.bandwidth;
    expect(network).toBeLessThan(2e9);
    expect(reading({ machine: 'g5.xlarge', layout }).nodeBandwidth).toBe(network);
    expect(reading({ layout, storage: { nodeBandwidth: 12.5e9 } }).nodeBandwidth).toBe(12.5e9);
  });
});

test.each([
  [{ sampleBytes: -1 }, 'sampleBytes is -1, expected bytes, 0 or more'],
  [{ sampleBytes: Number.NaN }, 'sampleBytes is NaN'],
  [{ sampleBytes: 1, storage: { nodeBandwidth: 0 } }, 'nodeBandwidth is 0, expected bytes per second, above 0'],
  [{ sampleBytes: 1, storage: { storageBandwidth: -1 } }, 'storageBandwidth is -1'],
])('rejects %j', (asked, message) => {
  expect(() => step(asked)).toThrow(message);
});

test('assumed sizes of samples: 2 or 4 bytes per token, and a JPEG file per image', () => {
  expect(assumedSampleBytes(modelOf('gpt2'), 1024)).toEqual({
    bytes: 2048,
    because: '2.05 kB, 1,024 token ids of 2 bytes',
  });
  expect(assumedSampleBytes(modelOf('llama3-8b'), 8192).bytes).toBe(32_768);
  expect(assumedSampleBytes(modelOf('bert-large'), 512).bytes).toBe(1024);
  expect(assumedSampleBytes(modelOf('vit-base'), 197)).toEqual({
    bytes: 115_000,
    because: '115 kB, the average JPEG file of ImageNet',
  });
});
