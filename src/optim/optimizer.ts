// What all optimizers share: groups of parameters, per-parameter state, and the numbers (learning rate, bias corrections)
// that change with every step. Those are inputs of the program, never part of it: no step and no new learning rate makes
// another program. Updates are recorded as values, in place: new state takes over the memory of the old.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import { formatType, isFloat, sameShape, tensorType } from '../hlo/types.ts';
import { loadInto, type Parameter } from '../nn/index.ts';
import {
  atOneLocation,
  checkIterable,
  described,
  type HostInput,
  Tensor,
  tensor,
  userLocation,
  wrongArgument,
  zerosLike,
} from '../tensor/index.ts';

/** In which formats an optimizer keeps what it knows of parameters in bf16, f16 or fewer bits. */
export interface StateFormat {
  /** Keep each such parameter in f32 as well, and round it from there: small updates add up. False by default. */
  masterWeights: boolean;
  /** The type of moments: f32 by default, which half the memory in bf16 rounds (stochastically, where that is on). */
  stateType: 'f32' | 'bf16' | 'f16';
}
export const defaultFormat: StateFormat = { masterWeights: false, stateType: 'f32' };
/** The state that holds the parameter itself in f32. */
const masterName = 'master';

/** Parameters that are updated with the same settings. Settings may be changed between steps. */
export type ParameterGroup<S> = S & { readonly params: readonly Parameter[] };
/** Parameters, or groups of them with settings of their own. */
export type Parameters<S> = Iterable<Parameter> | readonly (Partial<S> & { readonly params: Iterable<Parameter> })[];

/** Parameters that were stepped equally often share a count, and with it the numbers of a step. */
export interface Clock {
  count: number;
  readonly input: HostInput;
}
interface Slot {
  clock: Clock;
  readonly tensors: { readonly [name: string]: Tensor };
}

/** An optimizer's state: moments and counts by parameter number, settings by group. */
export interface OptimizerState {
  readonly tensors: ReadonlyMap<string, Literal>;
  readonly groups: readonly Readonly<Record<string, unknown>>[];
}

export abstract class Optimizer<S extends StateFormat = StateFormat> {
  readonly groups: readonly ParameterGroup<S>[];
  readonly #slots = new Map<Parameter, Slot>();

  constructor(params: Parameters<S>, defaults: S) {
    const name = this.constructor.name;
    checkParameters(name, params, isGroup);
    const list = [...params] as (Parameter | (Partial<S> & { readonly params: Iterable<Parameter> }))[];
    const isGrouped = list.some(isGroup);
    const groups = isGrouped
      ? (list as (Partial<S> & { readonly params: Iterable<Parameter> })[])
      : [{ params: list as Parameter[] } as Partial<S> & { params: Parameter[] }];
    if (isGrouped) for (const { params: some } of groups) checkParameters(name, some);
    this.groups = groups.map(group => ({ ...defaults, ...group, params: [...group.params] }));
    for (const { stateType } of this.groups)
      if (!['f32', 'bf16', 'f16'].includes(stateType))
        throw new TrenioError(
          'INVALID_OPTION',
          { what: this.constructor.name, option: 'stateType', got: String(stateType), expected: 'f32, bf16 or f16' },
          { location: userLocation() },
        );
    const all = this.parameters();
    if (all.length === 0)
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'the optimizer', option: 'params', got: 'an empty list', expected: 'at least one parameter' },
        { location: userLocation() },
      );
    if (new Set(all).size !== all.length)
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'the optimizer', option: 'params', got: 'a parameter twice', expected: 'each parameter once' },
        { location: userLocation() },
      );
  }

  /** The parameters of all groups. */
  parameters(): Parameter[] {
    return this.groups.flatMap(group => group.params);
  }
  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.zeroGrad();
  }

  /** The names of the tensors kept for each parameter, such as moments; all start at zero. */
  protected abstract readonly stateNames: readonly string[];
  /** The numbers that a group's update takes as inputs, after `count` steps of the parameter (1 at the first). */
  protected abstract numbers(group: ParameterGroup<S>, count: number): readonly number[];
  /** How many numbers those are. */
  protected abstract readonly numberCount: number;
  /** New values of the parameter and of its state, in the order of `stateNames`. */
  protected abstract update(b: Builder, group: ParameterGroup<S>, step: UpdateInput): readonly [Value, ...Value[]];

  /**
   * The same numbers where some of the `count` steps were skipped: `taken` steps were not. As they are, unless they depend
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

  /** Updates every parameter that has a gradient. */
  step(options: StepOptions = {}): void {
    const parameters = this.parameters();
    for (const { device } of parameters) device.trace.isUpdated = true;
    atOneLocation(() =>
      recordUpdate(parameters, () => {
        for (const group of this.groups) this.#stepGroup(group, options);
      }),
    );
  }

  #stepGroup(group: ParameterGroup<S>, { gradientScale, when, skipped }: StepOptions): void {
    const ready = group.params.filter(parameter => parameter.grad !== undefined);
    if (ready.length === 0) return;
    this.#prepare(group, ready);
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
        const scalars = Array.from({ length: this.numberCount + 1 }, (_, i) =>
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
      const state = this.stateNames.map(name => tensors[name]!);
      // Narrow floats are updated in f32, and rounded when they are stored.
      const type = isNarrow(parameter) ? 'f32' : parameter.dtype;
      const master = tensors[masterName];
      const gradient = b.convert(unrounded(device.valueOf(parameter.grad!)), type);
      const old = [master ?? parameter, ...state].map(tensor => device.valueOf(tensor));
      const [before, ...moments] = old.map(x => b.convert(x, type)) as [Value, ...Value[]];
      const made = this.update(b, group, {
        parameter: before,
        gradient:
          gradientScale === undefined
            ? gradient
            : b.multiply(gradient, wide(b, device.valueOf(gradientScale), gradient, parameter.shape)),
        state: moments,
        numbers: given,
        shape: parameter.shape,
      });
      const isTaken = when && device.valueOf(when);
      const bind = (tensor: Tensor, value: Value): void => {
        const stored = b.convert(value, tensor.dtype);
        tensor.bind(isTaken === undefined ? stored : b.select(isTaken, stored, device.valueOf(tensor)));
      };
      if (master !== undefined) bind(master, made[0]);
      bind(parameter, made[0]);
      state.forEach((tensor, i) => {
        bind(tensor, made[i + 1]!);
      });
    }
  }

  /** State for those that have none, and clocks such that those that are stepped now share theirs with no others. */
  #prepare(group: ParameterGroup<S>, ready: readonly Parameter[]): void {
    const stepped = new Set(ready);
    const idle = new Set(group.params.filter(p => !stepped.has(p)).map(p => this.#slots.get(p)?.clock));
    const moved = new Map<Clock | undefined, Clock>();
    for (const parameter of ready) {
      const slot = this.#slots.get(parameter);
      const old = slot?.clock;
      if (old !== undefined && !idle.has(old)) continue;
      let clock = moved.get(old);
      clock ??= this.#clock(group, old?.count ?? 0);
      moved.set(old, clock);
      if (slot !== undefined) slot.clock = clock;
      else this.#slots.set(parameter, { clock, tensors: this.#initialState(group, parameter) });
    }
  }
  #initialState(group: ParameterGroup<S>, parameter: Parameter): Record<string, Tensor> {
    const dtype = isNarrow(parameter) ? group.stateType : parameter.dtype;
    const state = Object.fromEntries(this.stateNames.map(name => [name, zerosLike(parameter, { dtype })]));
    if (group.masterWeights && isNarrow(parameter))
      state[masterName] = tensor(parameter.literal(), { dtype: 'f32', device: parameter.device });
    return state;
  }
  /** The names of a parameter's state, its own copy in f32 included. */
  #namesOf(group: ParameterGroup<S>, parameter: Parameter): readonly string[] {
    return group.masterWeights && isNarrow(parameter) ? [...this.stateNames, masterName] : this.stateNames;
  }
  #clock(group: ParameterGroup<S>, count: number): Clock {
    const clock: Clock = {
      count,
      input: {
        label: 'optimizer settings',
        type: tensorType('f32', [this.numberCount + 1]),
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
    return this.groups.map(({ params, ...settings }) => ({ ...settings, params: params.length }));
  }
  /** Everything needed to go on exactly from here, copied to the host. */
  stateDict(): OptimizerState {
    const tensors = new Map<string, Literal>();
    for (const [name, value] of this.namedState()) {
      tensors.set(name, 'literal' in value ? value.literal() : value);
    }
    return { tensors, groups: this.groupSettings() };
  }
  /**
   * Goes on from a saved state.
   * @throws {STATE_KEYS} where it does not fit; then nothing was changed
   * @throws {WEIGHT_SHAPE} where it does not fit; then nothing was changed
   */
  loadStateDict(state: OptimizerState): void {
    const sizes = this.groups.map(group => group.params.length).join();
    const given = state.groups.map(group => group.params).join();
    if (sizes !== given) {
      throw new TrenioError('STATE_KEYS', {
        what: `an optimizer with groups of ${sizes} parameters`,
        missing: [],
        unexpected: [`groups of ${given}`],
      });
    }
    const parameters = this.groups.flatMap((group, i) => {
      const saved: ParameterGroup<S> = { ...group, ...state.groups[i], params: group.params };
      return group.params.map(parameter => ({ group: saved, parameter }));
    });
    const plan: { parameter: Parameter; count: number; values: [string, Literal][] }[] = [];
    parameters.forEach(({ group, parameter }, i) => {
      const count = state.tensors.get(`${i}.step`);
      if (count === undefined) return;
      const values = this.#namesOf(group, parameter).map((name): [string, Literal] => {
        const value = state.tensors.get(`${i}.${name}`);
        if (value === undefined)
          throw new TrenioError('STATE_KEYS', { what: 'the optimizer', missing: [`${i}.${name}`], unexpected: [] });
        if (!sameShape(value.type.shape, parameter.shape)) {
          throw new TrenioError('WEIGHT_SHAPE', {
            name: `${i}.${name}`,
            expected: formatType(parameter.type),
            got: formatType(value.type),
          });
        }
        return [name, value];
      });
      plan.push({ parameter, count: Number(count.data[0]), values });
    });
    this.groups.forEach((group, i) => {
      const { params: _, ...settings } = state.groups[i]!;
      Object.assign(group, settings);
    });
    this.#slots.clear();
    for (const group of this.groups) {
      const clocks = new Map<number, Clock>();
      for (const { parameter, count, values } of plan) {
        if (!group.params.includes(parameter)) continue;
        let clock = clocks.get(count);
        clock ??= this.#clock(group, count);
        clocks.set(count, clock);
        const tensors = this.#initialState(group, parameter);
        for (const [name, value] of values) loadInto(tensors[name]!, value);
        this.#slots.set(parameter, { clock, tensors });
      }
    }
  }
}

/**
 * A narrow gradient before its rounding, where that is recorded in this step: the update is computed in f32, and what was
 * rounded on the way to it would only lose digits.
 */
function unrounded(gradient: Value): Value {
  const { op } = gradient;
  const [wide] = op?.name === 'convert' ? op.operands : [];
  return wide?.type.kind === 'tensor' && wide.type.elementType === 'f32' ? wide : gradient;
}

/**
 * What `body` does to these parameters and their gradients is part of the optimizer's step, which rounds alike on all ranks,
 * and whatever micro-batches are recorded with it.
 */
export function recordUpdate<T>(parameters: readonly Tensor[], body: () => T): T {
  const devices = new Set(parameters.map(({ device }) => device));
  return [...devices].reduce((inner, device) => () => device.inPhase('update', inner), body)();
}

const isNarrow = ({ dtype }: Tensor): boolean => isFloat(dtype) && dtype !== 'f32' && dtype !== 'f64';

/** How a step is taken where gradients were scaled (see `grad-scaler.ts`). All are scalars on the device. */
export interface StepOptions {
  /** Gradients are multiplied by it first, in the type of the update. */
  readonly gradientScale?: Tensor | undefined;
  /** i1: where it is false, parameters and state stay as they are. */
  readonly when?: Tensor | undefined;
  /** f32: how many earlier steps were skipped. */
  readonly skipped?: Tensor | undefined;
}

/** What an update is computed from. */
export interface UpdateInput {
  readonly parameter: Value;
  readonly gradient: Value;
  readonly state: readonly Value[];
  /** The step's numbers as scalars. */
  readonly numbers: readonly Value[];
  readonly shape: readonly number[];
}

/** A scalar of the step, as large as the parameter. */
export const wide = (b: Builder, scalar: Value, like: Value, shape: readonly number[]): Value =>
  b.broadcastInDim(b.convert(scalar, like.type.kind === 'tensor' ? like.type.elementType : 'f32'), [], shape);

/** A group of parameters with settings of its own, as far as one can tell. */
const isGroup = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && 'params' in entry;

/** @throws {WRONG_ARGUMENT} where there are no parameters to go through, or others among them than tensors and `also` */
export function checkParameters(call: string, params: unknown, also: (entry: unknown) => boolean = () => false): void {
  const argument = 'the list of parameters';
  const fix = 'give model.parameters()';
  if (typeof params === 'object' && params !== null && !(Symbol.iterator in params))
    throw wrongArgument({ call, argument }, params, 'parameters', fix);
  checkIterable({ call, argument }, params, 'parameters', fix);
  if (!Array.isArray(params)) return; // a generator can be gone through only once
  for (const entry of params as readonly unknown[])
    if (!(entry instanceof Tensor) && !also(entry))
      throw wrongArgument({ call, argument: 'a parameter' }, entry, 'a tensor', fix);
}

/** @throws {WRONG_ARGUMENT} for settings that are no object, or that an optimizer does not have */
export function checkSettings(call: string, settings: object, known: object): void {
  if (typeof settings !== 'object' || settings === null)
    throw wrongArgument({ call, argument: 'the second argument' }, settings, 'an object', 'write them as { lr: 1e-3 }');
  for (const [name, value] of Object.entries(settings))
    if (!(name in known))
      throw wrongArgument(
        { call, argument: `the setting '${name}'` },
        value,
        `one of ${Object.keys(known).join(', ')}`,
        'leave it out, or correct its name',
      );
}

/** Checks a setting. @throws {INVALID_OPTION} */
export function checkSetting(what: string, option: string, value: number, holds: boolean, expected: string): void {
  if (!holds || typeof value !== 'number')
    throw new TrenioError(
      'INVALID_OPTION',
      { what, option, got: typeof value === 'number' ? String(value) : described(value), expected },
      { location: userLocation() },
    );
}
