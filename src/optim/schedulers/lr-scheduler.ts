// The common part of all learning-rate schedulers, following torch.optim.lr_scheduler: a count, the initial rates of the groups,
// and the step that sets their next rates. Rates are step scalars, so schedulers never cause a recompile.
import { TrenioError } from '../../base/errors.ts';
import { loggerFrom } from '../../base/logger.ts';
import { type Settings, settle, userLocation, wrongArgument } from '../../tensor/index.ts';
import { Optimizer } from '../update/optimizer.ts';
import type { ParameterGroup, StateFormat } from '../update/parameter-group.ts';

/** An optimizer with learning rates. */
export type Scheduled = Optimizer<
  StateFormat & {
    /** The learning rate. */
    lr: number;
  }
>;
/** A group as schedulers see it: values they store there are saved with the optimizer. */
export type ScheduledGroup = ParameterGroup<
  StateFormat & {
    /** The learning rate. */
    lr: number;
  }
> & {
  /** The rate before any scheduler changed it. */
  initialLr?: number;
  maxLr?: number;
  minLr?: number;
  swaLr?: number;
  betas?: readonly [number, number];
  momentum?: number;
  maxMomentum?: number;
  baseMomentum?: number;
};
/** The state of a scheduler, as plain data that can be written as JSON. */
export type SchedulerState = Readonly<Record<string, unknown>>;
/** The state to save in a checkpoint. */
export interface Resumable {
  /** The state, for a checkpoint. */
  stateDict(): SchedulerState;
  /** Continues with the state of a checkpoint. */
  loadStateDict(state: SchedulerState): void;
}
/** The options common to all schedulers. */
export interface SchedulerOptions {
  /** The last completed step, to resume from; -1 by default. If it is not -1, the optimizer's groups must have `initialLr`. */
  readonly lastEpoch?: number;
}
/** The options of a scheduler, of which those in `R` are required. */
export type OptionsOf<O, R extends keyof O = never> = Pick<O, R> & Partial<O> & SchedulerOptions;
/** The arguments after the optimizer: those of `K` and `lastEpoch` in PyTorch's order, or by name. */
export type SchedulerArguments<O, K extends readonly (keyof O)[]> = Settings<
  OptionsOf<O>,
  readonly [...K, 'lastEpoch']
>;

/**
 * The base class of schedulers, like torch.optim.lr_scheduler.LRScheduler. `step()` advances by one: call it after each
 * optimizer step or once an epoch, according to the unit of the options. The constructor sets the first rate.
 *
 *     for (let epoch = 0; epoch < 90; epoch++) {
 *       trainOneEpoch(model, optimizer);
 *       scheduler.step();
 *     }
 *
 * A custom scheduler extends this class, implements `getLr`, and calls `this.start()` at the end of its constructor.
 * @example
 * class Halved extends optim.LRScheduler {
 *   constructor(optimizer: optim.SGD) {
 *     super(optimizer, {}, {});
 *     this.start();
 *   }
 *   protected override getLr() {
 *     return this.baseLrs.map(lr => lr / 2 ** this.lastEpoch);
 *   }
 * }
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new Halved(optimizer);
 * optimizer.step();
 * scheduler.step();
 * scheduler.getLastLr() // [0.5]
 */
export abstract class LRScheduler<O extends object = object> implements Resumable {
  /** The optimizer whose learning rates are set. */
  readonly optimizer: Scheduled;
  /** Steps so far: 0 after the constructor. */
  lastEpoch: number;
  /** The settings, saved with the state. */
  protected options: O;
  protected baseLrs: readonly number[] = [];
  protected stepCount = 0;
  protected isInitial = false;
  #lastLr: readonly number[] = [];

  /** `defaults`: all available options, in the order of positional arguments. `given`: options, or a list of arguments. */
  constructor(optimizer: Scheduled, given: OptionsOf<O> | readonly unknown[], defaults: O) {
    const call = new.target.name;
    checkOptimizer(call, optimizer);
    const order = [...(Object.keys(defaults) as (keyof O & string)[]), 'lastEpoch'] as const;
    const rest: readonly unknown[] = Array.isArray(given) ? given : [given];
    const { lastEpoch = -1, ...options } = settle<OptionsOf<O>>(call, order, rest);
    this.optimizer = optimizer;
    this.lastEpoch = lastEpoch;
    this.options = { ...defaults, ...(options as unknown as Partial<O>) };
  }
  protected get groups(): readonly ScheduledGroup[] {
    return this.optimizer.paramGroups;
  }
  protected get rates(): readonly number[] {
    return this.groups.map(({ lr }) => lr);
  }
  /** Notes the rates that groups start with, and sets the first ones. To be called at the end of each constructor. */
  protected start(): void {
    for (const group of this.groups) {
      if (this.lastEpoch === -1) group.initialLr ??= group.lr;
      else if (group.initialLr === undefined)
        throw this.invalid(
          'lastEpoch',
          String(this.lastEpoch),
          '-1 for an optimizer without a saved state (initialLr)',
        );
    }
    this.baseLrs = this.groups.map(({ initialLr }) => initialLr!);
    this.initialStep();
  }
  /** @internal The step of the constructor. */
  initialStep(): void {
    this.stepCount = 0;
    this.isInitial = true;
    this.step();
    this.isInitial = false;
  }

  /** The rates of the step `lastEpoch`, one for each group. */
  protected abstract getLr(): readonly number[];
  /** The same as a function of `lastEpoch` alone, if there is one. */
  protected closedForm(): readonly number[] {
    return this.getLr();
  }

  /** Sets the next rates. */
  step(): void {
    if (this.stepCount === 1 && !this.optimizer.hasStepped)
      loggerFrom().warn(
        `${this.constructor.name}.step() was called before optimizer.step(): the first learning rate is skipped; call optimizer.step() first`,
      );
    this.stepCount++;
    this.lastEpoch++;
    this.apply(this.getLr());
  }
  /** @internal Goes to the step `epoch`. */
  restart(epoch: number): void {
    this.lastEpoch = epoch;
    this.apply(this.closedForm());
  }
  /** @internal Undoes the step of the constructor. */
  undo(): void {
    this.lastEpoch--;
  }
  protected apply(rates: readonly number[]): void {
    if (rates.length !== this.groups.length)
      throw this.invalid('the number of groups', String(this.groups.length), `${rates.length}, as it was at the start`);
    this.groups.forEach((group, i) => {
      group.lr = rates[i]!;
    });
    this.note();
  }
  /** Stores the current rates. */
  protected note(): void {
    this.#lastLr = this.rates;
  }
  /** The rates that were set last, one for each group. */
  getLastLr(): readonly number[] {
    return this.#lastLr;
  }

  /** The state needed to resume from here, except for functions passed by the user. Save the optimizer's state with it. */
  stateDict(): SchedulerState {
    const options = Object.entries(this.options).filter(([, value]) => typeof value !== 'function');
    return {
      lastEpoch: this.lastEpoch,
      stepCount: this.stepCount,
      baseLrs: this.baseLrs,
      lastLr: this.#lastLr,
      ...Object.fromEntries(options),
      ...this.progress(),
    };
  }
  /** The state that changes from step to step, besides the count. */
  protected progress(): SchedulerState {
    return {};
  }
  /** Restores `progress`. */
  protected resume(_state: SchedulerState): void {}
  /**
   * Resumes from a saved state of a scheduler with the same settings; the learning rates are part of the optimizer's state.
   * @throws {STATE_KEYS} for a state of another scheduler; nothing is changed
   * @throws {INVALID_OPTION} for a value of another type; nothing is changed
   */
  loadStateDict(state: SchedulerState): void {
    checkState(this.constructor.name, state, this.stateDict());
    this.lastEpoch = state.lastEpoch as number;
    this.stepCount = state.stepCount as number;
    this.baseLrs = state.baseLrs as number[];
    this.#lastLr = state.lastLr as number[];
    const options = Object.keys(this.options).filter(name => name in state);
    Object.assign(this.options, Object.fromEntries(options.map(name => [name, state[name]])));
    this.resume(state);
  }

  protected invalid(option: string, got: string, expected: string): TrenioError {
    return new TrenioError(
      'INVALID_OPTION',
      { what: this.constructor.name, option, got, expected },
      { location: userLocation() },
    );
  }
  /** A setting as one number for each group. */
  protected perGroup(option: string, value: number | readonly number[]): readonly number[] {
    return perGroup(this.constructor.name, this.groups.length, option, value);
  }
}

export function perGroup(
  what: string,
  groups: number,
  option: string,
  value: number | readonly number[],
): readonly number[] {
  const list = typeof value === 'number' ? Array.from({ length: groups }, () => value) : value;
  if (Array.isArray(list) && list.length === groups && list.every(one => typeof one === 'number'))
    return list as readonly number[];
  throw new TrenioError(
    'INVALID_OPTION',
    {
      what,
      option,
      got: JSON.stringify(value) ?? String(value),
      expected: `a number, or one for each of ${groups} groups`,
    },
    { location: userLocation() },
  );
}

export function checkOptimizer(call: string, optimizer: unknown): void {
  if (!(optimizer instanceof Optimizer))
    throw wrongArgument({ call, argument: 'the optimizer' }, optimizer, 'an optimizer, such as AdamW');
}

/**
 * @throws {STATE_KEYS} for names that are not in `own`
 * @throws {INVALID_OPTION} for a value of another type; null is accepted for a missing number
 */
export function checkState(what: string, state: SchedulerState, own: SchedulerState): void {
  if (typeof state !== 'object' || state === null)
    throw wrongArgument(
      { call: `${what}.loadStateDict`, argument: 'the state' },
      state,
      'an object, as stateDict() gives it',
    );
  const missing = Object.keys(own).filter(name => !(name in state));
  const unexpected = Object.keys(state).filter(name => !(name in own));
  if (missing.length + unexpected.length > 0) throw new TrenioError('STATE_KEYS', { what, missing, unexpected });
  const kind = (value: unknown): string =>
    Array.isArray(value) ? `a list of ${value.length}` : value === null ? 'a number' : `a ${typeof value}`;
  for (const [option, value] of Object.entries(state)) {
    const [got, expected] = [kind(value), kind(own[option])];
    if (got !== expected)
      throw new TrenioError('INVALID_OPTION', { what: `the saved state of ${what}`, option, got, expected });
  }
}
