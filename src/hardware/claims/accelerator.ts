// Claims about chips and their cores.
import { trainium1 } from '../chips/trainium1.ts';
import { trainium2 } from '../chips/trainium2.ts';
import type { Claim } from './claim.ts';
import { chipFigure, figure } from './sums.ts';
import { where } from './where.ts';

const section = 'The accelerator';
const engines = ['tensorPerCore', 'vectorPerCore', 'scalarPerCore', 'gpsimdPerCore'] as const;

export const acceleratorClaims: readonly Claim[] = [
  {
    section,
    what: 'engines of a NeuronCore',
    where: where.sageMaker,
    printed: '4',
    unit: 'engines',
    compute: () => engines.filter(engine => engine in trainium1).length,
    how: 'tensor, vector, scalar and GPSIMD',
  },
  {
    section,
    what: 'NeuronCores of Trainium1',
    where: where.trn1,
    printed: '2',
    unit: 'cores',
    compute: figure(trainium1.cores),
    how: trainium1.cores.source,
  },
  {
    section,
    what: 'memory of Trainium1',
    where: where.trn1,
    printed: '32',
    unit: 'GB',
    computedUnit: 'GiB',
    compute: figure(trainium1.memoryGib),
    how: `${trainium1.memoryGib.source}; in GB 34.4`,
  },
  {
    section,
    what: 'data types of Trainium1',
    where: where.trn1,
    printed: '6',
    unit: 'formats',
    compute: () => trainium1.dataTypes.value.length,
    how: 'f32, tf32, bf16, f16, u8 and configurable 8-bit floats',
  },
  {
    section,
    what: 'gain of stochastic rounding in bf16',
    where: where.trn1,
    printed: '30',
    unit: '%',
    bound: 'up to',
    compute: undefined,
    how: 'depends on the model: bf16 multiplies are four times as fast as f32, memory traffic is halved',
  },
  {
    section,
    what: 'NeuronCores of Trainium2',
    where: where.trn2,
    printed: '8',
    unit: 'cores',
    compute: figure(trainium2.cores),
    how: trainium2.cores.source,
  },
  {
    section,
    what: 'physical cores per logical core',
    where: where.trn2,
    printed: '2',
    unit: 'cores',
    bound: 'up to',
    compute: () => Math.max(...trainium2.coresPerLogicalCore!.value),
    how: 'logical NeuronCore configuration 1 or 2',
  },
  {
    section,
    what: 'memory of Trainium2',
    where: where.trn2,
    printed: '96',
    unit: 'GiB',
    compute: figure(trainium2.memoryGib),
    how: trainium2.memoryGib.source,
  },
  {
    section,
    what: 'memory bandwidth of Trainium2',
    where: where.trn2,
    printed: '2.9',
    unit: 'TB/s',
    compute: figure(trainium2.memoryGBs, 1e-3),
    how: trainium2.memoryGBs.source,
  },
  {
    section,
    what: 'share of that bandwidth that programs reach',
    where: where.trn2,
    printed: '95',
    unit: '%',
    bound: 'up to',
    compute: undefined,
    how: 'a property of the memory controller; it has to be measured',
  },
  {
    section,
    what: 'dense f8 of Trainium2',
    where: where.trn2,
    printed: '1.3',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: chipFigure('trainium2', c => c.peakTflops.f8, 1e-3),
    how: '1,299 TFLOPS today, 1,300 at launch',
  },
  {
    section,
    what: 'sparse f8 of Trainium2',
    where: where.trn2,
    printed: '5.2',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: chipFigure('trainium2', c => c.peakTflops.sparse, 1e-3),
    how: '2,563 TFLOPS today, 5,200 at launch',
    contradiction:
      '5.2 PFLOPS is the launch figure: four times the dense rate. Today’s documents say 2.563, not quite twice the dense rate.',
  },
];
