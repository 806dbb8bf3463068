// `trenio compile`: compiles the programs of a script before it trains. Like Neuron's neuron_parallel_compile, it collects
// the programs in a trial run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../base/table.ts';
import { formatDuration } from '../base/units.ts';
import { launch } from '../distributed/launch/launch.ts';
import type { CollectedLine } from '../runtime/index.ts';
import { defineCommand } from './command.ts';
import { countRanks, ranksOption } from './ranks-option.ts';

export const compileCommand = defineCommand({
  name: 'compile',
  summary: 'Compile the programs of a training script ahead of time, without training.',
  description: [
    'Runs the script and compiles its programs on all cores without executing them: tensors read as zeros, and Trenio writes no',
    'checkpoints or results. Files that the script writes by itself will contain zeros. The command stops when the script ends, or',
    'after N executions without a new program; programs that come later, or that depend on trained values, are not found. A',
    'DeviceLoader returns only the first batches of each shape in an epoch, so that a shorter last batch and the evaluation after',
    'it are reached quickly. The output of the script goes to standard error.',
    '',
    'For several ranks, pass the same --nproc-per-node as to trenio run. The script is then run once per rank, without the ranks',
    'waiting for each other. A program that several ranks share is counted once.',
    '',
    'Exits with 1 if a program could not be compiled or the script failed.',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'A TypeScript or JavaScript file.', required: true }],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: {
    'nproc-per-node': ranksOption,
    steps: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1_000_000_000,
      default: 100,
      description: 'Stop after this many executions without a new program.',
    },
    json: {
      kind: 'flag',
      description: 'One JSON object: {"total", "succeeded", "failed", "fromCache", "programs", …}.',
    },
  },
  examples: [
    { command: 'trenio compile train.ts', explanation: 'trenio run train.ts then starts without compiling' },
    {
      command: 'trenio compile --nproc_per_node=4 train.ts --batch-size 16',
      explanation: 'the programs of four ranks',
    },
    {
      command: 'trenio compile --steps 2000 train.ts',
      explanation: 'covers an epoch of 2,000 steps without a DeviceLoader, and the evaluation after it',
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
    return []; // the script has no programs
  }
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as CollectedLine);
}

type ProgramLine = Extract<CollectedLine, { readonly kind: 'program' }>;
interface CollectedProgram extends Omit<ProgramLine, 'kind' | 'key' | 'rank'> {
  /** The ranks that need the program. */
  readonly ranks: readonly number[];
}
export interface CompileSummary {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  /** How many of the succeeded programs were in the cache. */
  readonly fromCache: number;
  readonly compileMs: number;
  readonly programs: readonly CollectedProgram[];
  /** The number of executions without a new program after which the script was stopped; null if it ended by itself. */
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

/** Merges the reports of several ranks on one program: one rank compiles it, the others find it in the cache. */
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
      : [`stopped after ${stoppedAfter} executions without a new program; use --steps to continue longer`]),
    ...(scriptExitCode === 0
      ? []
      : [`the script failed with exit code ${scriptExitCode}: programs after that point are missing`]),
  ].join('\n');
}
