// `trenio compile`: a script's programs, compiled before it trains. The model is Neuron's neuron_parallel_compile: a trial
// run collects what the script asks for.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../base/table.ts';
import { formatDuration } from '../base/units.ts';
import { launch } from '../parallel/launch.ts';
import type { CollectedLine } from '../runtime/index.ts';
import { defineCommand } from './command.ts';
import { countRanks, ranksOption } from './ranks-option.ts';

export const compileCommand = defineCommand({
  name: 'compile',
  summary: 'Compile every program that a training script will need, without training.',
  description: [
    'Runs the script, compiles each program that it asks for with every core, and runs none of them: tensors that it reads are',
    'zeros, and what Trenio saves is not written. What the script writes by itself holds zeros too. It ends with the script, or',
    'after N executions without a new program; programs that come later, or depend on trained values, are not seen. Of the',
    'batches of a DeviceLoader that have the same shapes only the first of each epoch are given, so that the last one, which may be',
    'shorter, and the evaluation after it are seen. What the script prints goes to the standard error stream.',
    '',
    'A script that will be run by several ranks is run as many times, each as one of the ranks, which do not wait for each other: with',
    'the --nproc-per-node of trenio run that command compiles nothing. A program of several ranks is counted once.',
    '',
    'Ends with 1 if a program could not be compiled or the script failed.',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'A TypeScript or JavaScript file.', required: true }],
  rest: { name: 'args', description: 'What the script gets as its arguments.' },
  options: {
    'nproc-per-node': ranksOption,
    steps: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1_000_000_000,
      default: 100,
      description: 'How many executions without a new program are enough.',
    },
    json: {
      kind: 'flag',
      description: 'One JSON object: {"total", "succeeded", "failed", "fromCache", "programs", …}.',
    },
  },
  examples: [
    { command: 'trenio compile train.ts', explanation: 'then trenio run train.ts starts at once' },
    {
      command: 'trenio compile --nproc_per_node=4 train.ts --batch-size 16',
      explanation: 'then trenio run --nproc_per_node=4 train.ts --batch-size 16 does',
    },
    {
      command: 'trenio compile --steps 2000 train.ts',
      explanation: 'through an epoch of 2,000 steps that come from no DeviceLoader, to the evaluation after it',
    },
  ],
  run: async ({ options, positionals: [script], rest }, context) => {
    const folder = mkdtempSync(join(tmpdir(), 'trenio-compile-'));
    const report = join(folder, 'report');
    try {
      const { exitCode } = await launch({
        script: script!,
        args: rest,
        nprocPerNode: countRanks('compile', options['nproc-per-node']),
        cwd: context.cwd,
        variables: {
          ...context.environment,
          TRENIO_COMPILE_ONLY: report,
          TRENIO_COMPILE_STEPS: String(options.steps),
        },
        stdout: context.stderr,
        stderr: context.stderr,
        capture: true,
        signal: context.signal,
      });
      const summary = summaryOf(linesOf(report), exitCode);
      context.stdout.write(`${options.json ? JSON.stringify(summary) : describeSummary(summary)}\n`);
      return summary.failed > 0 ? 1 : exitCode;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

function linesOf(report: string): readonly CollectedLine[] {
  let text: string;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    return []; // the script asked for nothing
  }
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as CollectedLine);
}

type ProgramLine = Extract<CollectedLine, { readonly kind: 'program' }>;
interface CollectedProgram extends Omit<ProgramLine, 'kind' | 'key' | 'rank'> {
  /** Which ranks asked for it. */
  readonly ranks: readonly number[];
}
export interface CompileSummary {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of those that succeeded. */
  readonly fromCache: number;
  readonly compileMs: number;
  readonly programs: readonly CollectedProgram[];
  /** After how many executions without a new program the script was ended; null where it ended by itself. */
  readonly stoppedAfter: number | null;
  readonly scriptExitCode: number;
}

/** Exported for its test. */
export function summaryOf(lines: readonly CollectedLine[], scriptExitCode: number): CompileSummary {
  const stopped = lines.filter(line => line.kind === 'stopped');
  const stoppedAfter = stopped.length === 0 ? null : Math.max(...stopped.map(({ executions }) => executions));
  const byKey = Map.groupBy(
    lines.filter(line => line.kind === 'program'),
    line => line.key,
  );
  const programs = [...byKey.values()].map(programOf);
  const failed = programs.filter(program => program.error !== undefined).length;
  return {
    total: programs.length,
    succeeded: programs.length - failed,
    failed,
    fromCache: programs.filter(program => program.fromCache).length,
    compileMs: programs.reduce((sum, program) => sum + program.compileMs, 0),
    programs,
    stoppedAfter,
    scriptExitCode,
  };
}

/** A program as its ranks report it: one of them compiles it, and the others wait and find it in the cache. */
function programOf(lines: readonly ProgramLine[]): CollectedProgram {
  const compiled = lines.find(line => line.error !== undefined) ?? lines.find(line => !line.fromCache) ?? lines[0]!;
  const { kind: _kind, key: _key, rank: _rank, ...program } = compiled;
  return { ...program, ranks: lines.map(({ rank }) => rank).sort((a, b) => a - b) };
}

/** Exported for its test. */
export function describeSummary(summary: CompileSummary): string {
  const { total, succeeded, failed, fromCache, compileMs, programs, stoppedAfter, scriptExitCode } = summary;
  const all = [...new Set(programs.flatMap(({ ranks }) => ranks))];
  const rows = programs.map(({ name, ops, kernels, compileMs: ms, fromCache: known, error, ranks }) => [
    ranks.length === all.length ? name : `${name} (rank${ranks.length === 1 ? '' : 's'} ${ranks.join(', ')})`,
    `${ops}`,
    `${kernels}`,
    formatDuration(ms / 1000),
    error === undefined ? (known ? 'from the cache' : 'compiled') : 'failed',
  ]);
  const headers = ['program', 'ops', 'kernels', 'time', 'result'].map((header, i) =>
    i >= 1 && i <= 3 ? ({ header, align: 'right' } as const) : { header },
  );
  return [
    ...(rows.length === 0 ? [] : [formatTable(headers, rows), '']),
    ...programs.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`, ''])),
    `total ${total}, succeeded ${succeeded}, failed ${failed}, from the cache ${fromCache}, in ${formatDuration(compileMs / 1000)}`,
    ...(stoppedAfter === null
      ? []
      : [`ended after ${stoppedAfter} executions without a new program; --steps goes further`]),
    ...(scriptExitCode === 0
      ? []
      : [`the script failed with exit code ${scriptExitCode}: what it would have asked for later is missing`]),
  ].join('\n');
}
