// For tests: a simulator small enough to compute by hand. A step is the model's multiplies at half of the peak, plus a tenth of
// that for each doubling of the tensor-parallel size and the pipeline's bubble; memory is 18 bytes a parameter, split by tensor
// and pipeline, and activations.
import { usd } from '../../base/money.ts';
import type { Machine, Price } from '../../hardware/machine.ts';
import { devicesOf, globalBatchOf } from '../layout.ts';
import type { Bound, Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';
import type { MemoryKind, Phase } from '../run.ts';
import type { TransformerConfig, Workload } from '../workload.ts';

export const smallModel: TransformerConfig = {
  kind: 'transformer',
  name: 'small-gpt',
  layers: 8,
  hidden: 512,
  heads: 8,
  keyValueHeads: 8,
  headSize: 64,
  feedForward: 2048,
  gated: false,
  activation: 'gelu',
  normalization: 'layer-norm',
  biases: true,
  causal: true,
  dropout: false,
  vocabulary: 32_000,
  positions: 1024,
  segments: 0,
  tiedHead: true,
  head: { kind: 'causal-lm' },
  patches: undefined,
  experts: undefined,
};
export const smallWorkload: Workload = {
  model: smallModel,
  run: { kind: 'training', sequence: 1024, optimizer: 'adamw' },
  precision: 'bf16-mixed',
  attention: 'blocked',
};
const parameters = 12 * 8 * 512 ** 2 + 32_000 * 512;

export const testPrice = (kind: Price['kind'], dollars: number, more: Partial<Price> = {}): Price => ({
  kind,
  service: 'ec2',
  perHour: usd(dollars),
  date: '2026-07-20',
  source: 'a price list',
  uncertain: false,
  ...more,
});

export function testMachine(name: string, more: Partial<Machine> = {}): Machine {
  return {
    name,
    profile: 'docs',
    device: {
      kind: 'gpu',
      name: 'Chip',
      peakFlops: { f32: 1e13, bf16: 1e14 },
      memoryBytes: 16e9,
      memoryBandwidth: 1e12,
      watts: 400,
      multiprocessors: 100,
      clock: 1e9,
      sustained: 1,
      vectorFlops: 1e13,
      cacheBytes: 4e7,
    },
    chips: 8,
    devicesPerChip: 1,
    devices: 8,
    fabric: { kind: 'switch', name: 'switch', bandwidth: 3e11, latency: 5e-6 },
    network: { name: 'network', bandwidth: 5e10, latency: 2e-5 },
    hostCpus: 96,
    hostMemoryBytes: 1e12,
    prices: [testPrice('on-demand', 10)],
    ...more,
  };
}

const phasesOf = (times: Partial<Record<Phase, number>>): Record<Phase, number> => ({
  forward: 0,
  backward: 0,
  recompute: 0,
  'layer collectives': 0,
  'pipeline send/recv': 0,
  'pipeline bubble': 0,
  'gradient collectives': 0,
  optimizer: 0,
  overhead: 0,
  'data loading': 0,
  ...times,
});
const boundsOf = (times: Partial<Record<Bound, number>>): Record<Bound, number> => ({
  'tensor engine': 0,
  'vector engine': 0,
  'scalar engine': 0,
  memory: 0,
  'intra-node links': 0,
  network: 0,
  bubble: 0,
  launch: 0,
  host: 0,
  stragglers: 0,
  storage: 0,
  ...times,
});
const memoryOf = (bytes: Partial<Record<MemoryKind, number>>): Record<MemoryKind, number> => ({
  weights: 0,
  gradients: 0,
  'master weights': 0,
  'optimizer state': 0,
  activations: 0,
  temporaries: 0,
  'program and runtime': 0,
  ...bytes,
});

export function fakePredict({ workload, machine, nodes, layout }: StepQuestion): Prediction {
  const { model } = workload;
  const sequence = model.kind === 'program' ? 1 : workload.run.sequence;
  const samples = globalBatchOf(layout);
  const devices = devicesOf(layout);
  const modelFlops = 6 * parameters * samples * sequence;
  const peak = machine.device.peakFlops.bf16 ?? machine.device.peakFlops.f32;
  const compute = modelFlops / devices / (peak / 2);
  const forward = compute / 3;
  const backward = compute - forward;
  const recompute = layout.recompute === 'full' ? forward : layout.recompute === 'selective' ? forward / 10 : 0;
  const collectives = (compute * Math.log2(layout.tensor)) / 10;
  const bubble = ((layout.pipeline - 1) / (layout.microBatches * layout.interleave)) * compute;
  const gradients = layout.data > 1 ? 1e-3 : 0;
  const stepSeconds = compute + recompute + collectives + bubble + gradients;
  const split = layout.tensor * layout.pipeline;
  const byKind = memoryOf({
    weights: (2 * parameters) / split,
    gradients: (4 * parameters) / split,
    'optimizer state': (12 * parameters) / split / (layout.zero1 ? layout.data : 1),
    activations: (layout.microBatch * sequence * 512 * 34 * (layout.recompute === 'none' ? 8 : 1)) / layout.tensor,
  });
  const total = Object.values(byKind).reduce((sum, bytes) => sum + bytes, 0);
  const capacity = machine.device.memoryBytes;
  return {
    machine,
    nodes,
    layout,
    model: model.name,
    stepSeconds,
    byPhase: phasesOf({
      forward,
      backward,
      recompute,
      'layer collectives': collectives,
      'pipeline bubble': bubble,
      'gradient collectives': gradients,
    }),
    byBound: boundsOf({
      'tensor engine': compute + recompute,
      'intra-node links': collectives,
      bubble,
      network: gradients,
    }),
    samplesPerStep: samples,
    tokensPerStep: samples * sequence,
    samplesPerSecond: samples / stepSeconds,
    modelFlops,
    hardwareFlops: modelFlops,
    mfu: modelFlops / (stepSeconds * devices * peak),
    dataLoading: undefined,
    memory: {
      byKind,
      total,
      capacity,
      fits: total <= capacity,
      spare: capacity - total,
      remedies: total <= capacity ? [] : ['split the model over 2 devices'],
    },
    joules: machine.device.watts === undefined ? undefined : machine.device.watts * devices * stepSeconds,
    assumptions: ['Half of the peak is reached.'],
    timeline: () => ({
      seconds: stepSeconds,
      lanes: [{ group: 'stage 0', name: 'compute', kind: 'compute' }],
      tasks: [
        { lane: 0, name: 'forward', phase: 'forward', start: 0, end: forward },
        { lane: 0, name: 'backward', phase: 'backward', start: forward, end: forward + backward },
      ],
    }),
  };
}
