// The options of `trenio plan`.
import type { CommandInput, FlagOption, Options, TextOption } from '../command/command.ts';

const text = (placeholder: string, description: string): TextOption => ({ kind: 'text', placeholder, description });
const flag = (description: string): FlagOption => ({ kind: 'flag', description });

/** With --serve only. */
export const servingOptions = {
  serve: flag('Plan serving a language model instead of training one: machines, latencies, cost of tokens.'),
  input: text('N', 'With --serve: tokens of a prompt. Default: 512.'),
  output: text('N', 'With --serve: tokens of an answer. Default: 256.'),
  rate: text('N', 'With --serve: requests per second, 20/s. Default: as many as one machine answers in time.'),
  ttft: text('DURATION', 'With --serve: the limit to the first token, for 99 of 100 requests: 500ms.'),
  tpot: text('DURATION', 'With --serve: the limit per token after the first: 50ms.'),
  weights: text('FORMAT', 'With --serve: bf16, f8, int8 or int4. Default: bf16.'),
} as const satisfies Options;

export const planOptions = {
  on: text('LIST', 'Comma-separated machines: trn1.32xlarge,ml.p4d.24xlarge (see trenio hardware ls).'),
  nodes: text('LIST', 'Numbers of nodes: 4, or 1,2,4, or 1..16 (doubling: 1, 2, 4, 8, 16). Default: 1.'),
  model: text('NAME', 'A named model instead of a script: llama3-8b, bert-large, Qwen/Qwen2.5-7B …'),
  config: text('PATH', 'A config.json of Hugging Face (or its folder) instead of a named model.'),
  tokens: text('N', 'Number of tokens to train on. Numbers may end in k, M, B or T: 1T.'),
  samples: text('N', 'Number of samples to train on.'),
  steps: text('N', 'Number of steps to train.'),
  epochs: text('N', 'Number of passes over the --dataset.'),
  dataset: text('N', 'Number of samples in the dataset.'),
  sequence: text('N', 'Tokens per sample. Only with --model; a script defines its own.'),
  'global-batch': text('N', 'Samples per step, over all devices.'),
  'micro-batch': text('N', 'Samples per forward and backward pass.'),
  precision: text('NAME', 'f32, tf32, bf16, bf16-mixed, fp8 or amp. Default for models: bf16-mixed.'),
  optimizer: text('NAME', 'sgd, momentum, adam, adamw or lamb. Default: adamw.'),
  attention: text('NAME', 'unfused, fused-softmax or blocked. Default: blocked.'),
  software: text(
    'NAME',
    "GPUs: eager, compiled, nanotron, megatron-core, megatron, megatron-2021, llm.c; else --recipe's or eager.",
  ),
  'sample-bytes': text(
    'SIZE',
    'Size of a sample on storage: 115kB, or 0. Default for models: 2 or 4 bytes per token, 115 kB per image.',
  ),
  'node-storage-bandwidth': text(
    'RATE',
    'Bandwidth of one instance to the shared storage, for data and checkpoints: 5GB/s, 40Gbps. Default: 2GB/s.',
  ),
  'storage-bandwidth': text('RATE', 'Bandwidth of the shared storage, for all instances together. Default: 100GB/s.'),
  dp: text('N', 'Data parallel size: copies of the model.'),
  tp: text('N', 'Tensor parallel size: devices that share each layer.'),
  pp: text('N', 'Pipeline parallel size: number of stages.'),
  ep: text('N', 'Expert parallel size: devices that share the experts.'),
  interleave: text('N', 'Chunks of the model per pipeline stage.'),
  zero1: flag('Shard the optimizer state over the copies (ZeRO-1).'),
  shard: text('WHAT', 'Also shard gradients (gradients: ZeRO-2), or gradients and weights (weights: ZeRO-3, FSDP).'),
  'sequence-parallel': flag('Split norms and dropout along the sequence dimension.'),
  replicas: text('N', 'Hybrid sharding (HSDP): groups of devices that each hold all shards. Default: 1.'),
  recompute: text('WHAT', 'Recomputation of activations: none, selective, full, or full/N (every N-th layer).'),
  layout: text(
    'SIZES',
    'The layout of a script, as of trenio run: dp_shard=-1,tp=8. auto: the usual ones (of a model: --search).',
  ),
  recipe: text(
    'NAME',
    'Use the published layouts of this recipe: megatron-lm, nxd-training … Default: all recipes of the machine.',
  ),
  search: flag('Try all layouts on all --nodes; show the best, and why each runner-up lost.'),
  by: text('WHAT', 'Objective of the search: time or cost. Default: time.'),
  top: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 1000,
    default: 5,
    description: 'Number of layouts shown by the search.',
  },
  deadline: text('DURATION', 'Maximum training time: 8h, 2d.'),
  budget: text('USD', 'Maximum training cost.'),
  'memory-limit': text('BYTES', 'Limit the memory used per device: 14GiB.'),
  purchase: {
    kind: 'optional-text',
    placeholder: 'WAYS',
    description: 'Compare purchase options. WAYS restricts them: spot,capacity-block. Default: the best of all.',
  },
  failures: flag('Include machine failures: goodput, best checkpoint interval, time and cost.'),
  mtbf: text('DURATION', 'Mean time between interruptions per instance: 200d. Default: as measured for Llama 3.'),
  spares: {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 100_000,
    default: 0,
    description: 'Number of spare instances.',
  },
  interruptions: text('RATE', 'Spot interruptions per instance and hour. Default: 0.02.'),
  'checkpoint-every': text(
    'DURATION',
    'Time between checkpoints, with spot or --failures. Default: the interval that loses the least time.',
  ),
  start: text('DATE', 'Start of a capacity block: 2026-12-01.'),
  'start-up': text(
    'DURATION',
    'Time before the first step: provisioning, compiling, loading. Default: depends on the machine.',
  ),
  profile: text(
    'WHICH',
    "Source of hardware figures: docs (today's documents) or launch (announcements). Default: docs.",
  ),
  lnc: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 2,
    description: 'Physical NeuronCores per logical core (LNC): 1 or 2 on Trainium2 and 3. Default there: 2.',
  },
  ...servingOptions,
  json: flag('One JSON object: {"model", "rows", "search", "answer", "purchase", "failures", "assumptions", …}.'),
  html: text('FILE', 'Write a self-contained page with charts to this file.'),
  trace: text('FILE', 'Write a trace of one step of the answer to this file, for ui.perfetto.dev.'),
} as const satisfies Options;

export type PlanInput = CommandInput<typeof planOptions>;
