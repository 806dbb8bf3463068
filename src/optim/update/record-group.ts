// Records the update of a group of parameters: gradients in, new values of parameters and state out.
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { dividedAlongData, type Tensor, userLocation, wholeAlongData } from '../../tensor/index.ts';
import { unrounded } from '../gradients/unrounded.ts';
import { wide } from '../optimizers/arithmetic.ts';
import { constantsOf, isNarrow, masterName, type ParameterGroup, type StateFormat } from './parameter-group.ts';
import type { ParameterStates, StateRules } from './parameter-states.ts';
import type { Clock, StepOptions, UpdateInput } from './update.ts';

/** The part of an optimizer that defines its update. */
export interface UpdateRules<S extends StateFormat> extends StateRules<S> {
  /** The step scalars if only `taken` of `count` steps were not skipped. */
  numbersTaken(
    b: Builder,
    group: ParameterGroup<S>,
    numbers: readonly Value[],
    steps: { readonly count: Value; readonly taken: Value },
  ): readonly Value[];
  /** New values of the parameter and of its state, in the order of `stateOf`. */
  update(b: Builder, group: ParameterGroup<S>, step: UpdateInput): readonly [Value, ...Value[]];
}

/** Updates the parameters of a group that have gradients. */
export function recordGroup<S extends StateFormat>(
  rules: UpdateRules<S>,
  states: ParameterStates<S>,
  group: ParameterGroup<S>,
  { gradientScale, when, skipped }: StepOptions,
): void {
  const ready = group.params.filter(parameter => parameter.grad !== undefined);
  if (ready.length === 0) return;
  states.prepare(group, ready);
  for (const { trace } of new Set(ready.map(({ device }) => device))) trace.dependOn(() => constantsOf(group));
  const isMaximized = 'maximize' in group && group.maximize === true;
  const numbers = new Map<Clock, readonly Value[]>();
  for (const parameter of ready) {
    const { device } = parameter;
    const { trace } = device;
    const b = trace.builder;
    b.location = userLocation();
    const { clock, tensors } = states.get(parameter)!;
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
        given = rules.numbersTaken(b, group, given, { count, taken });
      }
      numbers.set(clock, given);
    }
    const state = rules.stateOf(group, parameter).map(({ name }) => tensors[name]!);
    // Low-precision floats are updated in f32, and rounded when they are stored.
    const type = isNarrow(parameter) ? 'f32' : parameter.type.elementType;
    const master = tensors[masterName];
    const { shape } = parameter;
    const sharding = dividedAlongData(parameter);
    const inParts = (x: Value): Value =>
      sharding === undefined ? x : b.emit1('sdy.sharding_constraint', [x], { sharding });
    const mean = inParts(unrounded(device.valueOf(parameter.grad!)));
    const computed = b.convert(mean, type);
    const gradient = isMaximized ? b.negate(computed) : computed;
    const mine = inParts(device.valueOf(parameter));
    const old = [master === undefined ? mine : device.valueOf(master), ...state.map(t => device.valueOf(t))];
    const widened = (x: Value): Value => (isFloat(tensorTypeOf(x).elementType) ? b.convert(x, type) : x);
    const [before, ...moments] = old.map(widened) as [Value, ...Value[]];
    const made = rules.update(b, group, {
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
    const stored = (tensor: Tensor, value: Value, before = device.valueOf(tensor)): Value => {
      const rounded = b.convert(value, tensor.type.elementType);
      return isTaken === undefined ? rounded : b.select(isTaken, rounded, before);
    };
    if (master !== undefined) master.bind(stored(master, made[0]));
    const after = stored(parameter, made[0], mine);
    parameter.bind(sharding === undefined ? after : wholeAlongData(b, after));
    state.forEach((tensor, i) => {
      tensor.bind(stored(tensor, made[i + 1]!));
    });
  }
}
