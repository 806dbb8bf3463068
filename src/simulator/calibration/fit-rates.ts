// Fits rates to kernel times: non-negative least squares in relative error, so that small
// kernels count as much as large ones.
import type { KernelMultiply, KernelSweep } from '../../compiler/cpu/counting/kernel-work.ts';
import type { CpuRates, MultiplyRates } from '../../hardware/machine.ts';
import {
  type ArithmeticRates,
  arithmeticNames,
  coefficientsOf,
  multiplyTerms,
  operationCounts,
  ratesOfSeconds,
} from './kernel-seconds.ts';
import type { MeasuredKernel } from './measure.ts';

/**
 * The non-negative coefficients that minimize Σ (row · x − 1)². Uses coordinate
 * descent, which finds the minimum for so few coefficients.
 */
export function nonNegativeLeastSquares(rows: readonly (readonly number[])[]): readonly number[] {
  const count = rows[0]?.length ?? 0;
  // columns of equal length: coefficients differ by many orders of magnitude
  const scale = Array.from({ length: count }, (_, j) => Math.hypot(...rows.map(row => row[j]!)) || 1);
  const scaled = rows.map(row => row.map((x, j) => x / scale[j]!));
  const x = new Array<number>(count).fill(0);
  const residual = rows.map(() => -1);
  for (let round = 0; round < 5000; round++) {
    let moved = 0;
    for (let j = 0; j < count; j++) {
      const slope = scaled.reduce((sum, row, i) => sum + row[j]! * residual[i]!, 0);
      const length = scaled.reduce((sum, row) => sum + row[j]! ** 2, 0);
      if (length === 0) continue;
      const next = Math.max(0, x[j]! - slope / length);
      const step = next - x[j]!;
      if (step === 0) continue;
      x[j] = next;
      scaled.forEach((row, i) => {
        residual[i]! += step * row[j]!;
      });
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved < 1e-9) break;
  }
  return x.map((value, j) => value / scale[j]!);
}

interface Timed<W> {
  readonly work: W;
  readonly seconds: number;
}
const singles = <K extends KernelMultiply['kind'] | KernelSweep['kind']>(
  kernels: readonly MeasuredKernel[],
  kind: K,
): readonly Timed<Extract<KernelMultiply | KernelSweep, { kind: K }>>[] =>
  kernels.flatMap(({ work, seconds }) =>
    work.length === 1 && work[0]!.kind === kind
      ? [{ work: work[0] as Extract<KernelMultiply | KernelSweep, { kind: K }>, seconds }]
      : [],
  );

export function fitMultiplies(kernels: readonly MeasuredKernel[], kernelStart: number): MultiplyRates {
  const timed = singles(kernels, 'multiply').map(({ work, seconds }) => ({
    work,
    seconds: Math.max(seconds - kernelStart, seconds / 2),
  }));
  const rows = timed.map(({ work, seconds }) => multiplyTerms(work).map(term => term / seconds));
  const [product, an, at, bn, bt, result, each] = nonNegativeLeastSquares(rows) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const rates = { product, a: { n: an, t: at }, b: { n: bn, t: bt }, result, each };
  const coefficients = coefficientsOf({ ...rates, points: [] });
  const points = timed.map(({ work, seconds }) => {
    const { batch, m, n, k, layout } = work;
    const fitted = multiplyTerms(work).reduce((sum, term, i) => sum + term * coefficients[i]!, 0);
    return { batch, m, n, k, layout, ratio: seconds / fitted };
  });
  return { ...rates, points };
}

/** From sweeps over arrays that fit in caches, each dominated by one operation; the memory term is fitted together with them. */
export function fitArithmetic(kernels: readonly MeasuredKernel[], kernelStart: number): ArithmeticRates {
  const rows = singles(kernels, 'sweep')
    .filter(({ work }) => work.pattern === 'elements' && work.simple + work.transcendental >= 2)
    .map(({ work, seconds }) =>
      [...operationCounts(work), work.bytesRead + work.bytesWritten].map(
        count => count / Math.max(seconds - kernelStart, seconds / 2),
      ),
    );
  const seconds = nonNegativeLeastSquares(rows).slice(0, arithmeticNames.length);
  // Coefficients fitted as zero are replaced by the smallest positive one.
  const least = Math.min(...seconds.filter(s => s > 0));
  return ratesOfSeconds(seconds.map(s => (s > 0 ? s : least)));
}

/** Times per number of bytes, sweep by sweep. */
export function bandwidthCurve(kernels: readonly MeasuredKernel[], kernelStart: number): CpuRates['copy'] {
  return singles(kernels, 'sweep')
    .map(({ work, seconds }) => {
      const bytes = work.bytesRead + work.bytesWritten;
      return { bytes, rate: bytes / Math.max(seconds - kernelStart, seconds / 2) };
    })
    .sort((a, b) => a.bytes - b.bytes);
}

/** The error of the rates on the measured kernels: the mean of |predicted ÷ measured − 1|. */
export function meanError(kernels: readonly MeasuredKernel[], predict: (kernel: MeasuredKernel) => number): number {
  return kernels.reduce((sum, k) => sum + Math.abs(predict(k) / k.seconds - 1), 0) / kernels.length;
}
