// Training runs on GPUs whose layouts and times were published: facts to compare predictions with.
import type { Machine } from '../../hardware/index.ts';
import { machineOf } from '../../hardware/index.ts';
import type { GpuSoftware } from '../engines/constants.ts';
import { globalBatchOf, type Layout } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import type { TransformerConfig, Workload } from '../workload.ts';
import { selene } from './megatron-a100.ts';

export interface PublishedGpuRun {
  readonly what: string;
  readonly workload: Workload;
  readonly machine: Machine;
  readonly nodes: number;
  readonly layout: Layout;
  readonly software: GpuSoftware;
  /** Seconds per step; undefined if it is only known that it ran. */
  readonly seconds: number | undefined;
  readonly source: string;
}

export const plain: Layout = {
  data: 1,
  tensor: 1,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: false,
  microBatch: 1,
  microBatches: 1,
  recompute: 'none',
};
const gpt = (
  name: string,
  shape: Partial<TransformerConfig> & Pick<TransformerConfig, 'layers' | 'hidden' | 'heads'>,
) => ({
  ...modelOf('gpt3-175b'),
  keyValueHeads: shape.heads,
  headSize: shape.hidden / shape.heads,
  feedForward: 4 * shape.hidden,
  vocabulary: 51200,
  ...shape,
  name,
});
const megatronWorkload = (model: TransformerConfig): Workload => ({
  model,
  run: { kind: 'training', sequence: 2048, optimizer: 'adam' },
  precision: 'bf16-mixed',
  attention: 'unfused',
});

/** FLOPs of a step as Megatron's papers count them, with full recomputation. */
const megatronFlops = ({ layers, hidden, vocabulary }: TransformerConfig, batch: number, s = 2048): number =>
  96 * batch * s * layers * hidden ** 2 * (1 + s / (6 * hidden) + vocabulary / (16 * layers * hidden));

// Narayanan et al. 2021, table 1. Micro-batches and chunks are not printed ("the optimal micro-batch size"): these are the ones
// that the simulator found fastest among those that fit.
const megatron2021 = (
  billions: string,
  [heads, hidden, layers]: readonly [number, number, number],
  [tensor, pipeline, gpus, batch]: readonly [number, number, number, number],
  teraflops: number,
  [microBatch, interleave]: readonly [number, number],
): PublishedGpuRun => {
  const model = gpt(`gpt-${billions}b`, { layers, hidden, heads });
  const data = gpus / (tensor * pipeline);
  const microBatches = batch / (data * microBatch);
  return {
    what: `${model.name}, ${gpus} × A100, TP ${tensor}, PP ${pipeline}`,
    workload: megatronWorkload(model),
    machine: selene(),
    nodes: gpus / 8,
    seconds: megatronFlops(model, batch) / (gpus * teraflops * 1e12),
    layout: { ...plain, tensor, pipeline, data, microBatch, microBatches, interleave, recompute: 'full' },
    software: 'megatron-2021',
    source: 'Narayanan et al. 2021, Megatron-LM, table 1',
  };
};

// Smith et al. 2022, section 2.4: 280, 350 and 420 DGX A100, batch 1920.
const mtNlg = (nodes: number, seconds: number): PublishedGpuRun => {
  const data = nodes / 35;
  return {
    what: `MT-NLG 530B, ${nodes} × DGX A100`,
    workload: megatronWorkload(modelOf('megatron-530b')),
    machine: selene(),
    nodes,
    layout: { ...plain, tensor: 8, pipeline: 35, data, microBatches: 1920 / data, recompute: 'full' },
    seconds,
    software: 'megatron-2021',
    source: 'Smith et al. 2022, Megatron-Turing NLG 530B, section 2',
  };
};

/** Eight A100-80GB per node; networks as in the sources, in bytes/s per node. */
const a100Nodes = (name: string, network: string, bandwidth: number): Machine => ({
  ...machineOf('p4de.24xlarge'),
  name,
  network: { name: network, bandwidth, latency: 5e-6 },
  prices: [],
});
const jeanZay = a100Nodes('Jean Zay, 8 × A100', '4 × Omni-Path', 50e9);
const bloom = gpt('bloom-176b', {
  layers: 70,
  hidden: 14336,
  heads: 112,
  vocabulary: 250880,
  positions: 0,
  dropout: false,
});
const llama405Job: Workload = {
  ...megatronWorkload(modelOf('llama3-405b')),
  run: { kind: 'training', sequence: 8192, optimizer: 'adamw' },
  attention: 'blocked',
};
const metaCluster: Machine = {
  ...machineOf('p5.48xlarge'),
  name: 'Grand Teton, 8 × H100',
  network: { name: '8 × 400 Gb/s RoCE', bandwidth: 400e9, latency: 5e-6 },
  prices: [],
};
const llama405 = (data: number, microBatches: number, teraflops: number, interleave: number): PublishedGpuRun => ({
  what: `Llama 3 405B, ${data * 128} × H100, interleaved ${interleave} ×`,
  workload: llama405Job,
  machine: metaCluster,
  nodes: data * 16,
  layout: { ...plain, data, tensor: 8, pipeline: 16, interleave, sequenceParallel: true, zero1: true, microBatches },
  // Printed: TFLOP/s per GPU. Counting 6 N and causal attention reproduces the paper's utilization.
  seconds: (2048 * 8192 * (6 * 405e9 + 6 * 126 * 16384 * 8192)) / (data * 128 * teraflops * 1e12),
  software: 'megatron-core',
  source: 'Grattafiori et al. 2024, The Llama 3 Herd of Models, table 4',
});

// MosaicML's tables of MPT, PyTorch with fully sharded weights: tokens per second and GPU.
const mpt = (name: string, layers: number, hidden: number, heads: number, sequence: number): TransformerConfig => ({
  ...gpt(`mpt-${name}`, {
    layers,
    hidden,
    heads,
    vocabulary: 50368,
    positions: sequence,
    dropout: false,
    biases: false,
  }),
});
const mptShapes = {
  '125m': [12, 768, 12],
  '350m': [24, 1024, 16],
  '760m': [24, 1536, 12],
  '1b': [24, 2048, 16],
  '3b': [32, 2560, 20],
  '7b': [32, 4096, 32],
  '13b': [40, 5120, 40],
  '30b': [48, 7168, 56],
  '70b': [80, 8192, 64],
} as const;
export const a100Roce = a100Nodes('8 × A100-80GB, 1,600 Gb/s RoCE', '8 × 200 Gb/s RoCE', 200e9);
export const h100Nodes: Machine = { ...metaCluster, name: '8 × H100-80GB' };
const mosaicMachines = { a100: a100Roce, 'a100-40': { ...machineOf('p4d.24xlarge'), prices: [] }, h100: h100Nodes };
export const llmFoundry = (
  gpu: keyof typeof mosaicMachines,
  model: keyof typeof mptShapes,
  sequence: number,
  gpus: number,
  microBatch: number,
  microBatches: number,
  own: Pick<Partial<Layout>, 'shard' | 'recompute'>,
  tokensPerGpu: number,
): PublishedGpuRun => {
  const [layers, hidden, heads] = mptShapes[model];
  const layout: Layout = { ...plain, data: gpus, zero1: true, shard: 'weights', microBatch, microBatches, ...own };
  const recomputed = layout.recompute === 'none' ? '' : ', recomputed';
  return {
    what: `MPT-${model}, ${sequence} tokens, ${gpus} × ${gpu.toUpperCase()}, ${microBatches} × ${microBatch}${recomputed}`,
    workload: {
      model: mpt(model, layers, hidden, heads, sequence),
      run: { kind: 'training', sequence, optimizer: 'adamw' },
      precision: 'bf16-mixed',
      attention: 'blocked',
    },
    machine: mosaicMachines[gpu],
    nodes: gpus / 8,
    layout,
    seconds: (globalBatchOf(layout) * sequence) / (gpus * tokensPerGpu),
    software: 'eager',
    source: 'MosaicML llm-foundry, training benchmarks',
  };
};

const llmC = (
  gpu: Machine,
  what: string,
  model: string,
  layout: Partial<Layout>,
  seconds: number,
): PublishedGpuRun => ({
  what,
  workload: {
    model: { ...modelOf(model), vocabulary: 50304, dropout: false },
    run: { kind: 'training', sequence: 1024, optimizer: 'adamw' },
    precision: 'bf16-mixed',
    attention: 'blocked',
  },
  machine: gpu,
  nodes: 1,
  layout: { ...plain, data: 8, zero1: true, ...layout },
  seconds,
  software: 'llm.c',
  source: 'Karpathy, llm.c, logs of its runs',
});

export const publishedGpuRuns: readonly PublishedGpuRun[] = [
  megatron2021('1.7', [24, 2304, 24], [1, 1, 32, 512], 137, [16, 1]),
  megatron2021('3.6', [32, 3072, 30], [2, 1, 64, 512], 138, [16, 1]),
  megatron2021('7.5', [32, 4096, 36], [4, 1, 128, 512], 142, [16, 1]),
  megatron2021('18.4', [48, 6144, 40], [8, 1, 256, 1024], 135, [16, 1]),
  megatron2021('39.1', [64, 8192, 48], [8, 2, 512, 1536], 138, [8, 6]),
  megatron2021('76.1', [80, 10240, 60], [8, 4, 1024, 1792], 140, [2, 5]),
  megatron2021('145.6', [96, 12288, 80], [8, 8, 1536, 2304], 148, [4, 5]),
  megatron2021('310.1', [128, 16384, 96], [8, 16, 1920, 2160], 155, [1, 6]),
  megatron2021('529.6', [128, 20480, 105], [8, 35, 2520, 2520], 163, [2, 3]),
  megatron2021('1008.0', [160, 25600, 128], [8, 64, 3072, 3072], 163, [2, 2]),
  mtNlg(280, 60.1),
  mtNlg(350, 50.2),
  mtNlg(420, 44.4),
  {
    what: 'BLOOM-176B, 48 × 8 A100',
    workload: megatronWorkload(bloom),
    machine: jeanZay,
    nodes: 48,
    layout: {
      ...plain,
      data: 8,
      tensor: 4,
      pipeline: 12,
      zero1: true,
      microBatch: 2,
      microBatches: 128,
      recompute: 'full',
    },
    seconds: 105,
    software: 'megatron-2021',
    source: 'Scao et al. 2022, BLOOM, section 3.4; BigScience, logs of training',
  },
  {
    what: 'OPT-175B, 124 × 8 A100',
    workload: megatronWorkload(gpt('opt-175b', { layers: 96, hidden: 12288, heads: 96, vocabulary: 50272 })),
    machine: a100Nodes('8 × A100-80GB', '8 × HDR InfiniBand', 200e9),
    nodes: 124,
    layout: { ...plain, data: 124, tensor: 8, zero1: true, shard: 'weights', microBatch: 8, recompute: 'full' },
    // 147 TFLOP/s per GPU, counted as Megatron counts.
    seconds:
      megatronFlops(gpt('opt-175b', { layers: 96, hidden: 12288, heads: 96, vocabulary: 50272 }), 992) / (992 * 147e12),
    software: 'eager',
    source: 'Zhang et al. 2022, OPT, section 2.4',
  },
  {
    what: 'GPT-NeoX-20B, 12 × 8 A100-40GB',
    workload: megatronWorkload(
      gpt('gpt-neox-20b', { layers: 44, hidden: 6144, heads: 64, vocabulary: 50432, positions: 0, tiedHead: false }),
    ),
    machine: { ...machineOf('p4d.24xlarge'), name: '8 × A100-40GB', prices: [] },
    nodes: 12,
    layout: {
      ...plain,
      data: 12,
      tensor: 2,
      pipeline: 4,
      zero1: true,
      microBatch: 4,
      microBatches: 32,
      recompute: 'full',
    },
    seconds: undefined,
    software: 'megatron-2021',
    source: 'Black et al. 2022, GPT-NeoX-20B, section 3',
  },
  // Its interleaving was not published. It fits in memory only without interleaving, so its time is not meaningful.
  { ...llama405(64, 32, 430, 1), seconds: undefined },
  llama405(128, 16, 400, 7),
  llmFoundry('a100', '125m', 2048, 8, 32, 2, {}, 141_737),
  llmFoundry('a100', '350m', 2048, 8, 32, 2, {}, 58_782),
  llmFoundry('a100', '760m', 2048, 8, 24, 2, {}, 32_434),
  llmFoundry('a100', '1b', 2048, 8, 14, 4, {}, 20_513),
  llmFoundry('a100', '3b', 2048, 8, 10, 2, {}, 10_811),
  llmFoundry('a100', '7b', 2048, 8, 6, 2, {}, 4641),
  llmFoundry('a100', '7b', 4096, 8, 16, 2, { recompute: 'full' }, 3684),
  llmFoundry('a100', '13b', 2048, 8, 2, 3, {}, 2262),
  llmFoundry('a100', '13b', 1024, 8, 40, 3, { recompute: 'full' }, 2330),
  llmFoundry('a100', '30b', 2048, 8, 3, 21, { recompute: 'full' }, 916),
  llmFoundry('a100', '70b', 2048, 64, 8, 4, { recompute: 'full' }, 410),
  llmFoundry('h100', '760m', 2048, 8, 24, 2, {}, 63_147),
  llmFoundry('h100', '1b', 2048, 8, 14, 1, {}, 45_455),
  llmFoundry('h100', '3b', 2048, 16, 10, 3, {}, 24_142),
  llmFoundry('h100', '7b', 2048, 8, 6, 1, {}, 10_643),
  llmFoundry('h100', '13b', 2048, 8, 2, 1, {}, 4792),
  llmFoundry('h100', '13b', 2048, 64, 2, 1, {}, 4800),
  llmFoundry('h100', '30b', 2048, 8, 3, 21, { recompute: 'full' }, 2002),
  llmFoundry('h100', '70b', 2048, 64, 8, 4, { recompute: 'full' }, 1039),
  llmC(a100Roce, 'GPT-2 124M with llm.c, 8 × A100', 'gpt2', { microBatch: 64 }, 0.276),
  llmC(h100Nodes, 'GPT-2 124M with llm.c, 8 × H100', 'gpt2', { microBatch: 64 }, 0.14),
  llmC(h100Nodes, 'GPT-2 1558M with llm.c, 8 × H100', 'gpt2-xl', { microBatch: 16, microBatches: 8 }, 2.8),
];
