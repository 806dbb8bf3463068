// Published layouts of training software, from which defaults are chosen. A recipe allows only the
// sizes of its runs; unpublished layouts are left to the search.
//
// Not here: context parallelism, which the simulator does not model, and FSDP (ZeRO-3), which is set by --shard.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { Device } from '../../hardware/machine.ts';
import type { GpuSoftware } from '../engines/constants.ts';
import type { Layout, Recomputation } from '../layout.ts';
import type { LayoutSpace } from './layouts.ts';

/** One published configuration. */
export interface PublishedRun {
  /** The model. */
  readonly model: string;
  /** The number of devices. */
  readonly devices: number;
  /** The number of devices that share each layer. */
  readonly tensor: number;
  /** The number of pipeline stages. */
  readonly pipeline: number;
  /** Chunks of the model on each stage: above 1, the interleaved schedule. */
  readonly interleave: number;
}

/** The layouts that a published training software uses. */
export interface Recipe {
  /** The name. */
  readonly name: string;
  /** The training software. */
  readonly software: string;
  /** The kind of device. */
  readonly device: Device['kind'];
  /** Its kernels and host overhead are used in predictions on GPUs if the recipe was named. */
  readonly gpuSoftware?: GpuSoftware;
  /** The published runs. */
  readonly runs: readonly PublishedRun[];
  /** The recomputations that are tried. */
  readonly recompute: readonly Recomputation[];
  /** Whether a divided optimizer state is tried. */
  readonly zero1: readonly boolean[];
  /** Norms and dropout split along the sequence wherever layers are split. */
  readonly sequenceParallel: readonly boolean[];
  /** The largest number of samples per micro-batch. */
  readonly microBatchAtMost: number;
  /** Experts shared among devices. */
  readonly expertParallel: boolean;
  /** The source of the figures. */
  readonly source: string;
}

const run = (model: string, devices: number, tensor: number, pipeline: number, interleave = 1): PublishedRun => ({
  model,
  devices,
  tensor,
  pipeline,
  interleave,
});

/** Narayanan et al. 2021, table 1. */
const narayanan2021: readonly PublishedRun[] = [
  run('1.7B', 32, 1, 1),
  run('3.6B', 64, 2, 1),
  run('7.5B', 128, 4, 1),
  run('18.4B', 256, 8, 1),
  run('39.1B', 512, 8, 2),
  run('76.1B', 1024, 8, 4),
  run('145.6B', 1536, 8, 8),
  run('310.1B', 1920, 8, 16),
  run('529.6B', 2520, 8, 35),
  run('1T', 3072, 8, 64),
];

/** The recipes, with the published runs they come from. */
export const recipes: readonly Recipe[] = [
  {
    name: 'megatron-lm',
    software: 'Megatron-LM',
    device: 'gpu',
    gpuSoftware: 'megatron',
    runs: [
      ...narayanan2021,
      run('22B', 8, 8, 1),
      run('175B', 64, 8, 8, 3),
      run('530B', 280, 8, 35, 3),
      run('1T', 512, 8, 64),
    ],
    recompute: ['selective', 'full'],
    zero1: [false],
    sequenceParallel: [false, true],
    microBatchAtMost: 4,
    expertParallel: false,
    source: 'Narayanan et al. 2021, table 1; Korthikanti et al. 2022, table 3; on A100',
  },
  {
    name: 'megatron-2021',
    software: 'Megatron-LM of 2021',
    device: 'gpu',
    gpuSoftware: 'megatron-2021',
    runs: narayanan2021,
    recompute: ['full'],
    zero1: [false],
    sequenceParallel: [false],
    microBatchAtMost: 4,
    expertParallel: false,
    source: 'Narayanan et al. 2021, table 1; on A100',
  },
  {
    name: 'nemo',
    software: 'NVIDIA NeMo with Megatron Core and its distributed optimizer',
    device: 'gpu',
    gpuSoftware: 'megatron-core',
    runs: [
      run('GPT3-5B', 64, 1, 1),
      run('GPT3-20B', 64, 2, 1),
      run('GPT3-175B', 512, 4, 8, 6),
      run('Llama2-7B', 8, 1, 1),
      run('Llama2-13B', 16, 1, 4, 10),
      run('Llama2-70B', 64, 4, 4, 20),
      run('Nemotron-8B', 64, 2, 1),
      run('Nemotron-22B', 64, 2, 4, 10),
      run('Nemotron-340B', 128, 8, 8, 12),
      run('Llama3-8B', 8, 1, 1),
      run('Llama3-70B', 64, 4, 4, 5),
      run('Llama3.1-405B', 512, 8, 8, 8),
      run('Mixtral-8x7B', 64, 1, 4, 8),
      run('Mixtral-8x22B', 128, 4, 8, 7),
    ],
    recompute: ['none', 'selective'],
    zero1: [true],
    sequenceParallel: [true],
    microBatchAtMost: 4,
    expertParallel: true,
    source:
      'NeMo performance summary, release 24.07; dgxc-benchmarking (Llama 3.1 405B); Megatron Core MoE, reference mappings; on H100',
  },
  {
    name: 'llama3',
    software: "Meta's trainer of Llama 3",
    device: 'gpu',
    gpuSoftware: 'megatron-core',
    // A chunk is one layer: 126 layers and both ends on 16 stages are 8 chunks per stage, or 7 if only layers count.
    runs: [run('Llama3-405B', 8192, 8, 16, 7), run('Llama3-405B', 16384, 8, 16, 7)],
    recompute: ['none'],
    zero1: [true],
    sequenceParallel: [true],
    microBatchAtMost: 1,
    expertParallel: false,
    source: 'Llama Team 2024, "The Llama 3 Herd of Models", section 3.3 and table 4; on H100',
  },
  {
    name: 'llm.c',
    software: 'llm.c',
    device: 'gpu',
    gpuSoftware: 'llm.c',
    runs: [run('GPT-2 124M', 8, 1, 1), run('GPT-2 1.6B', 8, 1, 1)],
    recompute: ['none'],
    zero1: [true],
    sequenceParallel: [false],
    microBatchAtMost: 64,
    expertParallel: false,
    source: 'llm.c, scripts of GPT-2 124M and 1558M; data parallel with ZeRO-1',
  },
  {
    name: 'pytorch-ddp',
    software: 'PyTorch DistributedDataParallel',
    device: 'gpu',
    gpuSoftware: 'eager',
    runs: [run('BERT', 32, 1, 1), run('ResNet-50', 256, 1, 1)],
    recompute: ['none'],
    zero1: [false],
    sequenceParallel: [false],
    microBatchAtMost: 256,
    expertParallel: false,
    source: "Li et al. 2020; AWS's BERT-base example on p4d.24xlarge",
  },
  {
    name: 'nxd-training',
    software: 'NxD Training',
    device: 'neuron-core',
    runs: [
      run('Llama2-7B', 512, 8, 1),
      run('Llama3-8B, Trn2', 64, 16, 1),
      run('Llama3.1-8B', 1024, 32, 1),
      run('Llama2-70B', 256, 8, 16),
      run('Llama3-70B, Trn2', 512, 32, 4),
      run('Llama3.1-70B', 1024, 32, 8),
      run('Mixtral-8x7B', 512, 32, 4),
      run('Llama3.1-405B', 2048, 32, 32),
    ],
    recompute: ['none', 'selective', 'full'],
    zero1: [true],
    sequenceParallel: [true],
    microBatchAtMost: 1,
    expertParallel: false,
    source:
      'neuronx-distributed-training, examples/conf, and the training tables of the Neuron documentation; on Trn1 and Trn2',
  },
  {
    name: 'nemo-neuron',
    software: 'neuronx-nemo-megatron',
    device: 'neuron-core',
    runs: [
      run('GPT3-6.7B', 512, 8, 1),
      run('StarCoder-7B', 32, 8, 2),
      run('GPT3-23B', 128, 8, 4),
      run('GPT3-46B', 1024, 8, 8),
      run('Llama2-70B', 1024, 8, 16),
      run('GPT3-175B', 1024, 32, 8),
    ],
    recompute: ['selective', 'full'],
    zero1: [false, true],
    sequenceParallel: [true],
    microBatchAtMost: 1,
    expertParallel: false,
    source: 'neuronx-nemo-megatron, examples, and the training tables of the Neuron documentation; on Trn1',
  },
  {
    name: 'neuron-dp',
    software: 'PyTorch/XLA on Neuron, data parallel',
    device: 'neuron-core',
    runs: [run('BERT-large', 32, 1, 1), run('BERT-large', 512, 1, 1), run('Language Perceiver', 32, 1, 1)],
    recompute: ['none'],
    zero1: [false],
    sequenceParallel: [false],
    microBatchAtMost: 20,
    expertParallel: false,
    source: 'training tables of the Neuron documentation, BERT-large and Language Perceiver; on Trn1',
  },
  {
    name: 'trenio',
    software: 'Trenio',
    device: 'cpu',
    runs: [run('BERT-small', 2, 1, 1)],
    recompute: ['none'],
    zero1: [false],
    sequenceParallel: [false],
    microBatchAtMost: 256,
    expertParallel: false,
    source: 'trenio run --nproc-per-node: data parallel',
  },
];

/** The names of the recipes. */
export const recipeNames: readonly string[] = recipes.map(({ name }) => name);

/**
 * The recipe of this name: how published runs with one training software are laid out.
 * @throws {UNKNOWN_RECIPE} with the nearest name
 * @example
 * simulator.recipeOf('llama3').device // 'gpu'
 */
export function recipeOf(name: string): Recipe {
  const found = recipes.find(recipe => recipe.name === name.toLowerCase());
  if (found !== undefined) return found;
  throw new TrenioError('UNKNOWN_RECIPE', {
    recipe: name,
    nearest: nearestName(name, recipeNames),
    known: recipeNames,
  });
}

/**
 * Whether a recipe includes such a layout: its tensor-parallel sizes, up to the stages and chunks of its runs, its ways
 * to save memory. Sizes `given` by the user are not checked.
 */
export function allows(recipe: Recipe, layout: Layout, given: LayoutSpace): boolean {
  const { tensor, pipeline, interleave, microBatch } = layout;
  const runs = given.tensor === undefined ? recipe.runs.filter(one => one.tensor === tensor) : recipe.runs;
  const most = (of: (one: PublishedRun) => number): number => Math.max(...recipe.runs.map(of));
  return (
    runs.length > 0 &&
    pipeline <= (given.pipeline ?? Math.max(...runs.map(one => one.pipeline))) &&
    interleave <= (given.interleave ?? most(one => one.interleave)) &&
    (given.recompute !== undefined || recipe.recompute.includes(layout.recompute)) &&
    (given.zero1 !== undefined || layout.data === 1 || recipe.zero1.includes(layout.zero1)) &&
    (given.sequenceParallel !== undefined ||
      tensor === 1 ||
      recipe.sequenceParallel.includes(layout.sequenceParallel)) &&
    (given.expert !== undefined || layout.expert === 1 || recipe.expertParallel) &&
    (given.microBatch !== undefined || microBatch <= recipe.microBatchAtMost)
  );
}
