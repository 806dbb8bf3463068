// Metrics in the lines that a job prints: each has a regular expression whose first group is the value. The expressions come from
// clients, so they are matched by RE2, in linear time.
import { RE2JS, RE2JSException } from 're2js';
import type { MetricValue } from './training-job.ts';

// Longer lines are not searched.
const MAX_LINE_CHARACTERS = 16_384;
/** Values that wait while the disk is full. */
const MAX_FRESH = 1_000_000;

/** Why a regular expression cannot be used; undefined if it can. */
export function metricProblem(regex: string): string | undefined {
  if (repetitions(regex) > MAX_REPETITIONS) return `its repetitions ({n}) add up to more than ${MAX_REPETITIONS}`;
  try {
    RE2JS.compile(regex);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

/** RE2 copies the repeated expression: half a kilobyte of repetitions takes a second to compile. */
const MAX_REPETITIONS = 1000;

const repetitions = (regex: string): number =>
  [...regex.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce((sum, [, least, most]) => sum + Number(most || least), 0);

export class MetricWatch {
  readonly #definitions: readonly { readonly name: string; readonly pattern: RE2JS }[];
  readonly #last = new Map<string, MetricValue>();
  #fresh: MetricValue[] = [];

  /** @param before the last values of earlier attempts */
  constructor(
    definitions: readonly { readonly name: string; readonly regex: string }[],
    before: readonly MetricValue[] = [],
  ) {
    for (const value of before) this.#last.set(value.name, value);
    this.#definitions = definitions.map(({ name, regex }) => ({ name, pattern: RE2JS.compile(regex) }));
  }

  line(text: string, timeMs: number): void {
    if (text.length > MAX_LINE_CHARACTERS) return;
    for (const { name, pattern } of this.#definitions) {
      const matcher = pattern.matcher(text);
      if (!matcher.find() || matcher.groupCount() < 1) continue;
      const value = Number(matcher.group(1));
      // JSON cannot represent values that are not finite.
      if (!Number.isFinite(value)) continue;
      const found = { name, value, timeMs };
      this.#last.set(name, found);
      if (this.#fresh.length < MAX_FRESH) this.#fresh.push(found);
    }
  }

  /** The values that have not been stored, by metric. */
  fresh(): ReadonlyMap<string, readonly MetricValue[]> {
    return Map.groupBy(this.#fresh, ({ name }) => name);
  }

  clearFresh(): void {
    this.#fresh = [];
  }

  /** The last value of each metric. */
  values(): readonly MetricValue[] {
    return [...this.#last.values()];
  }
}
