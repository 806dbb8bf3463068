// How close a kernel is to the limits of the machine: the minimum time for its multiply-adds or its memory traffic (the roofline
// of Williams, Waterman, Patterson 2009), and which of the two is the bottleneck.
import type { KernelInfo } from '../../compiler/index.ts';
import type { Rates } from './limits.ts';

/** The bottleneck of a kernel: `overhead` if starting it takes longer than its work, `other` if it is far from both limits. */
export type Bound = 'compute' | 'memory' | 'overhead' | 'other';

export interface Roofline {
  /** The minimum times of the arithmetic and of the memory traffic, in nanoseconds. */
  readonly computeNs: number;
  readonly memoryNs: number;
  /** The longer of the two as a share of the time taken. Above 1 if data came from a cache. */
  readonly share: number;
  readonly bound: Bound;
}

type Work = Pick<KernelInfo, 'flops' | 'products' | 'bytesRead' | 'bytesWritten' | 'bytesInPlace'>;

/** Starting a kernel on several threads takes about this long. */
const startNs = 3000;
const nearEnough = 0.3;

/** The limits of one call that takes `nanoseconds`. */
export function rooflineOf(work: Work, nanoseconds: number, rates: Rates): Roofline {
  const peak =
    work.products === 'f64' ? rates.f32 / 2 : work.products === 'bf16' ? (rates.bf16 ?? rates.f32) : rates.f32;
  const computeNs = work.flops / peak;
  const both = work.bytesInPlace > 0 ? Math.max(rates.copy, rates.inPlace) : rates.copy;
  // Reads and writes overlap: each has a limit, and so does their sum.
  const memoryNs = Math.max(
    work.bytesRead / rates.read,
    work.bytesWritten / rates.write,
    work.bytesWritten > 0 && work.bytesRead > 0 ? (work.bytesRead + work.bytesWritten) / Math.max(both, rates.read) : 0,
  );
  const needed = Math.max(computeNs, memoryNs);
  const share = nanoseconds > 0 ? needed / nanoseconds : 0;
  const near = computeNs >= memoryNs ? 'compute' : 'memory';
  const bound = share >= nearEnough ? near : nanoseconds < 2 * startNs ? 'overhead' : 'other';
  return { computeNs, memoryNs, share, bound };
}
