// Optional arguments as in PyTorch: by position, by name in one last object, or first some by position and then others by
// name. `new Conv2d(3, 8, 3, 2, { padding: 1 })` is PyTorch's `Conv2d(3, 8, 3, 2, padding=1)`.

import { nearestName } from '../base/nearest.ts';
import { wrongArgument } from './check-arguments.ts';
import { checkOptionNames, isPlainObject } from './surface/call.ts';

export { wrongText } from './check-arguments.ts';

/**
 * The arguments that may follow: those named in K, in this order, or any of O by name. Each position takes either, so that the
 * type checker's message about a wrong name is one line.
 */
export type Settings<O extends object, K extends readonly (keyof O)[]> = K extends readonly [
  infer F extends keyof O,
  ...infer R extends readonly (keyof O)[],
]
  ? [value?: O[F] | O | undefined, ...rest: Settings<O, R>]
  : [settings?: O];

/** PyTorch's spelling as ours: `ceil_mode` is ceilMode, `T_max` tMax. */
const camelCase = (name: string): string =>
  name
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]/, letter => letter.toLowerCase());

/** PyTorch's None means the default, except where it has a meaning: batch norms of momentum None average all batches. */
const isGiven = (name: string, value: unknown): boolean =>
  value !== undefined && (value !== null || name === 'momentum');

/**
 * The arguments by name. `positional` are names in PyTorch's order, `named` those without a position; `checkNames` refuses
 * others.
 * @throws {UNKNOWN_ARGUMENT} for an unknown name
 * @throws {WRONG_ARGUMENT} for too many arguments, or one that is given twice
 */
export function settle<O extends object>(
  call: string,
  positional: readonly (keyof O & string)[],
  rest: readonly unknown[],
  named: readonly (keyof O & string)[] = [],
  checkNames: (call: string, options: object, known: readonly string[]) => void = checkOptionNames,
): O {
  const last = rest.at(-1);
  const byName = isPlainObject(last) ? last : undefined;
  const byPosition = byName === undefined ? rest : rest.slice(0, -1);
  if (byPosition.length > positional.length)
    throw wrongArgument(
      { call, argument: `optional argument ${positional.length + 1}` },
      byPosition[positional.length],
      'nothing',
      `give ${positional.length === 0 ? 'no optional arguments' : positional.join(', ')}`,
    );
  const found: Record<string, unknown> = {};
  byPosition.forEach((value, i) => {
    if (isGiven(positional[i]!, value)) found[positional[i]!] = value;
  });
  if (byName !== undefined) {
    const known = [...positional, ...named];
    // PyTorch's spelling is accepted as well.
    const given = Object.entries(byName).map(
      ([name, value]) => [known.includes(name as never) ? name : camelCase(name), value] as const,
    );
    checkNames(call, Object.fromEntries(given), known);
    for (const [name, value] of given) {
      if (!isGiven(name, value)) continue;
      if (name in found) throw wrongArgument({ call, argument: name }, value, 'to be given once');
      found[name] = value;
    }
  }
  return found as O;
}

/** The arguments with the required ones by position, where some are given by name: `new Conv2d(3, 8, { kernelSize: 3 })`. */
export function requiredFirst(names: readonly string[], args: readonly unknown[]): readonly unknown[] {
  const last = args.at(-1);
  if (args.length > names.length || !isPlainObject(last)) return args;
  const missing = names.slice(args.length - 1);
  const given = new Map(Object.entries(last).map(([name, value]) => [camelCase(name), value]));
  const required = missing.map(name => given.get(name));
  for (const name of missing) given.delete(name);
  return [...args.slice(0, -1), ...required, Object.fromEntries(given)];
}

/** One of some words. @throws {WRONG_ARGUMENT} */
export function checkWord<W extends string>(call: string, argument: string, got: unknown, words: readonly W[]): W {
  if ((words as readonly unknown[]).includes(got)) return got as W;
  const nearest = typeof got === 'string' ? nearestName(got, words) : undefined;
  throw wrongArgument(
    { call, argument },
    got,
    words.map(word => `'${word}'`).join(', '),
    nearest === undefined ? undefined : `did you mean '${nearest}'?`,
  );
}
