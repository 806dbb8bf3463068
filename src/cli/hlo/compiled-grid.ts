// Runs the processes of an `interpreter.run_parallel` as compiled programs, one rank each, started by `trenio run`. The
// interpreter runs the program around them, with its checks.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { neighbor } from '../../base/neighbor.ts';
import { bytesOf, literalOfBytes } from '../../hlo/literal.ts';
import type { Func, Module, Value } from '../../hlo/program.ts';
import { isLiteral, type RuntimeValue, token } from '../../hlo/steps.ts';
import { printModule } from '../../hlo/text/printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import type { RunParts } from '../../transforms/partition/run-in-parts.ts';
import type { RankWork } from './grid-rank.ts';

/** Ops that transfer data between host and device during a step; only the interpreter supports them. */
const withHost: ReadonlySet<string> = new Set(['infeed', 'outfeed', 'interpreter.print', 'interpreter.probe']);

/** True for a program that runs functions in separate processes. */
export const startsProcesses = (module: Module): boolean =>
  module.functions.some(func => {
    let found = false;
    forEachOp(func.body, op => {
      found ||= op.name === 'interpreter.run_parallel';
    });
    return found;
  });

/** The op that prevents these functions from being compiled; undefined if there is none. */
export function hostOpOf(module: Module, programs: readonly (readonly string[])[]): string | undefined {
  const used = new Set(programs.flat());
  let name: string | undefined;
  for (const func of module.functions) {
    if (!used.has(func.name)) continue;
    forEachOp(func.body, op => {
      const isHost = (op.name === 'send' || op.name === 'recv') && op.attributes.isHostTransfer;
      if (isHost || withHost.has(op.name)) name = op.name;
    });
  }
  return name;
}

const isTensor = (v: Value): boolean => v.type.kind === 'tensor';

/**
 * The interpreter's option `runGrid`: runs one function per rank and returns the results of all.
 * @throws {UNSUPPORTED} if a function transfers data to or from the host
 * @throws {GRID_FAILED} if a rank fails
 */
export const compiledGrid =
  (environment: Variables) =>
  (
    module: Module,
    programs: readonly (readonly string[])[],
    _infeed: readonly string[],
    args: readonly RuntimeValue[],
  ): readonly RuntimeValue[] => {
    const hostOp = hostOpOf(module, programs);
    if (hostOp !== undefined) {
      const what = `${hostOp}, which exchanges data with the host,`;
      throw new TrenioError('UNSUPPORTED', { what, where: 'compiled ranks', instead: 'use --backend interpreter' });
    }
    const folder = mkdtempSync(join(tmpdir(), 'trenio-grid-'));
    try {
      const grid = { numReplicas: programs.length, numPartitions: programs[0]!.length };
      const functions = programs.flat().map(name => module.functions.find(f => f.name === name)!);
      let next = 0;
      functions.forEach((func, rank) => {
        const mine = args.slice(next, next + func.body.args.length);
        next += mine.length;
        const body = { ...func.body, results: func.body.results.filter(isTensor) };
        const main: Func = { ...func, name: 'main', body };
        const others = module.functions.filter(f => f.name !== 'main' && f.name !== func.name);
        const text = printModule({ ...module, ...grid, functions: [main, ...others] });
        const bytes = mine.filter(isLiteral).map(v => Buffer.from(bytesOf(v)).toString('base64'));
        writeFileSync(join(folder, `${rank}.json`), JSON.stringify({ text, args: bytes } satisfies RankWork));
      });
      runRanks(functions.length, folder, environment);
      return functions.flatMap(({ body }, rank) => {
        const results = JSON.parse(readFileSync(join(folder, `${rank}.out`), 'utf8')) as string[];
        const tensors = body.results.filter(isTensor);
        return body.results.map(v => {
          if (!isTensor(v)) return token;
          const bytes = new Uint8Array(Buffer.from(results[tensors.indexOf(v)]!, 'base64'));
          return literalOfBytes(v.type as TensorType, bytes);
        });
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

/** Runs the program of each device as a compiled rank. */
export const compiledParts =
  (environment: Variables): RunParts =>
  (module, args) => {
    const results = compiledGrid(environment)(module, [args.map(() => 'main')], [], args.flat()).filter(isLiteral);
    const count = results.length / args.length;
    return args.map((_, device) => results.slice(device * count, (device + 1) * count));
  };

/** Waits for `trenio run`: the interpreter that needs the results is synchronous. */
function runRanks(ranks: number, folder: string, environment: Variables): void {
  const main = fileURLToPath(neighbor(import.meta.url, '../main.ts'));
  const script = fileURLToPath(neighbor(import.meta.url, './grid-rank.ts'));
  try {
    execFileSync(process.execPath, [...process.execArgv, main, 'run', `--nproc_per_node=${ranks}`, script, folder], {
      env: { ...environment, TRENIO_BACKEND: 'cpu', TRENIO_EAGER: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      maxBuffer: 64 << 20,
    });
  } catch (error) {
    const { stderr, status, signal } = error as { stderr?: Buffer; status?: number | null; signal?: string | null };
    if (stderr === undefined) throw error;
    throw new TrenioError('GRID_FAILED', { ranks, how: signal ?? `exit code ${status}`, output: `${stderr}`.trim() });
  }
}
