// Sampling many numbers at once from a counter-based stream: their description, and the reference implementation in JavaScript.
// The runtime has the same algorithm in C (src/runtime/native/samples.c), bit-identical. Not for random numbers inside
// programs.
//
//   24 bits of a Philox word ─▶ u = (bits + ½) / 2²⁴ ─▶ uniform  low + (high − low) · u
//                                                   ─▶ normal   mean + std · quantile(from + (to − from) · u)
import { normalQuantile } from './normal.ts';
import { philoxWords } from './philox.ts';

interface Stream {
  /** 64 bits. */
  readonly key: bigint;
  /** 128 bits: the block from which the first four numbers are computed. */
  readonly counter: bigint;
  /** This range of the samples is set to zero: [first, count]. */
  readonly zeros?: readonly [first: number, count: number];
}
export interface UniformSamples extends Stream {
  readonly kind: 'uniform';
  readonly low: number;
  readonly high: number;
}
export interface NormalSamples extends Stream {
  readonly kind: 'normal';
  readonly mean: number;
  readonly std: number;
  /** The quantiles between which the standard normal distribution is cut off; 0 and 1 for all of it. */
  readonly from: number;
  readonly to: number;
}
/** Independent numbers of one distribution. */
export type Samples = UniformSamples | NormalSamples;

const unit = (word: number): number => ((word >>> 8) + 0.5) / 2 ** 24;

/** The first `count` samples, computed in f64 and rounded to f32. */
export function sampleNumbers(samples: Samples, count: number): Float32Array {
  const words = philoxWords(samples.key, samples.counter, count);
  const out = new Float32Array(count);
  if (samples.kind === 'uniform') {
    const { low, high } = samples;
    for (let i = 0; i < count; i++) out[i] = low + (high - low) * unit(words[i]!);
  } else {
    const { mean, std, from, to } = samples;
    for (let i = 0; i < count; i++) out[i] = mean + std * normalQuantile(from + (to - from) * unit(words[i]!));
  }
  if (samples.zeros !== undefined) out.fill(0, samples.zeros[0], samples.zeros[0] + samples.zeros[1]);
  return out;
}
