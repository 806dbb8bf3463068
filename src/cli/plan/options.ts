// The options of `trenio plan`.
import type { CommandInput, FlagOption, Options, TextOption } from '../command.ts';

const text = (placeholder: string, description: string): TextOption => ({ kind: 'text', placeholder, description });
const flag = (description: string): FlagOption => ({ kind: 'flag', description });

export const planOptions = {
  on: text('LIST', 'Machines, with commas between: trn1.32xlarge,ml.p4d.24xlarge (trenio hardware ls).'),
  nodes: text('LIST', 'How many: 4, or 1,2,4, or 1..16, which doubles. Default 1.'),
  model: text('NAME', 'A model by its name, instead of a script: llama3-8b, bert-large …'),
  tokens: text('N', 'Train on so many tokens. k, M, B and T may follow each number: 1T.'),
  samples: text('N', 'Train on so many samples.'),
  steps: text('N', 'Train for so many steps.'),
  epochs: text('N', 'Pass so often over the data set of --dataset samples.'),
  dataset: text('N', 'Samples of the data set.'),
  sequence: text('N', 'Tokens of a sample (of a model; a script says it itself).'),
  'global-batch': text('N', 'Samples a step on all devices.'),
  'micro-batch': text('N', 'Samples that pass through the model at once.'),
  precision: text('NAME', 'f32, tf32, bf16, bf16-mixed or amp. Default bf16-mixed for models.'),
  optimizer: text('NAME', 'sgd, momentum, adam, adamw or lamb. Default adamw.'),
  attention: text('NAME', 'unfused, fused-softmax or blocked. Default blocked.'),
  software: text(
    'NAME',
    'What trains on GPUs: eager, compiled, megatron or megatron-2021. Default: the --recipe’s, else eager.',
  ),
  dp: text('N', 'Data parallel: copies of the model.'),
  tp: text('N', 'Tensor parallel: devices that share each layer.'),
  pp: text('N', 'Pipeline parallel: stages.'),
  ep: text('N', 'Expert parallel: devices that share the experts.'),
  interleave: text('N', 'Chunks of the model on each stage.'),
  zero1: flag('Split the optimizer state among the copies.'),
  shard: text('WHAT', 'Split gradients (ZeRO-2), or gradients and weights (weights: ZeRO-3, FSDP), with the state.'),
  'sequence-parallel': flag('Split norms and dropout along the sequence.'),
  recompute: text('WHAT', 'Activations computed again instead of kept: none, selective or full.'),
  recipe: text('NAME', 'Whose published layouts count: megatron-lm, nxd-training … Default: all of the machine.'),
  search: flag('Try all layouts on all --nodes: the best, and why each runner-up lost.'),
  by: text('WHAT', 'What the search looks for: time or cost. Default time.'),
  top: { kind: 'integer', placeholder: 'N', min: 1, max: 1000, default: 5, description: 'How many the search shows.' },
  deadline: text('DURATION', 'Must be done after so long: 8h, 2d.'),
  budget: text('USD', 'May cost so much.'),
  'memory-limit': text('BYTES', 'Of a device, where not all of it may be used: 14GiB.'),
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
  json: flag('One JSON object: {"model", "rows", "search", "answer", "purchase", "failures", "assumptions", …}.'),
  html: text('FILE', 'Write a page with charts there; it needs nothing else.'),
  trace: text('FILE', 'Write a step of the answer there, for ui.perfetto.dev.'),
} as const satisfies Options;

export type PlanInput = CommandInput<typeof planOptions>;
