// Decides when to stop a training job early, based on the values that it and the other jobs have reported.
//
// Hyperband, as in SageMaker asynchronous: a bracket has rungs at r, r·3, r·9, … reported values; at each, a job continues if it
// is in the best third of the jobs of its bracket that have reached the rung. Brackets differ in the first rung: few let many
// jobs end early, the last lets none. L. Li et al., Hyperband (2018); L. Li et al., A System for Massively Parallel
// Hyperparameter Tuning (2020).
//
// The median rule: a job continues if its best value so far is not worse than the median of the other jobs' averages at that
// time. D. Golovin et al., Google Vizier (2017), section 3.2.2.

/** Values of one job, in the order of reporting; smaller is better. */
export type Curve = readonly number[];

const REDUCTION = 3;

/** The number of rungs between the minimum and maximum resource. */
export const rungCount = (minResource: number, maxResource: number): number =>
  Math.max(1, Math.floor(Math.log(maxResource / minResource) / Math.log(REDUCTION) + 1e-9) + 1);

/** The resources at which jobs of a bracket are compared; at the last one they end. */
export function rungsOf(bracket: number, minResource: number, maxResource: number): readonly number[] {
  const rungs: number[] = [];
  for (let r = minResource * REDUCTION ** bracket; r < maxResource; r *= REDUCTION) rungs.push(Math.round(r));
  return [...rungs, maxResource];
}

/**
 * The bracket of a trial. Hyperband gives each bracket about the same total resource: brackets whose jobs end early get more
 * jobs.
 * @param u uniform in [0, 1)
 */
export function bracketOf(u: number, minResource: number, maxResource: number): number {
  const count = rungCount(minResource, maxResource);
  const weights = Array.from({ length: count }, (_, s) => (count / (count - s)) * REDUCTION ** (count - 1 - s));
  let rest = u * weights.reduce((sum, one) => sum + one, 0);
  for (const [bracket, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return bracket;
  }
  return count - 1;
}

/**
 * Whether Hyperband ends a job now.
 * @param others the curves of the other jobs of its bracket
 */
export function hyperbandEnds(curve: Curve, others: readonly Curve[], rungs: readonly number[]): boolean {
  const last = rungs.at(-1)!;
  if (curve.length >= last) return true;
  const rung = rungs.findLast(one => one <= curve.length);
  if (rung === undefined) return false;
  const mine = bestOf(curve, rung);
  const reached = others.filter(one => one.length >= rung).map(one => bestOf(one, rung));
  // With fewer jobs, there is no best third.
  if (reached.length + 1 < REDUCTION) return false;
  const better = reached.filter(value => value < mine).length;
  return better >= Math.floor((reached.length + 1) / REDUCTION);
}

const MIN_CURVES = 3;

export function medianEnds(curve: Curve, others: readonly Curve[]): boolean {
  const step = curve.length;
  const averages = others
    .filter(one => step > 0 && one.length >= step)
    .map(one => one.slice(0, step).reduce((sum, x) => sum + x, 0) / step)
    .toSorted((a, b) => a - b);
  if (averages.length < MIN_CURVES) return false;
  const middle = (averages[Math.floor((averages.length - 1) / 2)]! + averages[Math.floor(averages.length / 2)]!) / 2;
  return bestOf(curve, step) > middle;
}

const bestOf = (curve: Curve, count: number): number => Math.min(...curve.slice(0, count));
