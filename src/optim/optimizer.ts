// The base class of all optimizers: groups of parameters, per-parameter state, and the step scalars (learning rate, bias
// corrections). Step scalars are inputs of the program, not part of it: neither a step nor a new learning rate causes a
// recompile. Updates are recorded as values and run in place: new state takes over the memory of the old.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat, sameShape, type TensorType, tensorType } from '../hlo/types.ts';
import { type HookHandle, isUninitialized, loadInto, type Parameter, uninitialized } from '../nn/index.ts';
import {
  atOneLocation,
  elementTypeOf,
  enableGrad,
  full,
  isDType,
  type Tensor,
  tensor,
  userLocation,
  wrongArgument,
} from '../tensor/index.ts';
import { averageGradients } from './average-gradients.ts';
import { checkParameters, checkSettings, isGroup } from './check-settings.ts';
import { warnIfNoneHasGradient } from './no-gradients.ts';
import { type OptimizerHook, OptimizerHooks, type OptimizerStateHook } from './optimizer-hooks.ts';
import { type OptimizerState, savedState } from './optimizer-state.ts';
import {
  constantsOf,
  type GivenGroup,
  isNarrow,
  masterName,
  type ParameterGroup,
  type Parameters,
  type StateFormat,
  scheduledNames,
  stateTypeOf,
} from './parameter-group.ts';
import { recordUpdate } from './record-update.ts';
import {
  gatherShards,
  gradientShards,
  noteShard,
  type Shard,
  shardLiteral,
  shardOf,
  shardOfState,
  sliceOf,
  wholeLiteral,
} from './state-shards.ts';
import { unrounded } from './unrounded.ts';
import type { Clock, StateSpec, StepOptions, UpdateInput } from './update.ts';

export type { OptimizerState };
export { recordUpdate };

/** State of the shape of the parameter, 0 before the first step. */
export const likeParameter = ({ shape }: Parameter, names: readonly string[]): readonly StateSpec[] =>
  names.map(name => ({ name, shape }));

interface Slot {
  clock: Clock;
  tensors: { readonly [name: string]: Tensor };
}

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
  /** The settings of groups that do not have them. */
  readonly defaults: Readonly<S>;
  readonly #slots = new Map<Parameter, Slot>();
  #isSharded = false;
  #hasStepped = false;
  /** @internal */
  protected readonly hooks: OptimizerHooks = new OptimizerHooks();

  constructor(params: Parameters<S>, settings: Partial<S>, defaults: S) {
    const name = this.constructor.name;
    checkSettings(name, settings, defaults);
    this.defaults = { ...defaults, ...settings };
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
   * Adds a group, such as layers that are trained from now on. Settings that it leaves out are the optimizer's.
   * @throws {INVALID_OPTION} for a setting out of range, or a parameter that the optimizer has already
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
  /** Forgets the gradients of all parameters. */
  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.zeroGrad();
  }

  /** The optimizer's state for each parameter: its count of steps as `step`, and tensors. Empty before the first step. */
  get state(): ReadonlyMap<
    Parameter,
    {
      /** The number of completed steps. */
      readonly step: number;
      readonly [name: string]: Tensor | number;
    }
  > {
    return new Map(
      [...this.#slots].map(([parameter, { clock, tensors }]) => [parameter, { ...tensors, step: clock.count }]),
    );
  }
  /** Whether `step()` was called: a scheduler warns if it is stepped first. */
  get hasStepped(): boolean {
    return this.#hasStepped;
  }

  /** @internal Whether each rank has only its shard of the state. */
  get isSharded(): boolean {
    return this.#isSharded;
  }
  /** @internal Divides the state among ranks (state-shards.ts), before the first step. */
  shardState(): void {
    this.#isSharded = true;
  }
  #shardOf(parameter: Parameter): Shard | undefined {
    return this.#isSharded ? shardOf(parameter) : undefined;
  }
  /** The tensors kept on this rank: flat shards of those that have the parameter's shape. */
  #specsOf(group: ParameterGroup<S>, parameter: Parameter): readonly StateSpec[] {
    const specs = this.stateOf(group, parameter);
    const shard = this.#shardOf(parameter);
    return shard === undefined
      ? specs
      : specs.map(spec => (sameShape(spec.shape, parameter.shape) ? { ...spec, shape: [shard.size] } : spec));
  }

  protected noteStep(): void {
    this.#hasStepped = true;
  }
  /** Checks the settings of a group, in the constructor of this class: fields of subclasses are not there yet. */
  protected abstract checkGroup(group: ParameterGroup<S>): void;
  /** The tensors kept for a parameter, such as moments. */
  protected abstract stateOf(group: ParameterGroup<S>, parameter: Parameter): readonly StateSpec[];
  /**
   * The step scalars of a group, after `count` steps of the parameter (1 at the first): the learning rate and other values that a
   * schedule may change. Their number must not change.
   */
  protected abstract numbers(group: ParameterGroup<S>, count: number): readonly number[];
  /** New values of the parameter and of its state, in the order of `stateOf`. */
  protected abstract update(b: Builder, group: ParameterGroup<S>, step: UpdateInput): readonly [Value, ...Value[]];

  /**
   * The step scalars if some of the `count` steps were skipped and `taken` were not. Returns them unchanged, unless they depend
   * on the count.
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
   * Averages gradients over ranks and micro-batches, unless that was done, updates every parameter that has a gradient, and ends
   * the step: everything recorded runs as one program. Gradients are consumed by it; they can be read until `zeroGrad()` only if
   * requested (`parameter.grad.keep()`) or if they were read in one of the first steps. With a closure that recomputes the
   * loss and its gradients and returns the loss, calls it first and returns its loss.
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
    averageGradients(parameters.filter(parameter => this.#shardOf(parameter) === undefined));
    if (isFirst) warnIfNoneHasGradient(this.constructor.name, parameters);
    for (const { device } of parameters) device.trace.isUpdated = true;
    atOneLocation(() =>
      recordUpdate(parameters, () => {
        const gradients = this.#isSharded ? gradientShards(parameters) : new Map<Tensor, Value>();
        const updated = this.paramGroups.flatMap(group => this.#stepGroup(group, options, gradients));
        gatherShards(updated);
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
  /** Runs `hook(optimizer, state)` after `stateDict()`; what it returns replaces the state. */
  registerStateDictPostHook(hook: OptimizerStateHook<this>, prepend = false): HookHandle {
    return this.hooks.add('registerStateDictPostHook', 'savePost', hook, prepend);
  }
  /** Runs `hook(optimizer, state)` before `loadStateDict()`; what it returns is loaded instead. */
  registerLoadStateDictPreHook(hook: OptimizerStateHook<this>, prepend = false): HookHandle {
    return this.hooks.add('registerLoadStateDictPreHook', 'loadPre', hook, prepend);
  }
  /** Runs `hook(optimizer)` after `loadStateDict()`. */
  registerLoadStateDictPostHook(hook: OptimizerHook<this>, prepend = false): HookHandle {
    return this.hooks.add('registerLoadStateDictPostHook', 'loadPost', hook, prepend);
  }

  /** Returns the new shards of parameters, for all ranks. */
  #stepGroup(
    group: ParameterGroup<S>,
    { gradientScale, when, skipped }: StepOptions,
    gradients: ReadonlyMap<Tensor, Value>,
  ): { readonly parameter: Parameter; readonly value: Value }[] {
    const ready = group.params.filter(parameter => parameter.grad !== undefined);
    const updated: { readonly parameter: Parameter; readonly value: Value }[] = [];
    if (ready.length === 0) return updated;
    this.#prepare(group, ready);
    for (const { trace } of new Set(ready.map(({ device }) => device))) trace.dependOn(() => constantsOf(group));
    const isMaximized = 'maximize' in group && group.maximize === true;
    const numbers = new Map<Clock, readonly Value[]>();
    for (const parameter of ready) {
      const { device } = parameter;
      const { trace } = device;
      const b = trace.builder;
      b.location = userLocation();
      const { clock, tensors } = this.#slots.get(parameter)!;
      let given = numbers.get(clock);
      if (given === undefined) {
        const vector = trace.hostArgument(clock.input);
        const scalars = Array.from({ length: clock.input.type.shape[0]! }, (_, i) =>
          b.reshape(b.slice(vector, [i], [i + 1]), []),
        );
        const count = scalars.pop()!;
        given = scalars;
        if (skipped !== undefined) {
          const taken = b.subtract(count, device.valueOf(skipped));
          given = this.numbersTaken(b, group, given, { count, taken });
        }
        numbers.set(clock, given);
      }
      const state = this.stateOf(group, parameter).map(({ name }) => tensors[name]!);
      // Narrow floats are updated in f32, and rounded when they are stored.
      const type = isNarrow(parameter) ? 'f32' : parameter.type.elementType;
      const master = tensors[masterName];
      const shard = this.#shardOf(parameter);
      const shape = shard === undefined ? parameter.shape : [shard.size];
      const mean = gradients.get(parameter) ?? unrounded(device.valueOf(parameter.grad!));
      const computed = b.convert(mean, type);
      const gradient = isMaximized ? b.negate(computed) : computed;
      const mine = (): Value =>
        shard === undefined ? device.valueOf(parameter) : sliceOf(device, device.valueOf(parameter), shard);
      const old = [master === undefined ? mine() : device.valueOf(master), ...state.map(t => device.valueOf(t))];
      const widened = (x: Value): Value => (isFloat(tensorTypeOf(x).elementType) ? b.convert(x, type) : x);
      const [before, ...moments] = old.map(widened) as [Value, ...Value[]];
      const made = this.update(b, group, {
        parameter: before,
        gradient:
          gradientScale === undefined
            ? gradient
            : b.multiply(gradient, wide(b, device.valueOf(gradientScale), gradient, shape)),
        state: moments,
        numbers: given,
        shape,
        dtype: parameter.type.elementType,
      });
      const isTaken = when && device.valueOf(when);
      const stored = (tensor: Tensor, value: Value, before: () => Value): Value => {
        const rounded = b.convert(value, tensor.type.elementType);
        return isTaken === undefined ? rounded : b.select(isTaken, rounded, before());
      };
      const bind = (tensor: Tensor, value: Value): void => {
        tensor.bind(stored(tensor, value, () => device.valueOf(tensor)));
      };
      if (master !== undefined) bind(master, made[0]);
      if (shard === undefined) bind(parameter, made[0]);
      else updated.push({ parameter, value: stored(parameter, made[0], mine) });
      state.forEach((tensor, i) => {
        bind(tensor, made[i + 1]!);
      });
    }
    return updated;
  }

  /** Creates missing state, and separates the clocks of parameters that are stepped now from those of the others. */
  #prepare(group: ParameterGroup<S>, ready: readonly Parameter[]): void {
    const stepped = new Set(ready);
    const idle = new Set(group.params.filter(p => !stepped.has(p)).map(p => this.#slots.get(p)?.clock));
    const moved = new Map<Clock | undefined, Clock>();
    for (const parameter of ready) {
      const slot = this.#slots.get(parameter);
      const old = slot?.clock;
      // A setting such as the momentum was turned on since.
      if (slot !== undefined) slot.tensors = { ...this.#initialState(group, parameter, slot.tensors), ...slot.tensors };
      if (old !== undefined && !idle.has(old)) continue;
      let clock = moved.get(old);
      clock ??= this.#clock(group, old?.count ?? 0);
      moved.set(old, clock);
      if (slot !== undefined) slot.clock = clock;
      else this.#slots.set(parameter, { clock, tensors: this.#initialState(group, parameter) });
    }
  }
  /** New state, except for the tensors that exist already. */
  #initialState(
    group: ParameterGroup<S>,
    parameter: Parameter,
    have: { readonly [name: string]: Tensor } = {},
  ): Record<string, Tensor> {
    const { device } = parameter;
    const shard = this.#shardOf(parameter);
    const state: Record<string, Tensor> = {};
    for (const { name, shape, dtype, fill } of this.#specsOf(group, parameter))
      if (!(name in have))
        state[name] = full(shape, fill ?? 0, { dtype: dtype ?? stateTypeOf(group, parameter), device });
    if (group.masterWeights && isNarrow(parameter) && !(masterName in have)) {
      const whole = parameter.literal();
      state[masterName] = tensor(shard === undefined ? whole : shardLiteral(whole, shard), { dtype: 'f32', device });
    }
    if (shard !== undefined)
      for (const one of Object.values(state)) if (sameShape(one.shape, [shard.size])) noteShard(one, shard);
    return state;
  }
  /** The types of a parameter's state by name, its own copy in f32 included. */
  #typesOf(group: ParameterGroup<S>, parameter: Parameter): Map<string, TensorType> {
    const types = new Map(
      this.stateOf(group, parameter).map(({ name, shape, dtype }) => [
        name,
        tensorType(dtype ?? stateTypeOf(group, parameter), shape),
      ]),
    );
    if (group.masterWeights && isNarrow(parameter)) types.set(masterName, tensorType('f32', parameter.shape));
    return types;
  }
  #clock(group: ParameterGroup<S>, count: number): Clock {
    const clock: Clock = {
      count,
      input: {
        label: 'optimizer settings',
        type: tensorType('f32', [this.numbers(group, 1).length + 1]),
        next: () => {
          clock.count++;
          return new Uint8Array(Float32Array.of(...this.numbers(group, clock.count), clock.count).buffer);
        },
      },
    };
    return clock;
  }

  /** The tensors to save, by parameter number and name: `0.step`, `0.exp_avg` … Each is read when its turn comes. */
  *namedState(): Generator<readonly [name: string, value: Tensor | Literal]> {
    for (const [i, parameter] of this.parameters().entries()) {
      const slot = this.#slots.get(parameter);
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
   * The state needed to resume exactly from here, copied to the host. State that is divided among ranks is gathered: every rank
   * must call it.
   */
  stateDict(): OptimizerState {
    this.hooks.run('savePre', this);
    const tensors = new Map<string, Literal>();
    for (const [name, value] of this.namedState()) {
      tensors.set(name, 'literal' in value ? this.#whole(name, value) : value);
    }
    return this.hooks.pass('savePost', this, { tensors, groups: this.groupSettings() });
  }
  #whole(name: string, state: Tensor): Literal {
    const shard = shardOfState(state);
    const parameter = this.parameters()[Number.parseInt(name, 10)]!;
    return shard === undefined ? state.literal() : wholeLiteral(state.literal(), shard, parameter.shape);
  }
  /**
   * @internal What `stateDict()` returns, with tensors that are not copied yet: for a checkpoint. Copied where hooks may
   * change it.
   */
  stateTensors(): {
    readonly tensors: ReadonlyMap<string, Tensor | Literal>;
    readonly groups: OptimizerState['groups'];
  } {
    if (this.hooks.has('savePre') || this.hooks.has('savePost')) return this.stateDict();
    return { tensors: new Map(this.namedState()), groups: this.groupSettings() };
  }
  /** @throws {STATE_KEYS} where a state is of groups of other sizes */
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
   * @throws {STATE_KEYS} where it does not fit; then nothing was changed
   * @throws {WEIGHT_SHAPE} where it does not fit; then nothing was changed
   */
  loadStateDict(state: OptimizerState): void {
    this.restore(this.hooks.pass('loadPre', this, state));
    this.hooks.run('loadPost', this);
  }
  /** The part of `loadStateDict` between its hooks. */
  protected restore(state: OptimizerState): void {
    this.checkGroupSizes(state);
    const parameters = this.paramGroups.flatMap((group, i) => {
      const saved: ParameterGroup<S> = { ...group, ...state.groups[i], params: group.params };
      return group.params.map(parameter => ({ group: saved, parameter }));
    });
    const plan = parameters.flatMap(({ group, parameter }, i) => {
      const saved = savedState(state, i, this.#typesOf(group, parameter));
      return saved === undefined ? [] : [{ parameter, ...saved }];
    });
    this.loadGroupSettings(state);
    this.#slots.clear();
    for (const group of this.paramGroups) {
      const clocks = new Map<number, Clock>();
      for (const { parameter, count, values } of plan) {
        if (!group.params.includes(parameter)) continue;
        let clock = clocks.get(count);
        clock ??= this.#clock(group, count);
        clocks.set(count, clock);
        const tensors = this.#initialState(group, parameter);
        for (const [name, value] of values) {
          const to = tensors[name]!;
          const shard = shardOfState(to);
          loadInto(
            to,
            shard === undefined ? { ...value, type: { ...value.type, shape: to.shape } } : shardLiteral(value, shard),
          );
        }
        this.#slots.set(parameter, { clock, tensors });
      }
    }
  }
}

/** A scalar of the step, as large as the parameter. */
export const wide = (b: Builder, scalar: Value, like: Value, shape: readonly number[]): Value =>
  b.broadcastInDim(b.convert(scalar, like.type.kind === 'tensor' ? like.type.elementType : 'f32'), [], shape);
