// `trenio run --plan`: predicts the training step of a script, then shows predicted and measured times while it trains.
//
//   trace the script ─▶ the step's module ─▶ work ─┐
//   calibration (measured now if need be) ─────────┴▶ prediction ─▶ run; the rank reports its times ─▶ predictions.jsonl
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLayout } from '../../base/layout-text.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { formatBytes } from '../../base/units.ts';
import { launch } from '../../distributed/index.ts';
import { cacheDirectory, type ProgramTimes, type StepReport } from '../../runtime/index.ts';
import { findCalibration, machineOfCalibration } from '../../simulator/calibration/index.ts';
import type { Prediction } from '../../simulator/index.ts';
import { predictHere } from '../../simulator/predict-here.ts';
import { recordedProgram, recordedStages } from '../../simulator/program/index.ts';
import type { CliContext } from '../command/command.ts';
import { measureAndKeep } from '../hardware/calibrate-here.ts';
import { followScript } from './follow-script.ts';

const showEveryMs = 10_000;
const pollMs = 500;

/** A prediction and the measured result, as a line of predictions.jsonl. */
export interface PredictedRun {
  /** ISO 8601. */
  readonly date: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly threads: number;
  readonly ranks: number;
  readonly layout: string;
  /** When the machine was measured. */
  readonly calibrated: string;
  readonly steps: number;
  readonly predictedMs: number;
  /** The median and the fastest step. The fastest is least disturbed by other processes. */
  readonly measuredMs: number;
  readonly fastestMs: number;
  readonly predictedBytes: number;
  readonly measuredBytes: number;
}

/** The script, and the ranks that run it. */
export interface PlannedRun {
  readonly script: string;
  readonly args: readonly string[];
  readonly pin: boolean;
  /** On this machine. */
  readonly ranks: number;
  /** The arrangement of the ranks. Default: all on the axis `data`. */
  readonly layout: string | undefined;
}

/** Returns the script's exit code. Throws the errors of tracing, calibrating and launching. */
export async function runPlanned(run: PlannedRun, context: CliContext): Promise<number> {
  const { script, args, pin, ranks, layout = `data=${ranks}` } = run;
  const say = (line: string): void => void context.stderr.write(`trenio run: ${line}\n`);
  const traced = await followScript(script, args, context, { ranks: { count: ranks, layout } });
  const { module, stages } = traced.trainingStep;
  const { calibration, date: calibrated } = await currentCalibration(context, say);
  const copies = parseLayout(layout)?.data ?? 1;
  const division = ranks === 1 ? undefined : { layout, devices: ranks, copies };
  const model =
    stages === undefined || division === undefined
      ? recordedProgram(module, { name: script, division })
      : recordedStages(module, stages, { name: script, division });
  const isStaged = model.division?.stages !== undefined;
  const machine = machineOfCalibration(calibration, ranks);
  const step = predictHere(model, machine);
  // Ranks of a pipeline have different parts of the model, and the first one is measured.
  const own = model.division?.stages?.ranks[0]?.memory;
  const first = own === undefined ? step : predictHere({ ...model, memory: own }, machine);
  const each = ranks === 1 ? '' : own === undefined ? ' of a rank' : ' of the first rank';
  say(describePrediction(step));
  for (const assumption of model.assumptions) if (!assumption.startsWith('A step is of')) say(`assumed: ${assumption}`);

  const folder = mkdtempSync(join(tmpdir(), 'trenio-plan-'));
  const report = join(folder, 'steps.json');
  let shownMs = performance.now();
  const watch = setInterval(() => {
    const times = measuredStep(readReport(report), isStaged);
    if (times !== undefined && performance.now() - shownMs >= showEveryMs) {
      shownMs = performance.now();
      say(describePair(step, times));
    }
  }, pollMs);
  try {
    const { exitCode } = await launch({
      script,
      args,
      pin,
      cwd: context.cwd,
      nprocPerNode: ranks,
      variables: { ...context.environment, TRENIO_LAYOUT: layout, TRENIO_STEP_REPORT: report },
      stdout: context.stdout,
      stderr: context.stderr,
      signal: context.signal,
    });
    const last = readReport(report);
    const times = measuredStep(last, isStaged);
    if (times === undefined || last === undefined) {
      say('no training step was completed');
      return exitCode;
    }
    say(describePair(step, times));
    say(`predicted ${formatBytes(first.memory.total)} of memory${each}, measured ${formatBytes(last.peakBytes)}`);
    keep(
      {
        date: new Date().toISOString(),
        script,
        args,
        threads: calibration.threads,
        ranks,
        layout,
        calibrated,
        steps: times.executions,
        predictedMs: 1e3 * step.stepSeconds,
        measuredMs: times.medianMs,
        fastestMs: times.fastestMs,
        predictedBytes: first.memory.total,
        measuredBytes: last.peakBytes,
      },
      context,
    );
    return exitCode;
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function currentCalibration(context: CliContext, say: (line: string) => void) {
  const found = findCalibration(context.environment);
  if (found.kind === 'current') return found;
  say(
    found.kind === 'none'
      ? 'this machine has not been measured yet: measuring it now'
      : `the calibration of this machine cannot be used (${found.problem}): measuring it again`,
  );
  return { calibration: (await measureAndKeep(context)).calibration, date: new Date().toISOString() };
}

function readReport(file: string): StepReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StepReport;
  } catch {
    return undefined; // no step has ended yet
  }
}

/**
 * Finds the training step by the same rule as in a trace: the program that replaces state and ran most often. The programs of a
 * step in stages are parts of it, and some have run before its first end. Exported for its test.
 */
export function measuredStep(
  report: Pick<StepReport, 'programs' | 'pipelines'> | undefined,
  isStaged: boolean,
): ProgramTimes | undefined {
  const { programs = [], pipelines = [] } = report ?? {};
  const candidates = (isStaged ? pipelines : programs).filter(program => program.donatedInputs > 0);
  const most = Math.max(...candidates.map(program => program.executions));
  return candidates.filter(program => program.executions === most).sort((a, b) => b.medianMs - a.medianMs)[0];
}

const ms = (value: number): string => `${value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)} ms`;

const shownPhases = [
  ...(['forward', 'backward', 'layer collectives', 'pipeline send/recv', 'pipeline bubble'] as const),
  ...(['gradient collectives', 'optimizer'] as const),
];
/** Exported for its test. */
export function describePrediction({ stepSeconds, byPhase, memory }: Prediction): string {
  const phases = shownPhases.filter(phase => byPhase[phase] > 0).map(phase => `${phase} ${ms(1e3 * byPhase[phase])}`);
  return `predicted ${ms(1e3 * stepSeconds)} a step (${phases.join(', ')}), ${formatBytes(memory.total)} of memory`;
}
/** Exported for its test. */
export const describePair = ({ stepSeconds }: Pick<Prediction, 'stepSeconds'>, times: ProgramTimes): string =>
  `predicted ${ms(1e3 * stepSeconds)}, measured ${ms(times.medianMs)} a step (fastest ${ms(times.fastestMs)}, ${times.executions} ${times.executions === 1 ? 'step' : 'steps'})`;

function keep(run: PredictedRun, { environment, stderr }: CliContext): void {
  const folder = cacheDirectory(environment);
  try {
    makeFolder(folder);
    appendFileSync(join(folder, 'predictions.jsonl'), `${JSON.stringify(run)}\n`);
  } catch (error) {
    stderr.write(
      `trenio run: could not store the prediction: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
