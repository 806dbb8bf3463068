// A line search for LBFGS: finds a step that satisfies the strong Wolfe conditions (Nocedal and Wright, "Numerical Optimization",
// 2006, algorithms 3.5 and 3.6), with the same steps as torch.optim.LBFGS. All of it is arithmetic on the host; the caller
// evaluates each step (a loss, its slope along the line, a gradient).

/** The loss at a step, and its derivative along the line. */
export interface Point<G> {
  readonly step: number;
  readonly loss: number;
  readonly slope: number;
  readonly gradient: G;
}
export interface Search {
  /** The largest magnitude of an element of the direction. */
  readonly directionSize: number;
  readonly maxEvaluations: number;
  readonly toleranceChange: number;
}
const [c1, c2] = [1e-4, 0.9];

/** The minimum of the cubic through two points, within bounds. */
function cubicMinimum<G>(a: Point<G>, b: Point<G>, bounds?: readonly [number, number]): number {
  const [low, high] = bounds ?? [Math.min(a.step, b.step), Math.max(a.step, b.step)];
  const d1 = a.slope + b.slope - (3 * (a.loss - b.loss)) / (a.step - b.step);
  const square = d1 ** 2 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const d2 = Math.sqrt(square);
  const [left, right] = a.step <= b.step ? [a, b] : [b, a];
  const minimum =
    right.step - (right.step - left.step) * ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
  return Math.min(Math.max(minimum, low), high);
}

/** Searches for a good step from `start` (step 0), trying `first` first; also returns the number of evaluations. */
export function strongWolfe<G>(
  start: Point<G>,
  first: number,
  evaluate: (step: number) => Point<G>,
  { directionSize, maxEvaluations, toleranceChange }: Search,
): { readonly point: Point<G>; readonly evaluations: number } {
  const isHigh = ({ step, loss }: Point<G>): boolean => loss > start.loss + c1 * step * start.slope;
  const isFlat = ({ slope }: Point<G>): boolean => Math.abs(slope) <= -c2 * start.slope;
  let latest = evaluate(first);
  let evaluations = 1;
  let previous = start;
  let iterations = 0;
  let bracket: [Point<G>, Point<G>] | undefined;
  // Steps grow until the minimum is between two of them.
  for (; iterations < maxEvaluations; iterations++) {
    if (isHigh(latest) || (iterations > 1 && latest.loss >= previous.loss)) {
      bracket = [previous, latest];
      break;
    }
    if (isFlat(latest)) return { point: latest, evaluations };
    if (latest.slope >= 0) {
      bracket = [previous, latest];
      break;
    }
    const { step } = latest;
    const next = cubicMinimum(previous, latest, [step + 0.01 * (step - previous.step), step * 10]);
    previous = latest;
    latest = evaluate(next);
    evaluations++;
  }
  bracket ??= [start, latest];
  let [low, high]: (0 | 1)[] = bracket[0].loss <= bracket[1].loss ? [0, 1] : [1, 0];
  let isStuck = false;
  // The bracket shrinks.
  while (iterations < maxEvaluations) {
    const [left, right] = bracket;
    const length = Math.abs(right.step - left.step);
    if (length * directionSize < toleranceChange) break;
    let step = cubicMinimum(left, right);
    const [least, most] = [Math.min(left.step, right.step), Math.max(left.step, right.step)];
    const margin = 0.1 * length;
    if (Math.min(most - step, step - least) < margin) {
      if (isStuck || step >= most || step <= least) {
        step = Math.abs(step - most) < Math.abs(step - least) ? most - margin : least + margin;
        isStuck = false;
      } else isStuck = true;
    } else isStuck = false;
    latest = evaluate(step);
    evaluations++;
    iterations++;
    if (isHigh(latest) || latest.loss >= bracket[low!].loss) {
      bracket[high!] = latest;
      [low, high] = bracket[0].loss <= bracket[1].loss ? [0, 1] : [1, 0];
      continue;
    }
    const isDone = isFlat(latest);
    if (!isDone && latest.slope * (bracket[high!].step - bracket[low!].step) >= 0) bracket[high!] = bracket[low!];
    bracket[low!] = latest;
    if (isDone) break;
  }
  return { point: bracket[low!], evaluations };
}
