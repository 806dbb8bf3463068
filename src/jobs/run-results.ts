// results.json: the settings and the results of a run, for later use by people and programs. Written once, at the end, as
// a whole; read back strictly. The keys are stable: a new version may add some, and changes `format` if it removes any.
import { z } from 'zod';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { readTextFile } from '../base/read-file.ts';

/** The value of `format` in results.json. */
export const RESULTS_FORMAT = 'trenio-results-1';

const count = z.int().nonnegative();
const amount = z.number().nonnegative();

const machineSchema = z.object({
  /** The name of the machine. */
  name: z.string().min(1),
  /** The model of its CPU. */
  cpu: z.string(),
  /** Hardware threads used by all ranks together. */
  threads: count,
  /** Its memory. */
  memoryBytes: count,
});

const rowSchema = z.object({
  /** Whether it was measured here, published elsewhere, or predicted. */
  kind: z.enum(['measured', 'published', 'predicted']),
  /** The model that was trained. */
  model: z.string(),
  /** The machine that trained it. */
  machine: z.string(),
  /** The price of the machine; null if unknown. */
  usdPerHour: amount.nullable(),
  /** Micro-steps per second. */
  iterationsPerSecond: amount,
  /** The share of correct answers on the validation data; null if there is none. */
  validationAccuracy: amount.max(1).nullable(),
  /** The billed time. */
  billableSeconds: amount,
  /** The cost of that time; null without a price. */
  costUsd: amount.nullable(),
  /** The published cost. */
  printedCostUsd: amount.optional(),
  /** The published cost minus the computed one. */
  printedMinusCostUsd: z.number().optional(),
  /** Where it was published. */
  source: z.string().optional(),
  /** The relative difference of the prediction from the published rate. */
  predictedMinusPublished: z.number().optional(),
});

/** The schema of results.json. */
export const runResultsSchema = z.object({
  /** The version of this format. */
  format: z.literal(RESULTS_FORMAT),
  /** The name of the model. */
  model: z.string().min(1),
  /** The configuration of the model and the settings of the training run, as set by the script. */
  configuration: z.record(z.string(), z.json()),
  /** The data that was trained on. */
  dataSet: z.object({
    /** The training data. */
    training: z.string(),
    /** The validation data; null if there is none. */
    validation: z.string().nullable(),
    /** The number of examples. */
    trainingExamples: count,
    /** The number of validation examples. */
    validationExamples: count,
  }),
  /** Sequences per rank in one micro-step. */
  batchSize: count,
  /** The number of ranks. */
  worldSize: count,
  /** Micro-steps that make up one optimizer step. */
  gradientAccumulation: count,
  /** Optimizer steps. */
  steps: count,
  /** Passes over the training data. */
  epochs: amount,
  /** The speed of training. */
  throughput: z.object({
    /** Micro-steps per second. */ iterationsPerSecond: amount,
    /** Sequences per second, of all ranks. */ sequencesPerSecond: amount,
  }),
  /** The collectives of the training loop after its first step. */
  communication: z
    .object({
      /**
       * The share of communication: the processor time of collectives between hosts divided by that of the ranks. Waiting for
       * other ranks is not included. Left out if all ranks are on one host, where they spin while they wait.
       */
      share: amount.max(1).optional(),
      /** The part of the elapsed time in which steps wait for collectives, late ranks included: a mean over the ranks. */
      waitShare: amount.max(1),
      /** The processor time of a step on each rank in milliseconds: a mean. */ cpuMs: amount,
    })
    .optional(),
  /** The quality of the model. */
  accuracy: z.object({
    /** The share of correct answers on the validation data; null if there is none. */ validation: amount
      .max(1)
      .nullable(),
  }),
  /** The training loss. */
  loss: z.object({
    /** The loss of the first step. */ first: z.number().nullable(),
    /** The loss of the last step. */ last: z.number().nullable(),
  }),
  /** The time taken. */
  seconds: z.object({
    /** From the start of the process to its end; billed. */
    billable: amount,
    /** Inside the training loop, including compilation. */
    training: amount,
    /** The part of the training time spent in compilation. */
    compilation: amount.optional(),
  }),
  /** The machine that trained. */
  machine: machineSchema,
  /** The price of the machine; null if unknown. */
  usdPerHour: amount.nullable(),
  /** The cost of the run; null without a price. */
  costUsd: amount.nullable(),
  /** The rows of the table of results. */
  table: z.array(rowSchema).optional(),
  /** When the run started. */
  startedAt: z.iso.datetime(),
  /** When the run ended. */
  endedAt: z.iso.datetime(),
  /** The versions of Trenio, Node and the compiler. */
  versions: z.record(z.string(), z.string()),
});

/** The content of results.json. */
export type RunResults = z.infer<typeof runResultsSchema>;

/**
 * Writes results.json; the previous file is kept if the disk is full.
 * @throws {RESULTS_INVALID} if the results do not match the schema, before anything is written
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 * @example
 * ```ts no-run
 * const results = await readRunResults('runs/polarity/results.json');
 * await writeRunResults('copy.json', results);
 * ```
 */
export async function writeRunResults(path: string, results: Omit<RunResults, 'format'>): Promise<void> {
  const checked = check(path, { ...results, format: RESULTS_FORMAT });
  await writeFileAtomically(path, [`${JSON.stringify(checked, undefined, 2)}\n`]);
}

/**
 * Reads and checks results.json.
 * @throws {RESULTS_INVALID} naming the field
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const { throughput, accuracy } = await readRunResults('runs/polarity/results.json');
 * console.log(throughput.iterationsPerSecond, accuracy.validation);
 * ```
 */
export async function readRunResults(path: string): Promise<RunResults> {
  const text = await readTextFile(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TrenioError(
      'RESULTS_INVALID',
      { file: path, field: '', problem: `not JSON: ${String(error)}` },
      { cause: error },
    );
  }
  return check(path, json);
}

function check(file: string, value: unknown): RunResults {
  const parsed = runResultsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new TrenioError(
    'RESULTS_INVALID',
    { file, field: issue.path.join('.'), problem: issue.message },
    { cause: parsed.error },
  );
}
