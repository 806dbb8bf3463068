// Trainium2: eight NeuronCores-v3.
//
// Announced with 5.2 PFLOPS of sparse fp8, four times the dense rate; later documents say 2.563, twice the dense rate.
import { atLaunch, factsOf } from '../fact.ts';
import { sources } from '../sources.ts';
import type { NeuronChip } from './chip.ts';

const chip = factsOf(sources.trainium2);
const core = factsOf(sources.coreV3);
const corePage = factsOf(sources.coreV3Page);

const TFLOPS = 'TFLOPS';

export const trainium2: NeuronChip = {
  kind: 'neuron',
  name: 'trainium2',
  title: 'AWS Trainium2',
  core: 'NeuronCore-v3',
  released: chip('2024-12'),
  cores: chip(8),
  peakTflops: {
    f32: chip(181, TFLOPS),
    tf32: chip(667, TFLOPS),
    bf16: chip(667, TFLOPS),
    f16: chip(667, TFLOPS),
    f8: chip(1299, TFLOPS, {
      note: 'with 4 or 5 bits of exponent; with 3 the rate is that of bf16',
      alternatives: [
        atLaunch(1300, `${sources.trn2Launch}: 1.3 PFLOPS`),
        { value: 1287, note: 'documents of the beta' },
      ],
    }),
    sparse: chip(2563, TFLOPS, {
      note: 'f8, f16, bf16 and tf32',
      alternatives: [
        atLaunch(5200, `${sources.trn2Launch}: 5.2 PFLOPS`),
        { value: 2551, note: 'documents of the beta' },
      ],
    }),
  },
  dataTypes: factsOf(sources.dataTypes)(
    ['f32', 'tf32', 'bf16', 'f16', 'f8e5m2', 'f8e4m3', 'f8e3m4', 'u8', 'cf8 (e3, e4 or e5 with an adjustable bias)'],
    undefined,
    { note: 'sums are in f32; results are rounded to nearest even or stochastically' },
  ),
  sparsityPatterns: corePage(['4:16', '4:12', '4:8', '2:8', '2:4', '1:4', '1:2']),
  memoryGib: chip(96, 'GiB', { note: '4 stacks of 24, each of two cores' }),
  memoryGBs: chip(2900, 'GB/s', { alternatives: [{ value: 3000, note: 'NKI guide' }] }),
  tensorPerCore: {
    rows: core(128),
    columns: core(128),
    moving: core(512),
    clockGhz: core(2.4, 'GHz'),
    peakTflops: {
      f8: corePage(158, TFLOPS),
      bf16: corePage(79, TFLOPS, { note: '128 × 128 × 2 × 2.4 GHz = 78.6' }),
      f32: corePage(20, TFLOPS),
      sparse: corePage(316, TFLOPS),
    },
    slowdown: {
      f32: corePage(4, undefined, { note: 'from the peaks: 79 against 20' }),
      tf32: chip(1, undefined, { note: 'from equal peaks' }),
      f16: chip(1, undefined, { note: 'from equal peaks' }),
      f8: core(0.5, undefined, { note: 'two rows of K a cycle: the array is 256 deep for 8-bit floats' }),
    },
  },
  vectorPerCore: {
    lanes: core(128),
    elementsPerCycle: core(256),
    elementsPerCycleBf16: core(512),
    clockGhz: core(0.96, 'GHz'),
    tflops: core(1, TFLOPS),
  },
  scalarPerCore: { elementsPerCycle: core(128), clockGhz: core(1.2, 'GHz'), tflops: core(1.2, TFLOPS) },
  gpsimdPerCore: {
    processors: core(8),
    simdBits: core(512),
    clockGhz: core(1.2, 'GHz'),
    ownDmaGBs: core(307, 'GB/s'),
  },
  sbufMibPerCore: core(28, 'MiB', { note: '128 partitions of 224 KiB' }),
  psumMibPerCore: core(2, 'MiB'),
  dma: {
    enginesPerCore: core(16),
    totalGBs: chip(3500, 'GB/s'),
    engineGBs: factsOf(sources.dmaOverview)(23, 'GB/s'),
  },
  collectiveCores: chip(16, undefined, { uncertain: true, alternatives: [{ value: 20, note: 'NKI guide' }] }),
  neuronLinkGBs: factsOf(`${sources.trainium2}; ${sources.trn2}`)(1280, 'GB/s', {
    note: '1,024 inside an instance (4 links), 256 between the instances of an UltraServer (2 links)',
    alternatives: [
      { value: 1, note: `${sources.trn2Launch}, of the links inside an instance: 1 TB/s is meant (1,024)` },
    ],
  }),
  coresPerLogicalCore: factsOf(sources.logicalCores)([1, 2], undefined, {
    note: 'the documents default to 2: pairs of cores with 24 GiB',
  }),
};
