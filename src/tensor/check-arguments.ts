// Argument checks for callers without TypeScript: plain JavaScript may pass numbers where a tensor is expected, or modules
// instead of parameters. Arguments are checked once, on entry, so that the message names the call and not an inner failure.
import { described } from '../base/described.ts';
import { TrenioError } from '../base/errors.ts';
import { backendNames } from '../runtime/index.ts';
import { Device } from './device.ts';
import { userLocation } from './location.ts';
import { Traced } from './traced.ts';
import { type DType, elementTypeOf, isDType } from './types/dtype.ts';

/** The argument of a call, as named in messages. */
export interface Argument {
  readonly call: string;
  readonly argument: string;
}

export { described };

export const wrongArgument = (
  { call, argument }: Argument,
  got: unknown,
  expected: string,
  fix = `give ${expected}`,
): TrenioError =>
  new TrenioError(
    'WRONG_ARGUMENT',
    { call, argument, got: described(got), expected, fix },
    { location: userLocation() },
  );

/** The error of `wrongArgument` with a given description of the value: '[2, 3]', 'a tensor of 3 dims'. */
export const wrongText = (
  { call, argument }: Argument,
  got: string,
  expected: string,
  fix = `give ${expected}`,
): TrenioError =>
  new TrenioError('WRONG_ARGUMENT', { call, argument, got, expected, fix }, { location: userLocation() });

/** @throws {WRONG_ARGUMENT} as all of these do */
export function checkTensors(call: string, tensors: { readonly [argument: string]: unknown }): void {
  for (const [argument, value] of Object.entries(tensors))
    if (!(value instanceof Traced)) throw notATensor({ call, argument }, value);
}
export const notATensor = (where: Argument, got: unknown, expected = 'a tensor'): TrenioError =>
  wrongArgument(
    where,
    got,
    expected,
    Array.isArray(got) || ArrayBuffer.isView(got) || typeof got === 'number'
      ? 'make a tensor of it with tensor(data)'
      : undefined,
  );

export function checkDevice(where: Argument, got: unknown): asserts got is Device {
  if (!(got instanceof Device))
    throw wrongArgument(where, got, 'a device', `give ${deviceNamed(got) ?? 'a device, such as device()'}`);
}
/** The arguments of `to`: a device or an element type. */
export function checkTarget(call: string, target: unknown): asserts target is Device | DType {
  if (target instanceof Device || (typeof target === 'string' && isDType(target))) return;
  const named = deviceNamed(target);
  if (typeof target === 'string' && named === undefined) elementTypeOf(target as DType); // throws
  const fix =
    named === undefined ? "give a device, such as device(), or a data type, such as 'bfloat16'" : `give ${named}`;
  throw wrongArgument({ call, argument: 'the target' }, target, 'a device or a data type', fix);
}
/** How to pass a device by name. */
export function deviceNamed(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  if (backendNames().includes(name)) return `device('${name}')`;
  return /^(cuda|mps|xla|xpu|gpu|tpu|neuron)(:\d+)?$/i.test(name)
    ? 'device(): it runs on the cores of this machine'
    : undefined;
}

export function checkFunction(call: string, argument: string, got: unknown): void {
  if (typeof got !== 'function') throw wrongArgument({ call, argument }, got, 'a function');
}
export function checkIterable(where: Argument, got: unknown, expected: string, fix?: string): void {
  const isObject = (typeof got === 'object' && got !== null) || typeof got === 'function';
  const isIterable = isObject && (Symbol.iterator in got || Symbol.asyncIterator in got);
  if (!isIterable) throw wrongArgument(where, got, expected, fix);
}
/** Checks integers such as the number of features of a layer: at least `least`. */
export function checkCount(call: string, argument: string, got: unknown, least = 1): void {
  if (!Number.isSafeInteger(got) || (got as number) < least)
    throw wrongArgument({ call, argument }, got, `an integer of at least ${least}`);
}
export const isScalar = (x: unknown): boolean =>
  typeof x === 'number' || typeof x === 'boolean' || typeof x === 'bigint';
