// results.json: what a run was and what came of it, for people and programs that come later. Written once, at the end, as
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
  name: z.string().min(1),
  cpu: z.string(),
  /** Hardware threads used by all ranks together. */
  threads: count,
  memoryBytes: count,
});

const rowSchema = z.object({
  kind: z.enum(['measured', 'published', 'predicted']),
  model: z.string(),
  machine: z.string(),
  usdPerHour: amount.nullable(),
  iterationsPerSecond: amount,
  validationAccuracy: amount.max(1).nullable(),
  billableSeconds: amount,
  costUsd: amount.nullable(),
  printedCostUsd: amount.optional(),
  printedMinusCostUsd: z.number().optional(),
  source: z.string().optional(),
  predictedMinusPublished: z.number().optional(),
});

/** The schema of results.json. */
export const runResultsSchema = z.object({
  format: z.literal(RESULTS_FORMAT),
  model: z.string().min(1),
  /** The model's configuration and the training's settings, as the script had them. */
  configuration: z.record(z.string(), z.json()),
  dataSet: z.object({
    training: z.string(),
    validation: z.string().nullable(),
    trainingExamples: count,
    validationExamples: count,
  }),
  /** Sequences a rank handles in one micro-step. */
  batchSize: count,
  worldSize: count,
  /** Micro-steps that make up one optimizer step. */
  gradientAccumulation: count,
  /** Optimizer steps. */
  steps: count,
  epochs: amount,
  throughput: z.object({ iterationsPerSecond: amount, sequencesPerSecond: amount }),
  accuracy: z.object({ validation: amount.max(1).nullable() }),
  loss: z.object({ first: z.number().nullable(), last: z.number().nullable() }),
  seconds: z.object({
    /** From the start of the process to its end; billed. */
    billable: amount,
    /** Inside the training loop, compilation included. */
    training: amount,
    compilation: amount.optional(),
  }),
  machine: machineSchema,
  usdPerHour: amount.nullable(),
  costUsd: amount.nullable(),
  table: z.array(rowSchema).optional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
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
