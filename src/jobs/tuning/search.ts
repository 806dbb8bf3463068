// The next configuration of a tuning job: a function of the strategy, the seed and the trials so far, without any state.
import { bayesianPoint, type Found } from './bayesian-search.ts';
import { randomOf } from './random.ts';
import { configurationAt, gridPoint, gridSize, type Point, type SearchSpace } from './search-space.ts';

export const strategies = ['Bayesian', 'Random', 'Hyperband', 'Grid'] as const;
export type Strategy = (typeof strategies)[number];

// A configuration that was already tried is sampled again, a limited number of times: a small space may have no other.
const ATTEMPTS = 20;

/** Undefined: all of the grid has been tried. */
export function nextPoint(
  strategy: Strategy,
  space: SearchSpace,
  trials: readonly Found[],
  seed: number,
): Point | undefined {
  const random = randomOf(seed, trials.length);
  if (strategy === 'Grid') return trials.length < gridSize(space) ? gridPoint(space, trials.length) : undefined;
  const keyOf = (point: Point): string => JSON.stringify(configurationAt(space, point));
  const tried = new Set(trials.map(({ point }) => keyOf(point)));
  let point = strategy === 'Bayesian' ? bayesianPoint(space, trials, random) : space.map(() => random.uniform());
  for (let i = 0; i < ATTEMPTS && tried.has(keyOf(point)); i++) point = space.map(() => random.uniform());
  return point;
}
