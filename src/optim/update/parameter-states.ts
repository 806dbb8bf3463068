// The state that an optimizer keeps for each parameter: its tensors, and the clock that counts its steps. Parameters that are
// always stepped together share a clock, and therefore the inputs of the program.
import type { Literal } from '../../hlo/literal.ts';
import { sameShape, type TensorType, tensorType } from '../../hlo/types.ts';
import { loadInto, type Parameter } from '../../nn/index.ts';
import { divideLike, full, type Tensor, tensor } from '../../tensor/index.ts';
import { isNarrow, masterName, type ParameterGroup, type StateFormat, stateTypeOf } from './parameter-group.ts';
import type { Clock, StateSpec } from './update.ts';

/** The state of one parameter. */
export interface Slot {
  clock: Clock;
  tensors: { readonly [name: string]: Tensor };
}

/** Saved state of one parameter. */
export interface LoadedState {
  readonly parameter: Parameter;
  readonly count: number;
  readonly values: readonly (readonly [name: string, value: Tensor | Literal])[];
}
/** The part of an optimizer that defines its state. */
export interface StateRules<S extends StateFormat> {
  /** The tensors kept for a parameter, such as moments. */
  stateOf(group: ParameterGroup<S>, parameter: Parameter): readonly StateSpec[];
  /** The step scalars of a group, after `count` steps of the parameter. */
  numbers(group: ParameterGroup<S>, count: number): readonly number[];
}

export class ParameterStates<S extends StateFormat> {
  readonly #rules: StateRules<S>;
  readonly #slots = new Map<Parameter, Slot>();

  constructor(rules: StateRules<S>) {
    this.#rules = rules;
  }

  /** The parameters that have been stepped, with their state. */
  get all(): ReadonlyMap<Parameter, Slot> {
    return this.#slots;
  }
  get(parameter: Parameter): Slot | undefined {
    return this.#slots.get(parameter);
  }

  /** Creates missing state, and separates the clocks of parameters that are stepped now from those of the others. */
  prepare(group: ParameterGroup<S>, ready: readonly Parameter[]): void {
    const stepped = new Set(ready);
    const idle = new Set(group.params.filter(p => !stepped.has(p)).map(p => this.#slots.get(p)?.clock));
    const moved = new Map<Clock | undefined, Clock>();
    for (const parameter of ready) {
      const slot = this.#slots.get(parameter);
      const old = slot?.clock;
      // A setting such as momentum has been enabled since.
      if (slot !== undefined) slot.tensors = { ...this.#initialState(group, parameter, slot.tensors), ...slot.tensors };
      if (old !== undefined && !idle.has(old)) continue;
      let clock = moved.get(old);
      clock ??= this.#clock(group, old?.count ?? 0);
      moved.set(old, clock);
      if (slot !== undefined) slot.clock = clock;
      else this.#slots.set(parameter, { clock, tensors: this.#initialState(group, parameter) });
    }
  }
  /** The types of a parameter's state by name, including its master copy in f32. */
  typesOf(group: ParameterGroup<S>, parameter: Parameter): Map<string, TensorType> {
    const types = new Map(
      this.#rules
        .stateOf(group, parameter)
        .map(({ name, shape, dtype }) => [name, tensorType(dtype ?? stateTypeOf(group, parameter), shape)]),
    );
    if (group.masterWeights && isNarrow(parameter)) types.set(masterName, tensorType('f32', parameter.shape));
    return types;
  }

  /** Replaces all state with a saved state; the settings of the groups are already loaded. */
  load(groups: readonly ParameterGroup<S>[], saved: readonly LoadedState[]): void {
    this.#slots.clear();
    for (const group of groups) {
      const clocks = new Map<number, Clock>();
      for (const { parameter, count, values } of saved) {
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

  /** New state, except for the tensors that exist already. */
  #initialState(
    group: ParameterGroup<S>,
    parameter: Parameter,
    have: { readonly [name: string]: Tensor } = {},
  ): Record<string, Tensor> {
    const { device } = parameter;
    const state: Record<string, Tensor> = {};
    for (const { name, shape, dtype, fill } of this.#rules.stateOf(group, parameter))
      if (!(name in have))
        state[name] = full(shape, fill ?? 0, { dtype: dtype ?? stateTypeOf(group, parameter), device });
    if (group.masterWeights && isNarrow(parameter) && !(masterName in have)) {
      state[masterName] = tensor(parameter.literal(), { dtype: 'f32', device });
    }
    for (const one of Object.values(state)) if (sameShape(one.shape, parameter.shape)) divideLike(one, parameter);
    return state;
  }
  #clock(group: ParameterGroup<S>, count: number): Clock {
    const clock: Clock = {
      count,
      input: {
        label: 'optimizer settings',
        type: tensorType('f32', [this.#rules.numbers(group, 1).length + 1]),
        next: () => {
          clock.count++;
          return new Uint8Array(Float32Array.of(...this.#rules.numbers(group, clock.count), clock.count).buffer);
        },
      },
    };
    return clock;
  }
}
