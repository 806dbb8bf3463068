// Sampling of one token: temperature, then top-k, top-p and min-p, applied one after another as in transformers. The random
// number depends only on the seed, the row and the step.
import { philoxWords } from '../../numerics/philox.ts';

/** Settings that restrict the tokens to sample from. */
export interface SamplingSettings {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
}

interface Candidates {
  /** Tokens, the most probable first unless all are candidates. */
  readonly tokens: Int32Array;
  /** exp(score - best score) of each. */
  readonly weights: Float64Array;
}

/** The token at `fraction` (0 ≤ fraction < 1) of the cumulative probability of the candidates. */
export function sampleToken(scores: Float32Array, settings: SamplingSettings, fraction: number): number {
  const { tokens, weights } = candidatesOf(scores, settings);
  let left = fraction * weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < tokens.length; i++) {
    left -= weights[i]!;
    if (left < 0) return tokens[i]!;
  }
  return tokens[weights.findLastIndex(weight => weight > 0)]!;
}

/** The tokens that may be sampled. */
export function candidatesOf(scores: Float32Array, { temperature, topK, topP, minP }: SamplingSettings): Candidates {
  const scaled = temperature === 1 ? scores : scores.map(score => score / temperature);
  let best = Number.NEGATIVE_INFINITY;
  for (const score of scaled) if (score > best) best = score;
  const lowest = topK > 0 && topK < scaled.length ? largestAt(scaled, topK) : Number.NEGATIVE_INFINITY;
  const isCut = lowest !== Number.NEGATIVE_INFINITY;
  let kept = weighed(scaled, best, score => score >= lowest, isCut);
  if (topP < 1) kept = isCut ? mostProbable(kept, topP, totalOf(kept)) : nucleus(scaled, best, topP, totalOf(kept));
  if (minP > 0) kept = keep(kept, weight => weight >= minP);
  return kept;
}

const totalOf = ({ weights }: Candidates): number => weights.reduce((sum, weight) => sum + weight, 0);

function weighed(scores: Float32Array, best: number, isKept: (score: number) => boolean, sorted: boolean): Candidates {
  const tokens: number[] = [];
  for (let i = 0; i < scores.length; i++) if (isKept(scores[i]!)) tokens.push(i);
  if (sorted) tokens.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return {
    tokens: Int32Array.from(tokens),
    weights: Float64Array.from(tokens, token => Math.exp(scores[token]! - best)),
  };
}

/** Sorts only the tokens above a bound, which is lowered until it suffices: sorting a whole vocabulary is slow. */
function nucleus(scores: Float32Array, best: number, topP: number, total: number): Candidates {
  for (let depth = 5; ; depth *= 2) {
    const some = weighed(scores, best, score => score >= best - depth, true);
    if (some.tokens.length === scores.length || totalOf(some) >= topP * total) return mostProbable(some, topP, total);
  }
}

/** The shortest prefix of sorted tokens with at least the share `topP` of `total`. */
function mostProbable({ tokens, weights }: Candidates, topP: number, total: number): Candidates {
  let [count, before] = [0, 0];
  while (count < tokens.length && (count === 0 || before < topP * total)) before += weights[count++]!;
  return { tokens: tokens.subarray(0, count), weights: weights.subarray(0, count) };
}

function keep({ tokens, weights }: Candidates, isKept: (weight: number) => boolean): Candidates {
  return { tokens: tokens.filter((_, i) => isKept(weights[i]!)), weights: weights.filter(isKept) };
}

/** The `k`-th largest score. */
function largestAt(scores: Float32Array, k: number): number {
  // A min-heap of the k largest scores so far.
  const heap = new Float32Array(k).fill(Number.NEGATIVE_INFINITY);
  for (const score of scores) {
    if (!(score > heap[0]!)) continue;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= k) break;
      if (child + 1 < k && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = score;
  }
  return heap[0]!;
}

/** A uniform random number, 0 ≤ x < 1. */
export function randomFraction(seed: number, row: number, step: number): number {
  const [high, low] = philoxWords(BigInt(seed), (BigInt(row) << 32n) | BigInt(step), 2) as unknown as [number, number];
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}
