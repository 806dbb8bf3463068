// Groups of parameters with their settings, and the formats in which the state of a parameter is stored.
import { type ElementType, isFloat } from '../../hlo/types.ts';
import type { Parameter } from '../../nn/index.ts';
import { elementTypeOf, type Settings, settle, type Tensor, wrongArgument } from '../../tensor/index.ts';

/** The formats in which an optimizer stores the state of low-precision parameters (bf16, f16 or fewer bits). */
export interface StateFormat {
  /**
   * Keep an f32 master copy of each such parameter, and round the parameter from it, so that small updates accumulate. False by
   * default.
   */
  masterWeights: boolean;
  /** The type of moments: float32 by default; bfloat16 halves the memory and rounds (stochastically, if enabled). */
  stateType: 'float32' | 'bfloat16' | 'float16' | 'f32' | 'bf16' | 'f16';
}
export const defaultFormat: StateFormat = { masterWeights: false, stateType: 'f32' };

/** PyTorch's choices among implementations of one update. They have no effect: the compiler makes one program of each step. */
export interface ImplementationHints {
  /** Accepted, as in PyTorch, without effect. */
  readonly foreach?: boolean | undefined;
  /** Accepted, as in PyTorch, without effect. */
  readonly fused?: boolean | undefined;
  /** Accepted, as in PyTorch, without effect. */
  readonly capturable?: boolean | undefined;
  /** Only false: no gradient flows through an update. */
  readonly differentiable?: false | undefined;
}
const hintNames = ['foreach', 'fused', 'capturable', 'differentiable'] as const;
/** The arguments of an optimizer after the parameters: those of `K` in PyTorch's order, or by name. */
export type SettingsOf<S extends StateFormat, K extends readonly (keyof S)[]> = Settings<
  Partial<S> & ImplementationHints,
  K
>;

/**
 * The settings among the arguments of an optimizer; those before `maximize` in `defaults` have a position.
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT} for `differentiable`, or too many arguments
 */
export function settingsOf<S extends StateFormat>(call: string, rest: readonly unknown[], defaults: S): Partial<S> {
  const names = Object.keys(defaults) as (keyof S & string)[];
  const own = names.filter(name => !(name in defaultFormat));
  const end = own.indexOf('maximize' as never);
  const order = end < 0 ? own : own.slice(0, end);
  const others = [...names.filter(name => !order.includes(name)), ...hintNames];
  const { foreach, fused, capturable, differentiable, ...settings } = settle<Partial<S> & ImplementationHints>(
    call,
    order,
    rest,
    others,
  );
  if ((differentiable ?? false) !== false)
    throw wrongArgument(
      { call, argument: 'differentiable' },
      differentiable,
      'false',
      'leave it out; func.grad differentiates a step that you write with tensors',
    );
  return settings as Partial<S>;
}
/** The name of the state that holds the parameter in f32. */
export const masterName = 'master';

/** Parameters that are updated with the same settings. Settings may be changed between steps. */
export type ParameterGroup<S> = S & {
  /** The parameters of the group. */
  readonly params: readonly Parameter[];
};
/** A group as passed by the user: missing settings default to the optimizer's. */
export type GivenGroup<S> = Partial<S> & {
  /** The parameters of the group. */
  readonly params: Iterable<Parameter>;
};
/** Parameters, or parameter groups with their own settings. */
export type Parameters<S> = Iterable<Parameter> | readonly GivenGroup<S>[];
/** The state that schedulers store in a group, in addition to the settings of its optimizer. */
export const scheduledNames = ['initialLr', 'maxLr', 'minLr', 'swaLr', 'maxMomentum', 'baseMomentum'];
/** Settings that change from step to step: step scalars in every optimizer, never constants of the program. */
const perStepNames = new Set(['params', 'lr', 'betas', 'momentum', ...scheduledNames]);

/** The settings that are constants of a recorded step, as a string to compare. */
export function constantsOf(group: object): string {
  const constants = Object.entries(group).filter(([name]) => !perStepNames.has(name));
  const isMoving = 'momentum' in group && group.momentum !== 0;
  return JSON.stringify([isMoving, ...constants]);
}

/** The type of a parameter's moments. */
export const stateTypeOf = ({ stateType }: StateFormat, parameter: Parameter): ElementType =>
  isNarrow(parameter) ? elementTypeOf(stateType) : parameter.type.elementType;
/** Whether the elements are floats of less than 32 bits, which are updated in f32. */
export const isNarrow = ({ type: { elementType } }: Tensor): boolean =>
  isFloat(elementType) && elementType !== 'f32' && elementType !== 'f64';
