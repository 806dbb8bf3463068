// Trainium3: eight NeuronCores-v4. Its fast formats are the block-scaled ones (MXFP8, MXFP4), listed as f8 and f4.
import { factsOf } from '../fact.ts';
import { sources } from '../sources.ts';
import type { NeuronChip } from './chip.ts';

const chip = factsOf(sources.trainium3);
const core = factsOf(sources.coreV4);

const TFLOPS = 'TFLOPS';

export const trainium3: NeuronChip = {
  kind: 'neuron',
  name: 'trainium3',
  title: 'AWS Trainium3',
  core: 'NeuronCore-v4',
  released: chip('2025-12', undefined, { uncertain: true }),
  cores: chip(8),
  peakTflops: {
    f32: chip(183, TFLOPS),
    tf32: chip(671, TFLOPS),
    bf16: chip(671, TFLOPS),
    f16: chip(671, TFLOPS),
    f8: chip(2517, TFLOPS, { note: 'MXFP8' }),
    f4: chip(2517, TFLOPS, { note: 'MXFP4: no faster than MXFP8' }),
    sparse: chip(2517, TFLOPS, { note: '16-bit formats' }),
  },
  dataTypes: factsOf(sources.dataTypes)(
    ['f32', 'tf32', 'bf16', 'f16', 'f8e5m2', 'f8e4m3', 'f8e3m4', 'mxfp8', 'mxfp4'],
    undefined,
    { note: 'block-scaled formats (MX) are on NeuronCore-v4 only' },
  ),
  memoryGib: chip(144, 'GiB'),
  memoryGBs: chip(4900, 'GB/s', { alternatives: [{ value: 4700, note: 'NKI guide' }] }),
  tensorPerCore: {
    rows: core(128),
    columns: core(128),
    moving: core(512, undefined, { note: 'taken from NeuronCore-v3: the size of PSUM is the same', uncertain: true }),
    clockGhz: core(2.4, 'GHz'),
    peakTflops: { f8: factsOf(sources.coreV4Page)(315, TFLOPS) },
    slowdown: {
      f32: chip(4, undefined, { note: 'as on NeuronCore-v3', uncertain: true }),
      tf32: chip(1, undefined, { note: 'from equal peaks' }),
      f16: chip(1, undefined, { note: 'from equal peaks' }),
      f8: core(0.25, undefined, { note: 'MXFP8: 8 × 128 elements a cycle, where bf16 takes 2 × 128' }),
    },
  },
  vectorPerCore: {
    lanes: core(128),
    elementsPerCycle: core(256),
    elementsPerCycleBf16: core(512),
    clockGhz: core(1.2, 'GHz'),
  },
  scalarPerCore: { elementsPerCycle: core(128), elementsPerCycleFast: core(256), clockGhz: core(1.2, 'GHz') },
  gpsimdPerCore: { processors: core(8), clockGhz: core(1.2, 'GHz') },
  sbufMibPerCore: core(32, 'MiB'),
  psumMibPerCore: core(2, 'MiB'),
  dma: {
    enginesPerCore: chip(16),
    totalGBs: chip(4900, 'GB/s'),
    engineGBs: factsOf(sources.dmaOverview)(33, 'GB/s'),
  },
  collectiveCores: chip(16, undefined, { uncertain: true, alternatives: [{ value: 20, note: 'NKI guide' }] }),
  neuronLinkGBs: chip(2560, 'GB/s'),
  coresPerLogicalCore: factsOf(sources.logicalCores)([1, 2], undefined, { note: 'the documents default to 2' }),
};
