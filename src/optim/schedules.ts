// How the learning rate moves from step to step: a factor on the rate each group started with. The rate is an input of
// the compiled step, so a schedule never causes a compilation.
import { wrongArgument } from '../tensor/index.ts';
import { Optimizer, type StateFormat } from './optimizer.ts';

type Scheduled = StateFormat & { lr: number };

/** lr = start · factor(step), with step 0 at the beginning. Call `step()` after each optimizer step. */
export class LambdaLR {
  readonly #optimizer: Optimizer<Scheduled>;
  readonly #start: readonly number[];
  readonly #factor: (step: number) => number;
  #step = 0;

  constructor(optimizer: Optimizer<Scheduled>, factor: (step: number) => number) {
    const call = new.target.name;
    if (!(optimizer instanceof Optimizer))
      throw wrongArgument({ call, argument: 'the optimizer' }, optimizer, 'an optimizer, such as AdamW');
    this.#optimizer = optimizer;
    this.#start = optimizer.paramGroups.map(group => group.lr);
    this.#factor = factor;
    this.#apply();
  }
  step(): void {
    this.#step++;
    this.#apply();
  }
  /** The rates of the groups for the coming step. */
  get rates(): readonly number[] {
    return this.#optimizer.paramGroups.map(group => group.lr);
  }
  /** The number of steps taken; setting it goes there, for a resume. */
  get stepCount(): number {
    return this.#step;
  }
  set stepCount(step: number) {
    this.#step = step;
    this.#apply();
  }
  #apply(): void {
    const factor = this.#factor(this.#step);
    this.#optimizer.paramGroups.forEach((group, i) => {
      group.lr = this.#start[i]! * factor;
    });
  }
}

/** Rises linearly over `warmupSteps`, then falls linearly to zero at `totalSteps`. */
export class LinearSchedule extends LambdaLR {
  constructor(
    optimizer: Optimizer<Scheduled>,
    options: { readonly warmupSteps?: number; readonly totalSteps: number },
  ) {
    const { warmupSteps = 0, totalSteps } = options;
    super(optimizer, step =>
      step < warmupSteps
        ? step / Math.max(1, warmupSteps)
        : Math.max(0, (totalSteps - step) / Math.max(1, totalSteps - warmupSteps)),
    );
  }
}
/** Rises linearly over `warmupSteps`, then falls along half a cosine to `floor` (a share of the start) at `totalSteps`. */
export class CosineSchedule extends LambdaLR {
  constructor(
    optimizer: Optimizer<Scheduled>,
    options: { readonly warmupSteps?: number; readonly totalSteps: number; readonly floor?: number },
  ) {
    const { warmupSteps = 0, totalSteps, floor = 0 } = options;
    super(optimizer, step => {
      if (step < warmupSteps) return step / Math.max(1, warmupSteps);
      const done = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
      return floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * done));
    });
  }
}
