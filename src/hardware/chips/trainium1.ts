// Trainium1 and Inferentia2: the same two NeuronCores-v2, with more links on the one and fewer on the other.
//
// Trainium1 was announced with 210 TFLOPS of bf16. The documents of April 2023 lowered it to 190 and have kept that.
import { atLaunch, type Fact, type FactOptions, factsOf } from '../fact.ts';
import { sources } from '../sources.ts';
import type { NeuronChip } from './chip.ts';

const coreV2 = factsOf(sources.coreV2);
const trainium1Page = factsOf(sources.trainium1);
const inferentia2Page = factsOf(sources.inferentia2);

const TFLOPS = 'TFLOPS';

/** The properties of one NeuronCore-v2, on either chip. */
const neuronCoreV2 = {
  kind: 'neuron',
  core: 'NeuronCore-v2',
  dataTypes: factsOf(sources.dataTypes)(
    ['f32', 'tf32', 'bf16', 'f16', 'u8', 'cf8 (e3, e4 or e5 with an adjustable bias)'] as readonly string[],
    undefined,
    { note: 'sums are in f32; results are rounded to nearest even or stochastically; 64-bit integers become 32-bit' },
  ),
  tensorPerCore: {
    rows: coreV2(128),
    columns: coreV2(128),
    moving: coreV2(512),
    clockGhz: coreV2(2.8, 'GHz'),
    peakTflops: {
      bf16: coreV2(92, TFLOPS, { note: '128 × 128 × 2 × 2.8 GHz = 91.75' }),
      f32: coreV2(23, TFLOPS),
    },
    slowdown: {
      f32: coreV2(4),
      tf32: trainium1Page(1, undefined, { note: 'from equal peaks' }),
      f16: trainium1Page(1, undefined, { note: 'from equal peaks' }),
      f8: trainium1Page(1, undefined, { note: 'from equal peaks: 8-bit floats save memory, not time' }),
    },
  },
  vectorPerCore: {
    lanes: coreV2(128),
    elementsPerCycle: coreV2(128, undefined, { note: 'for each input that is read' }),
    clockGhz: coreV2(1.12, 'GHz'),
    tflops: coreV2(2.3, TFLOPS),
  },
  scalarPerCore: {
    elementsPerCycle: coreV2(128),
    clockGhz: coreV2(1.4, 'GHz'),
    tflops: coreV2(2.9, TFLOPS),
  },
  gpsimdPerCore: {
    processors: coreV2(8),
    simdBits: coreV2(512),
    clockGhz: coreV2(1.4, 'GHz'),
    localKib: coreV2(64, 'KiB', { note: 'reached in 3 cycles' }),
  },
  sbufMibPerCore: coreV2(24, 'MiB', { note: '128 partitions of 192 KiB' }),
  psumMibPerCore: coreV2(2, 'MiB', { note: '128 partitions of 16 KiB, each 8 banks of 512 f32' }),
} as const satisfies Partial<NeuronChip>;

const lowered = (value: number): FactOptions<number> => ({
  alternatives: [atLaunch(value, 'Neuron documentation 2.3.0 (2022-10); lowered on 2023-04-26')],
});

export const trainium1: NeuronChip = {
  ...neuronCoreV2,
  name: 'trainium1',
  title: 'AWS Trainium1',
  released: factsOf('Neuron documentation 2.3.0, release notes')('2022-10'),
  cores: trainium1Page(2),
  peakTflops: {
    f32: trainium1Page(47.5, TFLOPS, {
      alternatives: [
        atLaunch(52.5, 'Neuron documentation 2.3.0 (2022-10)'),
        { value: 48, note: 'comparison table of trainium2.rst' },
      ],
    }),
    tf32: trainium1Page(190, TFLOPS, lowered(210)),
    bf16: trainium1Page(190, TFLOPS, {
      alternatives: [
        atLaunch(210, 'Neuron documentation 2.3.0 (2022-10); lowered on 2023-04-26'),
        { value: 191, note: 'comparison table of trainium2.rst' },
        { value: 180, note: 'the divisor of the MFU column in the training tables of 2.13 and 2.14' },
      ],
    }),
    f16: trainium1Page(190, TFLOPS, lowered(210)),
    f8: trainium1Page(190, TFLOPS, lowered(210)),
    int8: trainium1Page(380, 'TOPS', lowered(420)),
  },
  memoryGib: trainium1Page(32, 'GiB', { note: '2 stacks of HBM; written as 32 GB elsewhere' }),
  memoryGBs: trainium1Page(820, 'GB/s', { note: 'the documents mix GB and GiB' }),
  dma: {
    enginesPerCore: coreV2(16),
    totalGBs: trainium1Page(1000, 'GB/s'),
    engineGBs: coreV2(29, 'GB/s', {
      note: '27 GiB/s',
      uncertain: true,
      alternatives: [{ value: 17, note: 'nki-dma-overview.rst' }],
    }),
  },
  collectiveCores: coreV2(6),
  neuronLinkGBs: factsOf(`${sources.trn1}; comparison table of trainium2.rst`)(384, 'GB/s', {
    note: '4 links; 768 on trn1n.32xlarge',
    alternatives: [
      { value: 1536, note: 'Neuron documentation 2.10 (2023-05): four times as much, probably a sum over links' },
    ],
  }),
};

export const inferentia2: NeuronChip = {
  ...neuronCoreV2,
  name: 'inferentia2',
  title: 'AWS Inferentia2',
  madeFor: 'inference',
  cores: inferentia2Page(2),
  peakTflops: {
    f32: inferentia2Page(47.5, TFLOPS),
    tf32: inferentia2Page(190, TFLOPS),
    bf16: inferentia2Page(190, TFLOPS),
    f16: inferentia2Page(190, TFLOPS),
    f8: inferentia2Page(190, TFLOPS),
    int8: inferentia2Page(380, 'TOPS'),
  },
  memoryGib: inferentia2Page(32, 'GiB'),
  memoryGBs: inferentia2Page(820, 'GB/s'),
  dma: { enginesPerCore: coreV2(16), totalGBs: inferentia2Page(1000, 'GB/s') },
  neuronLinkGBs: factsOf(sources.inf2)(192, 'GB/s', { note: '2 links; written as GiB/s' }) satisfies Fact<number>,
};
