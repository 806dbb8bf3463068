// The programs of a script, without running any of them: the script runs with a device that records each program
// and returns zeros (runtime/backends/tracing/). Nothing is compiled, so no C compiler is needed.
//
//   script ─▶ rank process, TRENIO_TRACE_ONLY=folder ─▶ folder/report.jsonl + program-N.mlir ─▶ TracedScript
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedVariables, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { costOfModule } from '../../hlo/cost.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { reportFile, type TracedLine } from '../../runtime/backends/tracing/tracing-backend.ts';
import { type StagedProgram, type StoredStages, stagesOfStored } from '../../transforms/pipeline/staged-program.ts';
import { launch } from './launch.ts';

/** A program of the script. */
export interface TracedProgram {
  /** The call that recorded it: `step`, `read`, `compiled_function`. */
  readonly name: string;
  /** The program. */
  readonly module: Module;
  /** The number of times the script ran it while it was traced. */
  readonly executions: number;
  /** The number of inputs that hold state, which it replaces: parameters, moments, counters. */
  readonly donatedInputs: number;
  /** The programs of the stages of a pipeline, on all ranks along it; undefined for another step. */
  readonly stages?: StagedProgram | undefined;
}

/** The programs that a script runs. */
export interface TracedScript {
  /** In the order of their first execution. */
  readonly programs: readonly TracedProgram[];
  /** The program that ran most often among those that replace state; if there are several, the one with the most work. */
  readonly trainingStep: TracedProgram;
  /** The number of training steps of the script; undefined if it was ended early. */
  readonly steps: number | undefined;
}

/** The ranks of a run. */
export interface TracedRanks {
  /** Their number. */
  readonly count: number;
  /** `dp_shard=2,tp=2`: what `initDeviceMesh()` makes of them. Default: all on the axis `data`. */
  readonly layout?: string | undefined;
}

/** Options of `traceScript`. */
export interface TraceScriptOptions {
  /** The working directory of the script. Default: that of this process. */
  readonly cwd?: string;
  /** The environment variables of the script. Default: those of this process. */
  readonly variables?: Variables;
  /** The destination of the script's output. By default the standard error stream. */
  readonly output?: OutputStream;
  /** The ranks of the run of which the first is traced, and how they are arranged. Default: a single rank. */
  readonly ranks?: TracedRanks | undefined;
  /** The script is ended after this many executions in a row without a new program. Default 20. */
  readonly maxExecutions?: number;
  /** Stops the script when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a script without its programs: tensors that it reads are zeros, and Trenio does not write saved files. The script itself
 * runs, so its own file operations take effect. Only one rank runs.
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {SCRIPT_FAILED} if it ends with an error
 * @throws {NO_TRAINING_STEP} if it runs no program that replaces state; the signal's reason if it is aborted
 * @example
 * ```ts no-run
 * const { trainingStep } = await traceScript('train.ts', ['--batch-size', '32']);
 * console.log(hlo.costOfModule(trainingStep.module).total.flops);
 * ```
 */
export async function traceScript(
  script: string,
  args: readonly string[] = [],
  options: TraceScriptOptions = {},
): Promise<TracedScript> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-trace-'));
  const output = options.output ?? process.stderr;
  // The layout of a run around this one is not that of the script.
  const { TRENIO_LAYOUT: _, ...variables } = options.variables ?? inheritedVariables();
  const { ranks = { count: 1 } } = options;
  try {
    const { exitCode } = await launch({
      script,
      args,
      cwd: options.cwd ?? process.cwd(),
      variables: {
        ...variables,
        TRENIO_TRACE_ONLY: folder,
        TRENIO_TRACE_RANKS: String(ranks.count),
        ...(ranks.layout === undefined ? {} : { TRENIO_LAYOUT: ranks.layout }),
        TRENIO_COMPILE_STEPS: String(options.maxExecutions ?? 20),
        // Both would run programs.
        TRENIO_BACKEND: 'cpu',
        TRENIO_EAGER: '0',
        TRENIO_PROFILE: '0',
      },
      stdout: output,
      stderr: output,
      capture: true,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    options.signal?.throwIfAborted();
    if (exitCode !== 0) throw new TrenioError('SCRIPT_FAILED', { script, exitCode });
    return collected(script, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The program of a set that is the training step, by the rule of `TracedScript.trainingStep`.
 * @example
 * ```ts no-run
 * const { programs } = await traceScript('train.ts');
 * console.log(trainingStepOf(programs)?.name);
 * ```
 */
export function trainingStepOf<
  P extends {
    /** The program. */
    readonly module: Module;
    /** The number of its executions. */
    readonly executions: number;
  },
>(programs: readonly P[]): P | undefined {
  const candidates = programs.filter(({ module }) => mainOf(module).aliases.some(alias => alias !== undefined));
  const most = Math.max(...candidates.map(program => program.executions));
  const work = ({ module }: P): number => costOfModule(module).total.flops;
  return candidates.filter(program => program.executions === most).sort((a, b) => work(b) - work(a))[0];
}

function collected(script: string, folder: string): TracedScript {
  const found: { name: string; file: string; stages: StoredStages | undefined; executions: number }[] = [];
  let isStopped = false;
  for (const line of linesOf(folder)) {
    if (line.kind === 'program') found.push({ name: line.name, file: line.file, stages: line.stages, executions: 0 });
    else if (line.kind === 'run') found[line.program]!.executions++;
    else isStopped = true;
  }
  const read = (file: string): Module => parseModule(readFileSync(join(folder, file), 'utf8'));
  const programs = found.map(({ name, file, stages, executions }): TracedProgram => {
    const module = read(file);
    const donatedInputs = mainOf(module).aliases.filter(alias => alias !== undefined).length;
    return { name, module, executions, donatedInputs, stages: stages && stagesOfStored(stages, read) };
  });
  const trainingStep = trainingStepOf(programs.filter(program => program.executions > 0));
  if (trainingStep === undefined) throw new TrenioError('NO_TRAINING_STEP', { script, programs: programs.length });
  return { programs, trainingStep, steps: isStopped ? undefined : trainingStep.executions };
}

function linesOf(folder: string): readonly TracedLine[] {
  let text: string;
  try {
    text = readFileSync(join(folder, reportFile), 'utf8');
  } catch (error) {
    expectFileError(error, 'ENOENT');
    return []; // the script has no programs
  }
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as TracedLine);
}
