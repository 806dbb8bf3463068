// Whether gradients flow through calls on tensors.
import { TrenioError } from '../../base/errors.ts';
import { during } from '../during.ts';
import { userLocation } from '../location.ts';

let enabled = true;
let inference = false;

/**
 * Whether gradients are recorded: by default, and not inside `noGrad`.
 * @example
 * isGradEnabled() // true
 * noGrad(() => isGradEnabled()) // false
 */
export const isGradEnabled = (): boolean => enabled;
/**
 * True inside `inferenceMode`.
 * @example
 * inferenceMode(() => isInferenceModeEnabled()) // true
 */
export const isInferenceModeEnabled = (): boolean => inference;

/**
 * Runs `body` without recording gradients: results do not require any. With an async `body`, this lasts until its promise
 * settles.
 * Without a body, gradients are off until the returned object is disposed of, or its block ends:
 *
 *     const y = noGrad(() => model.forward(x));
 *     { using _ = noGrad(); evaluate(); }
 * @throws {WRONG_ARGUMENT} for a body that is not a function
 * @example
 * const x = tensor([2], { requiresGrad: true });
 * noGrad(() => x.square()).requiresGrad // false
 */
export function noGrad(): Disposable;
export function noGrad<T>(body: () => T): T;
export function noGrad<T>(...body: [(() => T)?]): T | Disposable {
  return inMode('noGrad', false, inference, body);
}
/**
 * Runs `body` with gradients recorded, inside noGrad; without a body, as `using _ = enableGrad()`.
 * @throws {WRONG_ARGUMENT} for a body that is not a function
 * @example
 * const x = tensor([2], { requiresGrad: true });
 * noGrad(() => enableGrad(() => x.square())).requiresGrad // true
 */
export function enableGrad(): Disposable;
export function enableGrad<T>(body: () => T): T;
export function enableGrad<T>(...body: [(() => T)?]): T | Disposable {
  return inMode('enableGrad', true, inference, body);
}
/**
 * Turns the recording of gradients on or off: within `body`, or without one, until the returned object is disposed of (if
 * ever).
 *
 *     setGradEnabled(isTraining, () => model.forward(x));
 *     setGradEnabled(false);
 * @throws {WRONG_ARGUMENT} for a body that is not a function
 * @example
 * setGradEnabled(false);
 * tensor([2], { requiresGrad: true }).square().requiresGrad // false
 * setGradEnabled(true);
 */
export function setGradEnabled(mode: boolean): Disposable;
export function setGradEnabled<T>(mode: boolean, body: () => T): T;
export function setGradEnabled<T>(mode: boolean, ...body: [(() => T)?]): T | Disposable {
  return inMode('setGradEnabled', mode, inference, body);
}
/**
 * The same as `noGrad`: tensors have no version counters that could be omitted, so results can be used outside
 * like any other tensor.
 *
 *     const y = inferenceMode(() => model.forward(x));
 * @throws {WRONG_ARGUMENT} for a body that is not a function
 * @example
 * const x = tensor([2], { requiresGrad: true });
 * inferenceMode(() => x.square()).requiresGrad // false
 */
export function inferenceMode(mode?: boolean): Disposable;
export function inferenceMode<T>(body: () => T): T;
export function inferenceMode<T>(body?: boolean | (() => T)): T | Disposable {
  if (body === undefined || typeof body === 'boolean')
    return body === false ? inMode('inferenceMode', enabled, false, []) : inMode('inferenceMode', false, true, []);
  return inMode('inferenceMode', false, true, [body]);
}

/** @internal Runs `body` in a mode. */
export const withGradMode = <T>(mode: boolean, body: () => T): T =>
  inMode('setGradEnabled', mode, inference, [body]) as T;

function inMode<T>(call: string, mode: boolean, isInference: boolean, [...given]: readonly unknown[]): T | Disposable {
  const [body] = given;
  if (given.length > 0 && typeof body !== 'function')
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call,
        argument: 'its argument',
        got: String(body),
        expected: 'a function',
        fix: `write ${call}(() => …)`,
      },
      { location: userLocation() },
    );
  const before = { enabled, inference };
  enabled = mode;
  inference = isInference;
  const restore = (): void => {
    enabled = before.enabled;
    inference = before.inference;
  };
  return given.length === 0 ? { [Symbol.dispose]: restore } : during(body as () => T, restore);
}
