// Measurements of a job's training steps: the reports that a script of the image `trenio` leaves in its folder, which are
// validated as untrusted data.
import { join } from 'node:path';
import { z } from 'zod';
import { recordIndex } from '../../runtime/profiling/program-record.ts';
import type { JobMeasurement } from './job-estimates.ts';
import { openWritten } from './written-files.ts';

/** The folder of the reports in the job's tree; not part of its output. */
export const REPORTS = 'output/trenio';

/** The environment variables that make a script write its reports. @param root the job's tree as the script sees it */
export const reportVariables = (root: string): Readonly<Record<string, string>> => ({
  TRENIO_STEP_REPORT: `${root}/${REPORTS}/steps.json`,
  TRENIO_PROGRAM_RECORD: `${root}/${REPORTS}`,
});

const count = z.number().int().min(0);
const timesSchema = z
  .array(z.object({ name: z.string(), donatedInputs: count, executions: count, medianMs: z.number().min(0).max(1e9) }))
  .max(10_000);
const amount = z.number().min(0).max(1e18);
const text = z.string().max(1000);
const communicationSchema = z.object({
  collectives: z.array(z.object({ at: text, kind: text, devices: count, count, bytes: amount })).max(1000),
  replicated: z.array(text).max(100),
  exposedMs: amount,
});
const stepsSchema = z.object({
  programs: timesSchema,
  pipelines: timesSchema.default([]),
  communication: communicationSchema.optional().catch(undefined),
});
const lineSchema = z.object({
  name: z.string(),
  donatedInputs: count,
  file: z.string().regex(/^program-\d\.mlir$/),
  stages: z
    .string()
    .regex(/^program-\d\.stages\.json$/)
    .optional(),
});

const MAX_REPORT_BYTES = 4 * 1024 * 1024;
const MAX_PROGRAM_BYTES = 64 * 1024 * 1024;

export interface StepRecord extends JobMeasurement {
  /** The text of the training step; undefined if it was not recorded. */
  readonly program: string | undefined;
  /** The stages of a pipeline, as the job has left them: read by `workOf`. */
  readonly stages?: string | undefined;
}

/** The training step of the reports in a job's tree: of the programs that replace state, the one that ran most often. */
export async function readReports(ml: string): Promise<StepRecord | undefined> {
  const folder = join(ml, REPORTS);
  const report = stepsSchema.safeParse(json(await textOf(join(folder, 'steps.json'), MAX_REPORT_BYTES)));
  const { programs = [], pipelines = [], communication } = report.data ?? {};
  // The programs of a step in stages are parts of it.
  const isPipeline = pipelines.length > 0;
  const candidates = (isPipeline ? pipelines : programs).filter(one => one.donatedInputs > 0 && one.executions > 0);
  const [step] = candidates.toSorted((a, b) => b.executions - a.executions || b.medianMs - a.medianMs);
  if (step === undefined) return undefined;
  const lines = ((await textOf(join(folder, recordIndex), MAX_REPORT_BYTES)) ?? '')
    .split('\n')
    .flatMap(line => lineSchema.safeParse(json(line)).data ?? []);
  // The program in stages replaces the state of all ranks.
  const isStep = ({ name, donatedInputs, stages }: (typeof lines)[number]): boolean =>
    isPipeline ? stages !== undefined : name === step.name && donatedInputs === step.donatedInputs;
  const line = lines.findLast(isStep);
  return {
    steps: step.executions,
    stepSeconds: step.medianMs / 1000,
    communication: communication && communication.collectives.length > 0 ? communication : undefined,
    program: line && (await textOf(join(folder, line.file), MAX_PROGRAM_BYTES)),
    stages: line?.stages && (await textOf(join(folder, line.stages), MAX_PROGRAM_BYTES)),
  };
}

function json(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text of a regular file of limited size; undefined for anything else. */
async function textOf(path: string, maxBytes: number): Promise<string | undefined> {
  await using file = await openWritten(path);
  return file !== undefined && (await file.stat()).size <= maxBytes ? await file.readFile('utf8') : undefined;
}
