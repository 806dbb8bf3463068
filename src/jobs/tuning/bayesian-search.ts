// Bayesian search: the next point has the largest expected improvement over the best one, under a Gaussian process fitted to the
// results so far. Running trials count with their predicted mean. J. Snoek, H. Larochelle, R. P. Adams,
// Practical Bayesian Optimization of Machine Learning Algorithms (2012); D. Ginsbourger, R. Le Riche, L. Carraro, Kriging Is
// Well-Suited to Parallelize Optimization (2010).
import { GaussianProcess, type Prediction } from './gaussian-process.ts';
import type { Random } from './random.ts';
import { featuresOf, type Point, type SearchSpace } from './search-space.ts';

export interface Found {
  readonly point: Point;
  /** Smaller is better. Undefined: the trial still runs. */
  readonly value: number | undefined;
}

/** The maximum number of trials in the regression, whose time grows with the cube of that number. */
const MAX_TRIALS = 100;
const CANDIDATES = 600;
const REFINEMENTS = 40;

/** How many trials are random before the first regression. */
const initialTrials = (space: SearchSpace): number => Math.max(4, Math.min(10, 2 * space.length));

export function bayesianPoint(space: SearchSpace, trials: readonly Found[], random: Random): Point {
  const uniformPoint = (): Point => space.map(() => random.uniform());
  const known = used(trials.filter(one => one.value !== undefined));
  if (trials.length < initialTrials(space) || known.length < 2) return uniformPoint();
  const inputs = known.map(({ point }) => featuresOf(space, point));
  const targets = known.map(({ value }) => value!);
  let process = GaussianProcess.fit(inputs, targets, random);
  const pending = trials.filter(one => one.value === undefined).map(({ point }) => featuresOf(space, point));
  if (pending.length > 0) {
    const believed = pending.map(input => process.predict(input).mean);
    process = GaussianProcess.fit([...inputs, ...pending], [...targets, ...believed], random);
  }
  const best = Math.min(...targets);
  const score = (point: Point): number => expectedImprovement(process.predict(featuresOf(space, point)), best);
  const leaders = known.toSorted((a, b) => a.value! - b.value!).slice(0, 5);
  const nearby = (point: Point, width: number): Point =>
    point.map(u => {
      const moved = u + width * random.normal();
      return moved >= 0 && moved < 1 ? moved : random.uniform();
    });
  const candidates = [
    ...Array.from({ length: CANDIDATES }, uniformPoint),
    ...leaders.flatMap(({ point }) => Array.from({ length: 20 }, () => nearby(point, 0.05))),
  ].map(point => ({ point, score: score(point) }));
  let top = candidates.reduce((a, b) => (b.score > a.score ? b : a));
  for (let i = 0; i < REFINEMENTS; i++) {
    const point = nearby(top.point, 0.1 * (1 - i / REFINEMENTS) + 0.001);
    const found = score(point);
    if (found > top.score) top = { point, score: found };
  }
  return top.point;
}

/** Selects the best half and the latest trials. */
function used(trials: readonly Found[]): readonly Found[] {
  if (trials.length <= MAX_TRIALS) return trials;
  const best = trials.toSorted((a, b) => a.value! - b.value!).slice(0, MAX_TRIALS / 2);
  const latest = trials.filter(one => !best.includes(one)).slice(-MAX_TRIALS / 2);
  return [...best, ...latest];
}

/** The expected improvement over `best`. */
export function expectedImprovement({ mean, deviation }: Prediction, best: number): number {
  if (deviation === 0) return Math.max(0, best - mean);
  const z = (best - mean) / deviation;
  return (best - mean) * normalDistribution(z) + (deviation * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Abramowitz and Stegun, 26.2.17: absolute error below 7.5e-8. */
export function normalDistribution(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return z >= 0 ? 1 - tail : tail;
}
