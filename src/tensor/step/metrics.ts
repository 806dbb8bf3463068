// Counters of a device. Times are host times, in milliseconds.

import type { Communication } from '../../transforms/partition/communication.ts';
import type { Replicated } from '../../transforms/partition/replicated.ts';

/** Counters of a device. Times are host times, in milliseconds. */
export interface Metrics {
  /** Programs compiled or loaded because no earlier program of this process matched. */
  compiles: number;
  /** Executions of a program that this process already had. */
  cacheHits: number;
  /** The number of executed programs. */
  executions: number;
  /** From recorded values to a program and its key. Recording itself is the user's code running. */
  traceMs: number;
  /** The time spent compiling, in milliseconds. */
  compileMs: number;
  /** The number of completed steps. */
  stepsMarked: number;
  /** How long programs have waited for collectives; those that overlap with computation count only while they are awaited. */
  readonly collectiveMs: number;
  /**
   * The processor time of collectives between hosts, in milliseconds: copying, sending and summing, on the threads that run them,
   * without waiting for data or for late ranks. 0 if all ranks are on one host: those spin while they wait.
   */
  readonly collectiveCpuMs: number;
}
/** The two times of collectives are those of the device so far. */
export const newMetrics = (collectiveMs: () => number, collectiveCpuMs: () => number): Metrics => ({
  compiles: 0,
  cacheHits: 0,
  executions: 0,
  traceMs: 0,
  compileMs: 0,
  stepsMarked: 0,
  get collectiveMs() {
    return collectiveMs();
  },
  get collectiveCpuMs() {
    return collectiveCpuMs();
  },
});

/** One compilation, and why it was needed. */
export interface CompileEvent {
  /** `display`: a value that was printed before it was computed. */
  readonly kind: 'step' | 'read' | 'compiled function' | 'display';
  /** The user's line that ran the program, as `file:line`. */
  readonly at: string;
  /** The number of ops. */
  readonly ops: number;
  /** The compile time in milliseconds. */
  readonly compileMs: number;
  /** Whether the program was read from the cache on disk. */
  readonly fromCache: boolean;
  /** Whether it runs from its kernels until it is compiled, in the background. */
  readonly isFromKernels: boolean;
  /** The number of kernels; 0 if it runs from them. */
  readonly kernels: number;
  /** The memory for intermediate results in bytes; 0 if it runs from its kernels. */
  readonly arenaBytes: number;
  /** The first difference from the program that ran there before; undefined for the first one. */
  readonly because: string | undefined;
  /** The collectives of the program of one rank. */
  readonly communication: readonly Communication[];
  /** Ops that every rank computes whole although an operand is divided. */
  readonly replicated: readonly Replicated[];
}

/** A history as text, one line per compilation. */
export function explainHistory(history: readonly CompileEvent[]): string {
  const line = (e: CompileEvent): string =>
    `${e.kind} at ${e.at}: ${e.ops} ops, ${e.isFromKernels ? 'from its kernels until it is compiled' : `${e.kernels} kernels`}, ${e.compileMs.toFixed(0)} ms${e.fromCache ? ' (from the cache)' : ''}` +
    (e.because === undefined ? '' : `; because ${e.because}`);
  return history.map(line).join('\n');
}
