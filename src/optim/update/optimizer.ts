// The base class of all optimizers: groups of parameters, per-parameter state, and the step scalars (learning rate, bias
// corrections). Step scalars are inputs of the program, not constants: neither a step nor a new learning rate causes a
// recompile. Updates are recorded as values and run in place: new state reuses the memory of the old.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import {
  type HookHandle,
  isUninitialized,
  type Parameter,
  uninitialized,
  type ZeroGradArguments,
} from '../../nn/index.ts';
import { zeroGradients } from '../../nn/module/zero-gradients.ts';
import {
  atOneLocation,
  elementTypeOf,
  enableGrad,
  isDType,
  type Tensor,
  tensor,
  userLocation,
  wrongArgument,
} from '../../tensor/index.ts';
import { recordAverages } from '../gradients/average-gradients.ts';
import { warnIfNoneHasGradient } from '../gradients/no-gradients.ts';
import { checkParameters, checkSettings, isGroup } from './check-settings.ts';
import { type OptimizerHook, OptimizerHooks, type OptimizerStateHook } from './optimizer-hooks.ts';
import { type OptimizerState, savedState } from './optimizer-state.ts';
import {
  type GivenGroup,
  type ParameterGroup,
  type Parameters,
  type StateFormat,
  scheduledNames,
  settingsOf,
} from './parameter-group.ts';
import { ParameterStates } from './parameter-states.ts';
import { recordGroup, type UpdateRules } from './record-group.ts';
import { recordUpdate } from './record-update.ts';
import type { StateSpec, StepOptions, UpdateInput } from './update.ts';

/**
 * The base of all optimizers: groups of parameters with their options, state per parameter, and one update that is recorded as
 * part of the step.
 * @example
 * const model = new nn.Linear(4, 2);
 * const optimizer: Optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
 * for (let step = 0; step < 3; step++) {
 *   optimizer.zeroGrad();
 *   model(randn(8, 4)).square().mean().backward();
 *   optimizer.step();
 * }
 */
export abstract class Optimizer<S extends StateFormat = StateFormat> {
  /** The groups of parameters with their settings, which may be changed between steps: `paramGroups[0].lr /= 2`. */
  readonly paramGroups: ParameterGroup<S>[] = [];
  /** The default settings of groups. */
  readonly defaults: Readonly<S>;
  readonly #rules: UpdateRules<S> = {
    stateOf: (group, parameter) => this.stateOf(group, parameter),
    numbers: (group, count) => this.numbers(group, count),
    numbersTaken: (b, group, numbers, steps) => this.numbersTaken(b, group, numbers, steps),
    update: (b, group, step) => this.update(b, group, step),
  };
  readonly #states = new ParameterStates<S>(this.#rules);
  #hasStepped = false;
  /** @internal */
  protected readonly hooks: OptimizerHooks = new OptimizerHooks();

  /**
   * `defaults`: all settings, those before `maximize` in the order of positional arguments. `given`: settings, or a list of
   * arguments.
   */
  constructor(params: Parameters<S>, given: Partial<S> | readonly unknown[], defaults: S) {
    const name = this.constructor.name;
    const rest: readonly unknown[] = Array.isArray(given) ? given : [given];
    this.defaults = { ...defaults, ...settingsOf(name, rest, defaults) };
    checkParameters(name, params, isGroup);
    const list = [...params] as (Parameter | GivenGroup<S>)[];
    const isGrouped = list.some(isGroup);
    const groups = isGrouped
      ? (list as GivenGroup<S>[])
      : [{ params: list as Parameter[] } as unknown as GivenGroup<S>];
    for (const group of groups) this.#add(group);
    if (this.parameters().length === 0)
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'the optimizer', option: 'params', got: 'an empty list', expected: 'at least one parameter' },
        { location: userLocation() },
      );
  }

  /**
   * Adds a group, such as layers that are trained from now on. Missing settings default to the optimizer's.
   * @throws {INVALID_OPTION} if a setting is out of range, or a parameter that the optimizer already has
   * @throws {WRONG_ARGUMENT} for settings that the optimizer does not have
   */
  addParamGroup(group: GivenGroup<S>): void {
    if (!isGroup(group))
      throw wrongArgument(
        { call: `${this.constructor.name}.addParamGroup`, argument: 'the group' },
        group,
        'an object with params',
        'write it as { params: layer.parameters(), lr: 1e-4 }',
      );
    this.#add(group);
  }
  #add(given: GivenGroup<S>): void {
    const name = this.constructor.name;
    checkParameters(name, given.params);
    const { params, ...settings } = given;
    checkSettings(name, settings, { ...this.defaults, ...Object.fromEntries(scheduledNames.map(key => [key, 0])) });
    const group: ParameterGroup<S> = { ...this.defaults, ...given, params: [...params] };
    if (!isDType(group.stateType) || !['f32', 'bf16', 'f16'].includes(elementTypeOf(group.stateType)))
      throw new TrenioError(
        'INVALID_OPTION',
        { what: name, option: 'stateType', got: String(group.stateType), expected: 'float32, bfloat16 or float16' },
        { location: userLocation() },
      );
    this.checkGroup(group);
    if (group.params.some(isUninitialized)) throw uninitialized(`a parameter of ${name}`);
    const all = [...this.parameters(), ...group.params];
    if (new Set(all).size !== all.length)
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'the optimizer', option: 'params', got: 'a parameter twice', expected: 'each parameter once' },
        { location: userLocation() },
      );
    this.paramGroups.push(group);
  }

  /** The parameters of all groups. */
  parameters(): Parameter[] {
    return this.paramGroups.flatMap(group => group.params);
  }
  /** Clears the gradients of all parameters. With `setToNone` false they become zeros; by default they are undefined. */
  zeroGrad(...rest: ZeroGradArguments): void {
    zeroGradients(`${this.constructor.name}.zeroGrad`, this.parameters(), rest);
  }

  /** The optimizer's state for each parameter: its step count `step` and its tensors. Empty before the first step. */
  get state(): ReadonlyMap<
    Parameter,
    {
      /** The number of completed steps. */
      readonly step: number;
      readonly [name: string]: Tensor | number;
    }
  > {
    return new Map(
      [...this.#states.all].map(([parameter, { clock, tensors }]) => [parameter, { ...tensors, step: clock.count }]),
    );
  }
  /** Whether `step()` was called: a scheduler warns if it is stepped first. */
  get hasStepped(): boolean {
    return this.#hasStepped;
  }

  protected noteStep(): void {
    this.#hasStepped = true;
  }
  /** Checks the settings of a group, in the constructor of this class: fields of subclasses are not initialized yet. */
  protected abstract checkGroup(group: ParameterGroup<S>): void;
  /** The tensors kept for a parameter, such as moments. */
  protected abstract stateOf(group: ParameterGroup<S>, parameter: Parameter): readonly StateSpec[];
  /**
   * The step scalars of a group, after `count` steps of the parameter (1 for the first): the learning rate and other values that
   * a schedule may change. The number of scalars must be constant.
   */
  protected abstract numbers(group: ParameterGroup<S>, count: number): readonly number[];
  /** New values of the parameter and of its state, in the order of `stateOf`. */
  protected abstract update(b: Builder, group: ParameterGroup<S>, step: UpdateInput): readonly [Value, ...Value[]];

  /**
   * The step scalars if only `taken` of `count` steps were not skipped. By default the scalars do not depend
   * on the count, and are returned unchanged.
   */
  protected numbersTaken(
    _b: Builder,
    _group: ParameterGroup<S>,
    numbers: readonly Value[],
    _steps: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    return numbers;
  }

  /**
   * Averages gradients over ranks and micro-batches, unless this was done before, updates every parameter that has a gradient,
   * and ends the step: everything recorded runs as one program. Gradients are consumed by the step; they can be read until
   * `zeroGrad()` only if requested (`parameter.grad.keep()`) or if they were read in one of the first steps. With a closure that
   * recomputes the loss and its gradients and returns the loss, calls it first and returns its loss.
   */
  step(closure: () => Tensor): Tensor;
  step(options?: StepOptions): undefined;
  step(given: StepOptions | (() => Tensor) = {}): Tensor | undefined {
    const loss = typeof given === 'function' ? enableGrad(given) : undefined;
    atOneLocation(() => {
      this.recordStep(typeof given === 'function' ? {} : given);
      this.endStep();
    });
    return loss;
  }
  /** @internal Records the update of every parameter that has a gradient. */
  recordStep(options: StepOptions = {}): void {
    this.hooks.run('stepPre', this);
    const isFirst = !this.#hasStepped;
    this.noteStep();
    const parameters = this.parameters();
    recordAverages(parameters, 'update');
    if (isFirst) warnIfNoneHasGradient(this.constructor.name, parameters);
    for (const { device } of parameters) device.trace.isUpdated = true;
    atOneLocation(() =>
      recordUpdate(parameters, () => {
        for (const group of this.paramGroups) recordGroup(this.#rules, this.#states, group, options);
      }),
    );
  }
  /** @internal Ends the step on the devices of the parameters. */
  endStep(): void {
    for (const [device, parameters] of Map.groupBy(this.parameters(), parameter => parameter.device))
      device.endStep(parameters);
    this.hooks.run('stepPost', this);
  }

  // hooks
  /**
   * Runs `hook(optimizer)` before each step.
   *
   *     optimizer.registerStepPreHook(() => clipGradNorm_(model.parameters(), 1));
   */
  registerStepPreHook(hook: OptimizerHook<this>): HookHandle {
    return this.hooks.add('registerStepPreHook', 'stepPre', hook);
  }
  /** Runs `hook(optimizer)` after each step. */
  registerStepPostHook(hook: OptimizerHook<this>): HookHandle {
    return this.hooks.add('registerStepPostHook', 'stepPost', hook);
  }
  /** Runs `hook(optimizer)` before `stateDict()`; with `prepend` before the other hooks. */
  registerStateDictPreHook(hook: OptimizerHook<this>, prepend = false): HookHandle {
    return this.hooks.add('registerStateDictPreHook', 'savePre', hook, prepend);
  }
  /** Runs `hook(optimizer, state)` after `stateDict()`; its result, if any, replaces the state. */
  registerStateDictPostHook(hook: OptimizerStateHook<this, OptimizerState<Tensor>>, prepend = false): HookHandle {
    return this.hooks.add('registerStateDictPostHook', 'savePost', hook, prepend);
  }
  /** Runs `hook(optimizer, state)` before `loadStateDict()`; its result, if any, is loaded instead. */
  registerLoadStateDictPreHook(hook: OptimizerStateHook<this, OptimizerState>, prepend = false): HookHandle {
    return this.hooks.add('registerLoadStateDictPreHook', 'loadPre', hook, prepend);
  }
  /** Runs `hook(optimizer)` after `loadStateDict()`. */
  registerLoadStateDictPostHook(hook: OptimizerHook<this>, prepend = false): HookHandle {
    return this.hooks.add('registerLoadStateDictPostHook', 'loadPost', hook, prepend);
  }

  /**
   * The tensors to save, by parameter number and name: `0.step`, `0.exp_avg` … Each is read only when the iteration reaches it.
   */
  *namedState(): Generator<readonly [name: string, value: Tensor | Literal]> {
    for (const [i, parameter] of this.parameters().entries()) {
      const slot = this.#states.get(parameter);
      if (slot === undefined) continue;
      yield [`${i}.step`, literal('i64', [], [slot.clock.count])];
      for (const [name, tensor] of Object.entries(slot.tensors)) yield [`${i}.${name}`, tensor];
    }
  }
  /** The settings of the groups, as plain data. */
  groupSettings(): OptimizerState['groups'] {
    return this.paramGroups.map(({ params, ...settings }) => ({ ...settings, params: params.length }));
  }
  /**
   * The state needed to resume exactly from here, copied. State that is divided among ranks is gathered: every rank
   * must call it.
   */
  stateDict(): OptimizerState<Tensor> {
    this.hooks.run('savePre', this);
    const tensors = new Map<string, Tensor>();
    for (const [name, value] of this.namedState())
      tensors.set(name, tensor('literal' in value ? value.literal() : value));
    return this.hooks.pass('savePost', this, { tensors, groups: this.groupSettings() });
  }
  /**
   * @internal The result of `stateDict()` for a checkpoint, with tensors that are not copied yet, unless hooks may change them.
   */
  stateTensors(): {
    readonly tensors: ReadonlyMap<string, Tensor | Literal>;
    readonly groups: OptimizerState['groups'];
  } {
    if (this.hooks.has('savePre') || this.hooks.has('savePost')) return this.stateDict();
    return { tensors: new Map(this.namedState()), groups: this.groupSettings() };
  }
  /** @throws {STATE_KEYS} if the groups of the state have other sizes */
  protected checkGroupSizes(state: OptimizerState): void {
    const sizes = this.paramGroups.map(group => group.params.length).join();
    const given = state.groups.map(group => group.params).join();
    if (sizes !== given)
      throw new TrenioError('STATE_KEYS', {
        what: `an optimizer with groups of ${sizes} parameters`,
        missing: [],
        unexpected: [`groups of ${given}`],
      });
  }
  protected loadGroupSettings(state: OptimizerState): void {
    this.paramGroups.forEach((group, i) => {
      const { params: _, ...settings } = state.groups[i]!;
      Object.assign(group, settings);
    });
  }
  /**
   * Resumes from a saved state.
   * @throws {STATE_KEYS} if it does not match; nothing is changed
   * @throws {WEIGHT_SHAPE} if it does not match; nothing is changed
   */
  loadStateDict(state: OptimizerState): void {
    this.restore(this.hooks.pass('loadPre', this, state));
    this.hooks.run('loadPost', this);
  }
  /** `loadStateDict` without its hooks. */
  protected restore(state: OptimizerState): void {
    this.checkGroupSizes(state);
    const parameters = this.paramGroups.flatMap((group, i) => {
      const saved: ParameterGroup<S> = { ...group, ...state.groups[i], params: group.params };
      return group.params.map(parameter => ({ group: saved, parameter }));
    });
    const plan = parameters.flatMap(({ group, parameter }, i) => {
      const saved = savedState(state, i, this.#states.typesOf(group, parameter));
      return saved === undefined ? [] : [{ parameter, ...saved }];
    });
    this.loadGroupSettings(state);
    this.#states.load(this.paramGroups, plan);
  }
}
