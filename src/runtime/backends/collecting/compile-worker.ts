// A process of `trenio compile`: it compiles the requested programs one after the other. Several of them, also on other
// machines, may have the same list and the same cache: a program that another process has claimed is skipped, unless there is
// nothing else to do.
import { setTimeout } from 'node:timers/promises';
import { assertNever, isTrenioError } from '../../../base/errors.ts';
import { Interrupted } from '../../../base/interrupted.ts';
import { loggerFrom } from '../../../base/logger.ts';
import { compileProgram } from '../../execution/compile-program.ts';
import type { ProgramDescription } from '../../execution/native-program.ts';
import { findCompiler } from '../../toolchain/c-compiler.ts';
import { CompileCache } from '../../toolchain/compile-cache.ts';
import { type Claim, releaseClaim } from '../../toolchain/compile-claim.ts';
import { nativeRequest } from '../../toolchain/native-sources.ts';
import { programKey } from '../../toolchain/program-key.ts';
import { readGraph } from './graph-file.ts';

export type CompileTask =
  | { readonly kind: 'runtime' }
  | {
      readonly kind: 'program';
      readonly file: string;
      /** Whether to wait for another process that compiles it. */
      readonly mayWait: boolean;
    };
export type CompileReply =
  | {
      readonly kind: 'compiled';
      readonly kernels: number;
      readonly fromCache: boolean;
      readonly compileMs: number;
      /** Why it could not be compiled. */
      readonly error?: string;
    }
  /** Another process compiles it. */
  | { readonly kind: 'held' };

const pollMs = 250;
const cores = Number(process.argv[2]);
const cache = CompileCache.of(undefined, loggerFrom(), cores);
const compiler = findCompiler();

// A signal reaches both this process and the C compiler, whose exit is reported as an interruption.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // Applies between two tasks, and while waiting for another process.
    process.exit(new Interrupted(signal).exitCode);
  });
// The command has ended, for any reason.
process.on('disconnect', () => process.exit(1));

process.on('message', (task: CompileTask) => {
  void perform(task).then(reply => process.send!(reply));
});

async function perform(task: CompileTask): Promise<CompileReply> {
  const start = performance.now();
  const reply = (kernels: number, fromCache: boolean, error?: string): CompileReply => {
    const compileMs = performance.now() - start;
    return { kind: 'compiled', kernels, fromCache, compileMs, ...(error === undefined ? {} : { error }) };
  };
  try {
    switch (task.kind) {
      case 'runtime':
        return reply(0, cache.obtain(nativeRequest(), compiler).fromCache);
      case 'program':
        return await compileGraph(task, reply);
      default:
        return assertNever(task);
    }
  } catch (error) {
    if (error instanceof Interrupted) process.exit(error.exitCode);
    if (!isTrenioError(error)) throw error;
    return reply(0, false, error.message);
  }
}

async function compileGraph(
  { file, mayWait }: Extract<CompileTask, { kind: 'program' }>,
  reply: (kernels: number, fromCache: boolean) => CompileReply,
): Promise<CompileReply> {
  const { module, operators, moduleKey, target } = readGraph(file);
  const key = programKey(module, moduleKey, target, compiler);
  const known = (): CompileReply | undefined => {
    const found = cache.recall(key);
    return found && reply((found.description as ProgramDescription).kernels, true);
  };
  const claim = await claimFor(key, () => known() !== undefined, mayWait);
  if (claim === 'held') return { kind: 'held' };
  try {
    // Another process may have compiled it before this one claimed it.
    const found = known();
    if (found !== undefined) return found;
    const { library, description } = compileProgram({ cache, compiler }, { module, operators, moduleKey, target });
    return reply(description.kernels, library.fromCache);
  } finally {
    if (claim !== undefined) releaseClaim(claim);
  }
}

/** The claim of a program; undefined if it is ready or cannot be claimed. */
async function claimFor(key: string, isReady: () => boolean, mayWait: boolean): Promise<Claim | 'held' | undefined> {
  if (isReady()) return undefined;
  const watch = cache.watch(key);
  for (;;) {
    const claim = cache.claim(key);
    if (claim === 'impossible') return undefined;
    if (claim !== 'held') return claim;
    const seen = watch.look();
    if (seen === 'hopeless') return undefined;
    if (seen === 'free') continue;
    if ('holder' in seen) return seen;
    if (!mayWait) return 'held';
    await setTimeout(pollMs);
    if (isReady()) return undefined;
  }
}
