// The time of a kernel on a processor with measured rates. Four kinds of work, one formula each:
//
//   multiply   product·BMNK + a·BMK + b·BKN + result·BMN + each·B, times the ratio of measured to computed at nearby sizes
//   sweep      its arithmetic plus its memory traffic, which do not overlap
//   row move   bytes at the rate of gathers or scatters
//   any        the start of a kernel on all threads
import type { CountedType, KernelMultiply, KernelSweep, KernelWork } from '../../compiler/cpu/counting/kernel-work.ts';
import type { CpuRates, MultiplyRates } from '../../hardware/machine.ts';

/** The properties of a multiply that the formula needs, which descriptions of models also have. */
export type AnyMultiply = Pick<KernelMultiply, 'batch' | 'm' | 'n' | 'k'> &
  Partial<Pick<KernelMultiply, 'layout' | 'of'>> & { readonly type: CountedType };
export type AnySweep = Pick<KernelSweep, 'elements' | 'simple' | 'transcendental' | 'bytesRead' | 'bytesWritten'> &
  Partial<KernelSweep>;

/**
 * The terms of a multiply's time, in the order of `MultiplyRates`: products, A by layout, B by layout, result,
 * batch.
 */
export function multiplyTerms({ batch, m, n, k, layout = 'nn' }: AnyMultiply): readonly number[] {
  const [a, b] = [batch * m * k, batch * k * n];
  const isTransposed = [layout[0] === 't', layout[1] === 't'];
  return [
    a * n,
    isTransposed[0] ? 0 : a,
    isTransposed[0] ? a : 0,
    isTransposed[1] ? 0 : b,
    isTransposed[1] ? b : 0,
    batch * m * n,
    batch,
  ];
}
export const coefficientsOf = (r: MultiplyRates): readonly number[] => [
  r.product,
  r.a.n,
  r.a.t,
  r.b.n,
  r.b.t,
  r.result,
  r.each,
];

/** The distance of two sizes, in factors of two; a different layout counts as a factor of four. */
const layoutDistance = 2;
/** Measured sizes within about a factor of two determine the correction; beyond that the formula applies. */
const near = 1;

function correction(work: AnyMultiply, rates: MultiplyRates): number {
  const { layout = 'nn' } = work;
  let [sum, total] = [0, 0.05];
  for (const point of rates.points) {
    const square =
      Math.log2(work.m / point.m) ** 2 +
      Math.log2(work.n / point.n) ** 2 +
      Math.log2(work.k / point.k) ** 2 +
      (Math.log2(work.batch / point.batch) / 2) ** 2 +
      (layout === point.layout ? 0 : layoutDistance ** 2);
    const weight = 1 / (square / near ** 2 + 0.05) ** 2;
    sum += weight * Math.log(point.ratio);
    total += weight;
  }
  return Math.exp(sum / total);
}

/** Without the launch of its kernel. */
export function multiplySeconds(work: AnyMultiply, { multiplies, convolutions }: CpuRates): number {
  if (work.batch * work.m * work.n * work.k === 0) return 0;
  const rates = work.of === 'convolution' ? convolutions : work.type === 'bf16' ? multiplies.bf16 : multiplies.f32;
  const coefficients = coefficientsOf(rates);
  const seconds = multiplyTerms(work).reduce((total, term, i) => total + term * coefficients[i]!, 0);
  return seconds * correction(work, rates);
}

/** The rates of element operations, in the order in which `operationCounts` counts them. */
export const arithmeticNames = [
  'simple',
  'integer',
  'transcendental',
  'division',
  'root',
  'rounding',
  'randomWord',
] as const;
export type ArithmeticRates = Pick<CpuRates, (typeof arithmeticNames)[number]>;
export const ratesOfSeconds = (seconds: readonly number[]): ArithmeticRates =>
  Object.fromEntries(arithmeticNames.map((name, i) => [name, 1 / seconds[i]!])) as ArithmeticRates;

/** The number of operations over all elements of a sweep. */
export function operationCounts(work: AnySweep): readonly number[] {
  const {
    elements,
    simple,
    transcendental,
    integers = 0,
    divisions = 0,
    roots = 0,
    rounded = 0,
    randomWords = 0,
  } = work;
  const exponentials = work.exponentials ?? transcendental - roots;
  const each = [
    Math.max(0, simple - integers - divisions - randomWords),
    integers,
    exponentials,
    divisions,
    roots,
    rounded,
    randomWords,
  ];
  return each.map(count => elements * count);
}
function arithmeticSeconds(work: AnySweep, rates: ArithmeticRates): number {
  const counts = operationCounts(work);
  return arithmeticNames.reduce((sum, name, i) => sum + counts[i]! / rates[name], 0);
}
export function rateAt(bytes: number, curve: CpuRates['copy']): number {
  const above = curve.findIndex(point => point.bytes >= bytes);
  if (above === 0) return curve[0]!.rate;
  if (above < 0) return curve.at(-1)!.rate;
  const [low, high] = [curve[above - 1]!, curve[above]!];
  const share = Math.log(bytes / low.bytes) / Math.log(high.bytes / low.bytes);
  return low.rate ** (1 - share) * high.rate ** share;
}
function memorySeconds({ bytesRead, bytesWritten, bytesInPlace = 0 }: AnySweep, { copy, inPlace }: CpuRates): number {
  const bytes = bytesRead + bytesWritten;
  if (bytes === 0) return 0;
  const share = bytesWritten === 0 ? 1 : bytesInPlace / bytesWritten;
  return bytes * (share / rateAt(bytes, inPlace) + (1 - share) / rateAt(bytes, copy));
}

export interface SweepSeconds {
  readonly arithmetic: number;
  readonly memory: number;
}
export const sweepSeconds = (work: AnySweep, rates: CpuRates): SweepSeconds => ({
  arithmetic: arithmeticSeconds(work, rates),
  memory: memorySeconds(work, rates),
});

/** One call of a kernel. */
export function kernelSeconds(works: readonly KernelWork[], rates: CpuRates): number {
  let seconds = rates.kernelStart;
  for (const work of works) {
    if (work.kind === 'multiply') seconds += multiplySeconds(work, rates);
    else if (work.kind === 'sweep') {
      const { arithmetic, memory } = sweepSeconds(work, rates);
      seconds += arithmetic + memory;
    } else seconds += (work.rows * work.bytesPerRow) / rates[work.direction];
  }
  return seconds;
}
