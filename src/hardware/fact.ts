// A value with its source. The catalog contains only such values, so that every figure can be traced.
//
// Documents disagree, mostly because figures were announced at a launch and corrected later. Then both are kept: `value` is
// from today's documents, and an alternative marked `launch` was announced. A `FactProfile` selects one of them
// for all facts at once. Other alternatives are only shown, never used.
import type { FactProfile } from './machine.ts';

/** Another value for a fact, from another source. */
export interface Alternative<T> {
  /** The value in another source. */
  readonly value: T;
  /** The source, and why it is not used. */
  readonly note: string;
  /** The profile that picks it; without one, no profile does. */
  readonly profile?: 'launch';
  /** As for a fact. */
  readonly uncertain?: true;
}

/** A value of the catalog with its source. */
export interface Fact<T> {
  /** The value. */
  readonly value: T;
  /** The page or document it was read from, with its date or version; or what it was derived from. */
  readonly source: string;
  /** The unit of the value. */
  readonly unit?: string;
  /** A caveat about the figure. */
  readonly note?: string;
  /** Set where sources disagree, or only a second-hand source was found, or the value was inferred. */
  readonly uncertain?: true;
  /** Values in other sources. */
  readonly alternatives?: readonly Alternative<T>[];
}

export const factProfiles = ['docs', 'launch'] as const satisfies readonly FactProfile[];

/**
 * The fact in a profile: its own value and source, or those of the alternative that the profile selects.
 * @example
 * const price = hardware.priceOf('trn1.32xlarge')!;
 * hardware.factUnder(price, 'docs').source === price.source // true
 */
export function factUnder<T>(fact: Fact<T>, profile: FactProfile): Fact<T> {
  const picked = profile === 'docs' ? undefined : fact.alternatives?.find(a => a.profile === profile);
  if (picked === undefined) return fact;
  return {
    value: picked.value,
    source: picked.note,
    ...(fact.unit === undefined ? {} : { unit: fact.unit }),
    ...(picked.uncertain ? { uncertain: true } : {}),
  };
}
/**
 * The value of a fact by today's documents (`docs`) or as it was at the launch (`launch`).
 * @example
 * formatUsd(hardware.valueUnder(hardware.priceOf('trn1.32xlarge')!, 'docs')) // '$21.50'
 */
export const valueUnder = <T>(fact: Fact<T>, profile: FactProfile): T => factUnder(fact, profile).value;

export type FactOptions<T> = Omit<Fact<T>, 'value' | 'source' | 'unit'>;

/** Facts that were read from one page: `const page = factsOf('…'); page(820, 'GB/s')`. */
export function factsOf(source: string): <T>(value: T, unit?: string, options?: FactOptions<T>) => Fact<T> {
  return (value, unit, options = {}) => ({ value, source, ...(unit === undefined ? {} : { unit }), ...options });
}

/** An alternative that the profile `launch` picks. */
export const atLaunch = <T>(value: T, note: string): Alternative<T> => ({ value, note, profile: 'launch' });

const isFact = (value: unknown): value is Fact<unknown> =>
  typeof value === 'object' && value !== null && 'value' in value && 'source' in value;

/**
 * Every fact inside an object, with the path of property names that leads to it.
 * @example
 * const instance = hardware.findInstance('trn1.32xlarge')!;
 * hardware.listFacts(instance).length > 5 // true
 */
export function listFacts(object: object): readonly {
  /** The names of the properties that lead to the fact. */
  readonly path: readonly string[];
  /** The fact. */
  readonly fact: Fact<unknown>;
}[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (isFact(value)) return [{ path: [key], fact: value }];
    if (typeof value !== 'object' || value === null) return [];
    return listFacts(value).map(({ path, fact }) => ({ path: [key, ...path], fact }));
  });
}
