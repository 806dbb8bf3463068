// Regression with a Gaussian process. The kernel is Matérn 5/2 with a length scale for each dimension, and the noise is constant;
// both maximize the marginal likelihood.
// C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1 and section 4.2.
import type { Random } from './random.ts';

export interface Prediction {
  readonly mean: number;
  readonly deviation: number;
}

interface Hyperparameters {
  /** The logarithms of the length scales of the dimensions. */
  readonly lengths: readonly number[];
  /** The logarithm of the variance of the noise. */
  readonly noise: number;
}

type Vector = readonly number[];

const SQRT5 = Math.sqrt(5);
const JITTER = 1e-8;
const [MIN_LENGTH, MAX_LENGTH] = [Math.log(0.05), Math.log(4)];
const [MIN_NOISE, MAX_NOISE] = [Math.log(1e-6), Math.log(0.3)];
// A step with n observations takes n³ / 6 multiplications.
const FIT_STEPS = 60;

export class GaussianProcess {
  readonly #inputs: readonly Vector[];
  readonly #lengths: readonly number[];
  /** The rows of the Cholesky factor, up to the diagonal. */
  readonly #factor: readonly Float64Array[];
  readonly #weights: Float64Array;
  readonly #mean: number;
  readonly #scale: number;

  private constructor(inputs: readonly Vector[], targets: Vector, { lengths, noise }: Hyperparameters) {
    this.#inputs = inputs;
    this.#lengths = lengths.map(Math.exp);
    ({ mean: this.#mean, scale: this.#scale } = momentsOf(targets));
    this.#factor = cholesky(kernelMatrix(inputs, this.#lengths, Math.exp(noise)))!;
    this.#weights = solve(this.#factor, standardized(targets));
  }

  /** Fits length scales and noise: tries random points, then takes ever smaller random steps from the best one. */
  static fit(inputs: readonly Vector[], targets: Vector, random: Random): GaussianProcess {
    const values = standardized(targets);
    const dimensions = inputs[0]?.length ?? 0;
    let best: Hyperparameters = {
      lengths: Array.from({ length: dimensions }, () => Math.log(0.5)),
      noise: Math.log(1e-3),
    };
    let bestScore = score(inputs, values, best);
    for (let step = 0; step < FIT_STEPS; step++) {
      const isStart = step < FIT_STEPS / 3;
      const width = isStart ? 0 : 1.2 * (1 - step / FIT_STEPS);
      const pick = (current: number, min: number, max: number): number =>
        isStart
          ? min + random.uniform() * (max - min)
          : Math.min(max, Math.max(min, current + width * random.normal()));
      const tried: Hyperparameters = {
        lengths: best.lengths.map(one => pick(one, MIN_LENGTH, MAX_LENGTH)),
        noise: pick(best.noise, MIN_NOISE, MAX_NOISE),
      };
      const found = score(inputs, values, tried);
      if (found > bestScore) [best, bestScore] = [tried, found];
    }
    return new GaussianProcess(inputs, targets, best);
  }

  predict(input: Vector): Prediction {
    const covariances = Float64Array.from(this.#inputs, one => kernel(one, input, this.#lengths));
    let mean = 0;
    for (let i = 0; i < covariances.length; i++) mean += covariances[i]! * this.#weights[i]!;
    const half = forward(this.#factor, covariances);
    const variance = Math.max(0, 1 - half.reduce((sum, x) => sum + x * x, 0));
    return { mean: this.#mean + this.#scale * mean, deviation: this.#scale * Math.sqrt(variance) };
  }
}

function momentsOf(values: Vector): { readonly mean: number; readonly scale: number } {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  return { mean, scale: Math.sqrt(variance) || 1 };
}

function standardized(values: Vector): Float64Array {
  const { mean, scale } = momentsOf(values);
  return Float64Array.from(values, x => (x - mean) / scale);
}

function kernel(a: Vector, b: Vector, lengths: Vector): number {
  let square = 0;
  for (let i = 0; i < a.length; i++) square += ((a[i]! - b[i]!) / lengths[i]!) ** 2;
  const r = SQRT5 * Math.sqrt(square);
  return (1 + r + (r * r) / 3) * Math.exp(-r);
}

const kernelMatrix = (inputs: readonly Vector[], lengths: Vector, noise: number): Float64Array[] =>
  inputs.map((a, i) =>
    Float64Array.from({ length: i + 1 }, (_, j) => kernel(a, inputs[j]!, lengths) + (i === j ? noise + JITTER : 0)),
  );

/** The logarithm of the marginal likelihood times the prior, up to a constant. */
function score(inputs: readonly Vector[], values: Float64Array, { lengths, noise }: Hyperparameters): number {
  const factor = cholesky(kernelMatrix(inputs, lengths.map(Math.exp), Math.exp(noise)));
  if (factor === undefined) return Number.NEGATIVE_INFINITY;
  const half = forward(factor, values);
  const fit = half.reduce((sum, x) => sum + x * x, 0);
  const volume = factor.reduce((sum, row, i) => sum + Math.log(row[i]!), 0);
  // Length scales far from 0.5 need evidence: their logarithms have a weak normal prior.
  const prior = lengths.reduce((sum, one) => sum + (one - Math.log(0.5)) ** 2, 0) / 4;
  return -fit / 2 - volume - prior;
}

/** The lower Cholesky factor of a symmetric matrix, in place; undefined if it is not positive definite. */
function cholesky(rows: Float64Array[]): Float64Array[] | undefined {
  for (const [i, row] of rows.entries()) {
    for (let j = 0; j <= i; j++) {
      const other = rows[j]!;
      let sum = row[j]!;
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!;
      if (i === j && !(sum > 0)) return undefined;
      row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!;
    }
  }
  return rows;
}

function forward(factor: readonly Float64Array[], right: Float64Array): Float64Array {
  const x = Float64Array.from(right);
  for (const [i, row] of factor.entries()) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= row[k]! * x[k]!;
    x[i] = sum / row[i]!;
  }
  return x;
}

function solve(factor: readonly Float64Array[], right: Float64Array): Float64Array {
  const x = forward(factor, right);
  for (let i = factor.length - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < factor.length; k++) sum -= factor[k]![i]! * x[k]!;
    x[i] = sum / factor[i]![i]!;
  }
  return x;
}
