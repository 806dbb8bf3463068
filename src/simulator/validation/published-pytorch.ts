// Training runs of 2023 to 2026 on A100 and H100, mostly PyTorch, with the facts that their authors print. What a source does
// not print is said in the row's comment. Not here, because a plan cannot describe them: context parallelism, LoRA, async
// tensor parallelism, DualPipe, other accelerators, and runs whose layout was not published.
import { type Machine, machineOf } from '../../hardware/index.ts';
import type { Gpu } from '../../hardware/machine.ts';
import type { GpuSoftware } from '../engines/constants.ts';
import { globalBatchOf, type Layout } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import type { TransformerConfig, Workload } from '../workload.ts';
import { a100Roce, h100Nodes, llmFoundry, type PublishedGpuRun, plain } from './published-gpu.ts';

type Shape = Pick<TransformerConfig, 'layers' | 'hidden' | 'heads' | 'keyValueHeads' | 'feedForward'>;
const llama = (name: string, vocabulary: number, shape: Shape): TransformerConfig => ({
  ...modelOf('llama2-7b'),
  headSize: shape.hidden / shape.heads,
  vocabulary,
  ...shape,
  name,
});

interface Row {
  readonly machine: Machine;
  readonly gpus: number;
  readonly model: TransformerConfig;
  readonly sequence: number;
  readonly layout: Partial<Layout>;
  readonly software: GpuSoftware;
  readonly source: string;
  readonly precision?: Workload['precision'];
  /** One of: tokens per second and GPU, seconds per step. */
  readonly tokens?: number;
  readonly seconds?: number;
}

const sharded = { zero1: true, shard: 'weights' } as const;

function row(what: string, of: Row): PublishedGpuRun {
  const { machine, gpus, model, sequence, software, source, precision = 'bf16-mixed' } = of;
  const layout = { ...plain, ...of.layout };
  return {
    what,
    workload: { model, run: { kind: 'training', sequence, optimizer: 'adamw' }, precision, attention: 'blocked' },
    machine,
    nodes: gpus / machine.devices,
    layout,
    seconds: of.seconds ?? (globalBatchOf(layout) * sequence) / (gpus * of.tokens!),
    software,
    source,
  };
}

// torchtitan's GPUs: H100 with 96 GB of HBM2e, limited to 500 W. 2.4 TB/s: six stacks of the PCIe card's; it has five with 2.0.
const h100 = h100Nodes.device as Gpu;
const h100At500W: Machine = {
  ...h100Nodes,
  name: '8 × H100-96GB, 500 W',
  device: { ...h100, name: 'H100 96 GB, 500 W', memoryBytes: 96 * 2 ** 30, memoryBandwidth: 2.4e12, limitedTo: 500 },
};
const torchtitan = (gpus: number, software: GpuSoftware, layout: Partial<Layout>, tokens: number, fp8 = false) =>
  row(`Llama 3 ${gpus < 256 ? '8B' : '70B'}, ${gpus} × H100 at 500 W, torchtitan${fp8 ? ', FP8' : ''}`, {
    machine: h100At500W,
    gpus,
    model: modelOf(gpus < 256 ? 'llama3-8b' : 'llama3-70b'),
    sequence: 8192,
    layout: { ...sharded, ...layout },
    software,
    source: 'torchtitan, benchmarks, 2024-12 and 2025-06',
    tokens,
    precision: fp8 ? 'fp8' : 'bf16-mixed',
  });

// llama-1B of nanotron's benchmarks: 24 layers of 2,048 (inferred from its FLOPs per token), batch of 1,024 × 4,096 tokens. The
// vocabulary is that of SmolLM (assumed). Gradients are accumulated in f32.
const nanotron = (gpus: number, layout: Partial<Layout>, seconds: number): PublishedGpuRun => {
  const { data = 1, tensor = 1, pipeline = 1, microBatch = 1 } = layout;
  return row(
    `llama-1B, nanotron, ${gpus} × H100, DP ${data}, TP ${tensor}, PP ${pipeline}, micro-batches of ${microBatch}`,
    {
      machine: machineOf('p5.48xlarge'),
      gpus,
      model: {
        ...llama('llama-1b', 49152, { layers: 24, hidden: 2048, heads: 32, keyValueHeads: 32, feedForward: 4096 }),
        tiedHead: true,
      },
      sequence: 4096,
      layout: { zero1: data > 1, sequenceParallel: tensor > 1, ...layout, microBatches: 1024 / (data * microBatch) },
      software: 'nanotron',
      source: 'Hugging Face, nanotron, old_bench (the Ultra-Scale Playbook)',
      seconds,
    },
  );
};

const inFp8 = (run: PublishedGpuRun): PublishedGpuRun => ({
  ...run,
  what: `${run.what}, FP8`,
  workload: { ...run.workload, precision: 'fp8' },
});

const ibm = { machine: h100Nodes, gpus: 96, sequence: 4096, software: 'compiled' } as const;

export const publishedPyTorchRuns: readonly PublishedGpuRun[] = [
  torchtitan(8, 'eager', { data: 8, microBatch: 2, recompute: 'selective' }, 5762),
  torchtitan(8, 'compiled', { data: 8, microBatch: 2, recompute: 'selective' }, 8532, true),
  torchtitan(128, 'eager', { data: 128, microBatch: 2, recompute: 'selective' }, 5605),
  torchtitan(
    256,
    'compiled',
    { data: 32, tensor: 8, sequenceParallel: true, microBatch: 16, recompute: 'full' },
    597.3,
  ),
  llmFoundry('h100', '30b', 2048, 256, 8, 1, { recompute: 'full' }, 2148),
  llmFoundry('h100', '7b', 2048, 128, 6, 1, {}, 10_475),
  llmFoundry('h100', '3b', 2048, 512, 8, 1, { shard: 'gradients' }, 21_664),
  llmFoundry('h100', '13b', 32_768, 8, 1, 3, { recompute: 'full' }, 1976),
  llmFoundry('h100', '7b', 8192, 8, 8, 2, { recompute: 'full' }, 6935),
  llmFoundry('a100-40', '1b', 2048, 8, 8, 8, {}, 19_271),
  inFp8(llmFoundry('h100', '3b', 2048, 8, 10, 6, {}, 30_586)),
  row('Llama 3 8B, 32 × H200, torchtitan, FP8', {
    machine: machineOf('p5en.48xlarge'),
    gpus: 32,
    model: modelOf('llama3-8b'),
    sequence: 8192,
    // Recomputation is not printed: torchtitan's default.
    layout: { ...sharded, data: 32, microBatch: 2, recompute: 'selective' },
    software: 'compiled',
    precision: 'fp8',
    source: 'torchtitan, benchmarks, Trainy and WhiteFiber, 2025-06',
    tokens: 10_938,
  }),
  row('GPT-3 175B, 512 × H100, NeMo, FP8', {
    machine: h100Nodes,
    gpus: 512,
    model: modelOf('megatron-175b'),
    sequence: 2048,
    layout: {
      data: 16,
      tensor: 4,
      pipeline: 8,
      interleave: 6,
      sequenceParallel: true,
      zero1: true,
      microBatch: 2,
      microBatches: 64,
    },
    software: 'megatron-core',
    precision: 'fp8',
    source: 'NVIDIA NeMo, performance summary 24.07',
    tokens: 832,
  }),
  row('Llama 2 7B, fms-fsdp, 96 × H100', {
    ...ibm,
    model: modelOf('llama2-7b'),
    // Sharded within each instance (assumed: the default).
    layout: { ...sharded, data: 96, replicas: 12, microBatch: 2 },
    source: 'IBM, fms-fsdp, README: HSDP, no recomputation, 800 Gb/s per node',
    tokens: 9600,
  }),
  row('Llama 2 34B, fms-fsdp, 96 × H100', {
    ...ibm,
    model: llama('llama2-34b', 32_000, {
      layers: 48,
      hidden: 8192,
      heads: 64,
      keyValueHeads: 8,
      feedForward: 22_016,
    }),
    // "Selective" is every n-th layer there; n is not printed: 2 fits in memory.
    layout: { ...sharded, data: 96, microBatch: 2, recompute: 'full', recomputeEvery: 2 },
    source: 'IBM, fms-fsdp, README: FSDP, selective recomputation',
    tokens: 1830,
  }),
  row('TinyLlama 1.1B, 16 × A100-40GB', {
    machine: machineOf('p4d.24xlarge'),
    gpus: 16,
    model: llama('tinyllama-1.1b', 32_000, {
      layers: 22,
      hidden: 2048,
      heads: 32,
      keyValueHeads: 4,
      feedForward: 5632,
    }),
    sequence: 2048,
    layout: { ...sharded, data: 16, microBatch: 8, microBatches: 4 },
    // Fused norms, rotations, activations and losses.
    software: 'compiled',
    source: 'TinyLlama, README (the network is not printed: that of a p4d is assumed)',
    tokens: 24_000,
  }),
  nanotron(8, { data: 2, pipeline: 4, microBatch: 4 }, 22),
  nanotron(8, { data: 2, tensor: 4, microBatch: 8 }, 18.8),
  nanotron(64, { tensor: 8, pipeline: 8, microBatch: 16 }, 18.8),
  row('Llama 2 7B, MaxText, 128 × H100', {
    machine: { ...a100Roce, name: 'A3, 8 × H100, 8 × 200 Gb/s', device: h100, fabric: h100Nodes.fabric },
    gpus: 128,
    model: modelOf('llama2-7b'),
    sequence: 4096,
    // The batch is not printed: four sequences per GPU are assumed.
    layout: { ...sharded, data: 128, microBatch: 4 },
    software: 'compiled',
    source: 'Google, MaxText, GPU configurations, A3',
    // 375 TFLOP/s per GPU, counting 6 N and all scores of attention.
    tokens: 375e12 / (6 * 6.74e9 + 12 * 32 * 4096 * 4096),
  }),
  row('Olmo 3 32B, 1,024 × H100', {
    machine: h100Nodes,
    gpus: 1024,
    model: llama('olmo3-32b', 100_352, {
      layers: 64,
      hidden: 5120,
      heads: 40,
      keyValueHeads: 8,
      feedForward: 27_648,
    }),
    sequence: 8192,
    // One sequence per GPU; recomputation and the size of a shard (64) are assumed.
    layout: { ...sharded, data: 1024, replicas: 16, recompute: 'selective' },
    software: 'compiled',
    source: 'Olmo 3 technical report, as quoted by muxup.com: HSDP, torch.compile',
    tokens: 1900,
  }),
];
