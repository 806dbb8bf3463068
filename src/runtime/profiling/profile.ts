// The time of compiled steps, kernel by kernel: tables of words that native code updates while it runs
// (trenio_rt.h: `profile`), and their interpretation. Printing is in profile-table.ts.
import type { KernelInfo } from '../../compiler/index.ts';
import { type Address, addressOf } from '../execution/native-library.ts';
import type { KernelTimer, ProgramParts, Tables } from '../execution/timers.ts';

/** A kernel's share in the steps of a program. */
export interface KernelProfile {
  /** The kernel. */
  readonly kernel: KernelInfo;
  /** The number of its runs in all steps. */
  readonly calls: number;
  /** Over all steps. */
  readonly nanoseconds: number;
}
/** The time of a program, by kernel. */
export interface ProgramProfile {
  /** The name of the program. */
  readonly program: string;
  /** The number of profiled executions. */
  readonly steps: number;
  /** Sum over all steps, from start to end: kernels and the time between them. */
  readonly nanoseconds: number;
  /** The kernels that ran, slowest first. */
  readonly kernels: readonly KernelProfile[];
}

interface Counted {
  readonly program: string;
  readonly parts: ProgramParts;
  readonly first: BigInt64Array;
  readonly later: BigInt64Array;
}

/** The words before those of the calls: the number of runs of the program, and its nanoseconds (native/stream.c). */
const headWords = 2;

export class Profiler implements KernelTimer {
  readonly #counted: Counted[] = [];
  readonly #byAddress = new Map<Address, Counted>();

  add(program: string, parts: ProgramParts): Tables {
    const words = headWords + 2 * parts.calls.length;
    const [first, later] = [new ArrayBuffer(8 * words), new ArrayBuffer(8 * words)];
    const counted = { program, parts, first: new BigInt64Array(first), later: new BigInt64Array(later) };
    this.#counted.push(counted);
    const tables = { first: addressOf(first), later: addressOf(later) };
    for (const address of [tables.first, tables.later]) this.#byAddress.set(address, counted);
    return tables;
  }
  /** The program whose times are accumulated at this address. */
  programAt(address: Address): { readonly program: string; readonly parts: ProgramParts } | undefined {
    return this.#byAddress.get(address);
  }

  /**
   * Reports on the steps that have ended: wait for them first. A program's first step is excluded unless it is the only one.
   * The slowest program comes first; those that never ran do not.
   */
  report(): readonly ProgramProfile[] {
    return this.#counted
      .map(({ program, parts, first, later }) => {
        const words = later[0] === 0n ? first : later;
        const [steps, nanoseconds] = [Number(words[0]), Number(words[1])];
        return { program, steps, nanoseconds, kernels: kernelsOf(parts, words) };
      })
      .filter(({ steps }) => steps > 0)
      .sort((a, b) => b.nanoseconds - a.nanoseconds);
  }

  /** Resets the counters, for instance after warm-up steps. */
  reset(): void {
    for (const { first, later } of this.#counted) for (const words of [first, later]) words.fill(0n);
  }
}

/** Kernels grouped by kind, for an overview: all multiplies of a shape are one group. */
export function kernelGroups(profiles: readonly ProgramProfile[]): { name: string; calls: number; totalMs: number }[] {
  const groups = new Map<string, { name: string; calls: number; totalMs: number }>();
  for (const { kernels } of profiles) {
    for (const { kernel, calls, nanoseconds } of kernels) {
      const name = kernel.kind === 'multiply' ? `multiply ${kernel.shape}` : kernel.kind;
      const group = groups.get(name) ?? { name, calls: 0, totalMs: 0 };
      group.calls += calls;
      group.totalMs += nanoseconds / 1e6;
      groups.set(name, group);
    }
  }
  return [...groups.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, 16);
}

function kernelsOf({ kernels, calls }: ProgramParts, words: BigInt64Array): readonly KernelProfile[] {
  const sums = kernels.map(kernel => ({ kernel, calls: 0, nanoseconds: 0 }));
  calls.forEach((number, call) => {
    const sum = sums[number]!;
    sum.calls += Number(words[headWords + 2 * call]);
    sum.nanoseconds += Number(words[headWords + 2 * call + 1]);
  });
  return sums.filter(sum => sum.calls > 0).sort((a, b) => b.nanoseconds - a.nanoseconds);
}
