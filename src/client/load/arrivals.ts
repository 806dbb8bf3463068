// When requests of a load arrive, with the process and the names of `vllm bench serve`.
import { randomFraction } from '../../models/generation/sample-token.ts';

export interface ArrivalOptions {
  /** Requests per second; Infinity: all at once. */
  readonly requestRate: number;
  /** The shape of the gamma distribution of the times between requests: 1 is a Poisson process, less has bursts. */
  readonly burstiness: number;
  readonly seed: number;
}

/** The seconds from the start to each of `count` requests: the last one comes after count / rate. */
export function arrivals(count: number, { requestRate, burstiness, seed }: ArrivalOptions): readonly number[] {
  if (!Number.isFinite(requestRate)) return new Array<number>(count).fill(0);
  let draws = 0;
  const uniform = (): number => 1 - randomFraction(seed, 1, draws++);
  let at = 0;
  const times = Array.from({ length: count }, () => {
    at += gamma(burstiness, uniform);
    return at;
  });
  const scale = count / requestRate / at;
  return times.map(time => time * scale);
}

/** A number of the gamma distribution with scale 1 (Marsaglia and Tsang 2000). */
function gamma(shape: number, uniform: () => number): number {
  if (shape < 1) return gamma(shape + 1, uniform) * uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
