// The command line of the example: every flag, its default and its check. Invalid flags end the program with a message.
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { pagesFile, vocabularyFile } from './included.ts';

const help = `Pre-train BERT: masked tokens and next sentence.

usage: trenio run --nproc_per_node=N examples/bert-large-pretraining/train.ts [options]
       srun trenio run examples/bert-large-pretraining/train.ts [options]          on the nodes of a Slurm job

phase
  --phase 1|2           1: sequences of 128 tokens, 2: of 512 (default 1)
  --init DIR            start from the weights of this model directory, such as model/ in the output of phase 1
data
  --data FILE           text, one sentence per line, an empty line after each document (default: the pages of this example)
  --vocab FILE          a WordPiece vocabulary, vocab.txt (default: that of the pages)
  --max-length N        tokens per sequence (default 128 in phase 1, 512 in phase 2)
  --predictions N       maximum masked tokens per sequence (default 20 in phase 1, 80 in phase 2)
model
  --large               the shape of BERT-large: 24 layers of 1024, 16 heads
  --layers N --hidden N --heads N --dropout P        (default 2, 64, 2, 0.1)
training
  --steps N             (default 20)
  --batch-size N        sequences per micro-batch on each rank (default 16 in phase 1, 2 in phase 2)
  --global-batch N      strong scaling: sequences per step over all ranks; determines the micro-batches per step
  --gradient-accumulation N   weak scaling: micro-batches per step on each rank (default 1)
  --optimizer NAME      adamw or lamb (default adamw)
  --learning-rate X     peak (default 4e-4 and 2.8e-4 with adamw, 6e-3 and 4e-3 with lamb)
  --warmup X            fraction of all steps (default 0.07 in phase 1, 0.5 in phase 2; 0.28 and 0.13 with lamb)
  --weight-decay X      (default 0.01)
  --precision NAME      f32, or bf16: weights and activations in bf16 with stochastic rounding (default f32)
  --seed N              (default 1)
output
  --output DIR          job directory: results.json, checkpoints, model, one log per node
                        (default bert-large-pretraining-JOB in a Slurm job, else out/bert-large-pretraining)
  --save-every N        also save after every N steps
  --resume              continue the run in --output from its last intact checkpoint (default after a requeue)
  --start-over          start a new run in --output, and move the old files to previous/
`;

/** A number; `expected` describes the values that `check` accepts. */
const number = (expected: string, check: (n: number) => boolean) => z.coerce.number(expected).refine(check, expected);
const count = number('an integer from 1', n => Number.isSafeInteger(n) && n >= 1);
const positive = number('a number above 0', n => n > 0);
const share = number('a number from 0 to 1', n => n >= 0 && n <= 1);
const oneOf = <const T extends readonly [string, ...string[]]>(names: T) => z.enum(names, names.join(' or '));

const schema = z.object({
  phase: oneOf(['1', '2']).default('1'),
  init: z.string().optional(),
  data: z.string().default(pagesFile),
  vocab: z.string().default(vocabularyFile),
  maxLength: number('an integer from 8', n => Number.isSafeInteger(n) && n >= 8).optional(),
  predictions: count.optional(),
  large: z.boolean().default(false),
  layers: count.optional(),
  hidden: count.optional(),
  heads: count.optional(),
  dropout: number('a number from 0 to 0.9', n => n >= 0 && n <= 0.9).default(0.1),
  steps: count.default(20),
  batchSize: count.optional(),
  globalBatch: count.optional(),
  gradientAccumulation: count.optional(),
  optimizer: oneOf(['adamw', 'lamb']).default('adamw'),
  learningRate: positive.optional(),
  warmup: share.optional(),
  weightDecay: number('a number from 0', n => n >= 0).default(0.01),
  precision: oneOf(['f32', 'bf16']).default('f32'),
  seed: number('an integer from 0', n => Number.isSafeInteger(n) && n >= 0).default(1),
  output: z.string().optional(),
  saveEvery: count.optional(),
  resume: z.boolean().default(false),
  startOver: z.boolean().default(false),
});
type Given = z.infer<typeof schema>;

/** The settings of BERT's authors and the published scripts for each phase. */
const phases = {
  '1': { maxLength: 128, predictions: 20, batchSize: 16, adamw: [4e-4, 0.07], lamb: [6e-3, 0.28] },
  '2': { maxLength: 512, predictions: 80, batchSize: 2, adamw: [2.8e-4, 0.5], lamb: [4e-3, 0.13] },
} as const;
const small = { layers: 2, hidden: 64, heads: 2 };
const large = { layers: 24, hidden: 1024, heads: 16 };

/** The Slurm job: its number, and how often it was requeued. */
const job = process.env.SLURM_JOB_ID;
const isRequeued = Number(process.env.SLURM_RESTART_COUNT ?? 0) > 0;

const withDefaults = (given: Given) => {
  const phase = phases[given.phase];
  const shape = given.large ? large : small;
  const [learningRate, warmup] = phase[given.optimizer];
  return {
    ...given,
    maxLength: given.maxLength ?? phase.maxLength,
    predictions: given.predictions ?? phase.predictions,
    batchSize: given.batchSize ?? phase.batchSize,
    layers: given.layers ?? shape.layers,
    hidden: given.hidden ?? shape.hidden,
    heads: given.heads ?? shape.heads,
    learningRate: given.learningRate ?? learningRate,
    warmup: given.warmup ?? warmup,
    output: given.output ?? (job === undefined ? 'out/bert-large-pretraining' : `bert-large-pretraining-${job}`),
    resume: given.resume || (isRequeued && !given.startOver),
  };
};
export type Options = ReturnType<typeof withDefaults>;

const flags: ReadonlySet<string> = new Set(['large', 'resume', 'startOver']);
export const flagOf = (key: string): string => key.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`);

/** The options in `argv`. Prints the help or an error and exits if needed. */
export function readOptions(argv: readonly string[]): Options {
  const known: Record<string, { readonly type: 'boolean' | 'string'; readonly short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const key of Object.keys(schema.shape)) known[flagOf(key)] = { type: flags.has(key) ? 'boolean' : 'string' };
  let values: Record<string, string | boolean | undefined> = {};
  try {
    ({ values } = parseArgs({ args: [...argv], options: known }));
    if (values.help === true) {
      console.log(help);
      process.exit(0);
    }
    const keyed = Object.keys(schema.shape).map(key => [key, values[flagOf(key)]]);
    const given = schema.parse(Object.fromEntries(keyed));
    if (given.resume && given.startOver) refuse('--resume and --start-over cannot be combined');
    if (given.globalBatch !== undefined && given.gradientAccumulation !== undefined)
      refuse('--global-batch (strong scaling) and --gradient-accumulation (weak scaling) cannot be combined');
    return withDefaults(given);
  } catch (error) {
    const problems =
      error instanceof z.ZodError
        ? error.issues.map(({ path: [key], message }) => {
            const flag = flagOf(String(key));
            return `--${flag} is '${values[flag]}', expected ${message}`;
          })
        : [(error as Error).message];
    refuse(problems.join('\n'));
  }
}

/** Micro-batches per step on each rank: given, or computed from the global batch. */
export function accumulationOf({ globalBatch, gradientAccumulation = 1, batchSize }: Options, ranks: number): number {
  if (globalBatch === undefined) return gradientAccumulation;
  const steps = globalBatch / (batchSize * ranks);
  if (!Number.isInteger(steps))
    refuse(
      `--global-batch is ${globalBatch}, expected a multiple of ${batchSize * ranks}: ${batchSize} sequences on each of ${ranks} rank${ranks === 1 ? '' : 's'}`,
    );
  return steps;
}

/** Prints the problem and exits. */
export function refuse(problem: string): never {
  console.error(`${problem}\nSee --help for the options.`);
  process.exit(2);
}
