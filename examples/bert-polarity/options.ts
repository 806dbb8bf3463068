// The command line of the example: every flag, its default and its check. Invalid flags end the program with a message.
import { parseArgs } from 'node:util';
import { z } from 'zod';

const help = `Train a BERT review classifier on CSV files in the format of Amazon review polarity.

usage: trenio run --nproc_per_node=N examples/bert-polarity/train.ts [options]

data
  --data FILE           training reviews, CSV rows "label","title","text" (1 negative, 2 positive)
                        (default: the corpus included with the example)
  --validation FILE     validation reviews (default: the included ones; with --data, a tenth of it)
  --max-length N        maximum tokens per sequence (default 48; with --model its positions, at most 128)
model
  --model DIR           a Hugging Face model directory (config.json, vocab.txt, model.safetensors)
  --vocab FILE          a WordPiece vocabulary (default: built from the data, or the included one)
  --layers N --hidden N --heads N --intermediate N --dropout P
                        a new configuration (default 2, 128, 2, 4 x hidden, 0.1)
training
  --epochs N            (default 3)      --steps N      stop after N steps
  --batch-size N        sequences per rank (default 32)
  --gradient-accumulation N              micro-batches per step (default 1)
  --learning-rate X     peak (default 1e-3; 3e-5 with --model)
  --warmup X            fraction of all steps (default 0.1)
  --weight-decay X      (default 0.01)   --clip X       gradient norm (default 1)
  --seed N              (default 1)
output
  --output DIR          checkpoints and results.json (default out/bert-polarity)
  --resume              continue the run in --output from its last intact checkpoint
  --save-every N        also save after every N steps, not only after each epoch
  --start-over          start a new run in --output, and move the old files to previous/
  --price-per-hour USD  price of this machine (default: unknown)
  --machine NAME        name of this machine in the table

examples
  npm start
  trenio run --nproc_per_node=2 examples/bert-polarity/train.ts --data train.csv --validation test.csv
  trenio run examples/bert-polarity/train.ts --model ./bert-base-uncased --data train.csv --batch-size 8
`;

/** A number; `expected` describes the values that `check` accepts. */
function number(expected: string, check: (n: number) => boolean) {
  return z.coerce.number(expected).refine(check, expected);
}
const count = number('an integer from 1', n => Number.isSafeInteger(n) && n >= 1);
const positive = number('a number above 0', n => n > 0);
const share = number('a number from 0 to 1', n => n >= 0 && n <= 1);
const schema = z.object({
  data: z.string().optional(),
  validation: z.string().optional(),
  maxLength: count.optional(),
  model: z.string().optional(),
  vocab: z.string().optional(),
  layers: count.default(2),
  hidden: count.default(128),
  heads: count.default(2),
  intermediate: count.optional(),
  dropout: number('a number from 0 to 0.9', n => n >= 0 && n <= 0.9).default(0.1),
  epochs: count.default(3),
  steps: count.optional(),
  batchSize: count.default(32),
  gradientAccumulation: count.default(1),
  learningRate: positive.optional(),
  warmup: share.default(0.1),
  weightDecay: number('a number from 0', n => n >= 0).default(0.01),
  clip: positive.default(1),
  seed: number('an integer from 0', n => Number.isSafeInteger(n) && n >= 0).default(1),
  output: z.string().default('out/bert-polarity'),
  saveEvery: count.optional(),
  resume: z.boolean().default(false),
  startOver: z.boolean().default(false),
  pricePerHour: positive.optional(),
  machine: z.string().optional(),
});
export type Options = z.infer<typeof schema>;

const flags: ReadonlySet<string> = new Set(['resume', 'startOver']);

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
    const options = schema.parse(Object.fromEntries(keyed));
    if (options.resume && options.startOver) refuse('--resume and --start-over cannot be combined');
    return options;
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

/** Prints the problem and exits. */
export function refuse(problem: string): never {
  console.error(`${problem}\nSee --help for the options.`);
  process.exit(2);
}
