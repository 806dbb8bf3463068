// Checks of the arguments of optimizers and schedulers: parameters and settings.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { checkIterable, described, Tensor, userLocation, wrongArgument } from '../../tensor/index.ts';

/** Whether a value looks like a parameter group. */
export const isGroup = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && 'params' in entry;

/** @throws {WRONG_ARGUMENT} if there are no parameters to iterate over, or if an entry is neither a tensor nor `also` */
export function checkParameters(call: string, params: unknown, also: (entry: unknown) => boolean = () => false): void {
  const argument = 'the list of parameters';
  const fix = 'give model.parameters()';
  if (typeof params === 'object' && params !== null && (!(Symbol.iterator in params) || params instanceof Tensor))
    throw wrongArgument({ call, argument }, params, 'parameters', fix);
  checkIterable({ call, argument }, params, 'parameters', fix);
  if (!Array.isArray(params)) return; // a generator can be iterated only once
  for (const entry of params as readonly unknown[])
    if (!(entry instanceof Tensor) && !also(entry))
      throw wrongArgument({ call, argument: 'a parameter' }, entry, 'a tensor', fix);
}

/** @throws {WRONG_ARGUMENT} for settings that are not an object, or that an optimizer does not have */
export function checkSettings(call: string, settings: object, known: object): void {
  if (typeof settings !== 'object' || settings === null)
    throw wrongArgument({ call, argument: 'the second argument' }, settings, 'an object', 'write them as { lr: 1e-3 }');
  for (const [name, value] of Object.entries(settings)) {
    if (name in known) continue;
    const nearest = nearestName(name, Object.keys(known));
    throw wrongArgument(
      { call, argument: `the setting '${name}'` },
      value,
      `one of ${Object.keys(known).join(', ')}`,
      nearest === undefined ? 'leave it out, or correct its name' : `did you mean ${nearest}?`,
    );
  }
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

/** Checks that settings are numbers of at least 0. @throws {INVALID_OPTION} */
export function checkNotNegative(what: string, settings: { readonly [option: string]: number }): void {
  for (const [option, value] of Object.entries(settings))
    checkSetting(what, option, value, value >= 0, 'a number of at least 0');
}
/** Checks the decay rates of an optimizer with two moments. @throws {INVALID_OPTION} @throws {WRONG_ARGUMENT} */
export function checkBetas(what: string, betas: readonly number[]): void {
  if (!Array.isArray(betas) || betas.length !== 2)
    throw wrongArgument({ call: what, argument: 'betas' }, betas, 'two numbers', 'give both, such as [0.9, 0.999]');
  for (const beta of betas) checkSetting(what, 'betas', beta, beta >= 0 && beta < 1, 'numbers in [0, 1)');
}
/** Checks a setting that has a fixed set of values. @throws {INVALID_OPTION} */
export function checkChoice(what: string, option: string, value: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(value))
    throw new TrenioError(
      'INVALID_OPTION',
      { what, option, got: typeof value === 'string' ? `'${value}'` : described(value), expected: listed(choices) },
      { location: userLocation() },
    );
}
const listed = (choices: readonly unknown[]): string =>
  choices.map(choice => (typeof choice === 'string' ? `'${choice}'` : String(choice))).join(', ');
