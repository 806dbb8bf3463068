// Chooses the answer, once for text, JSON, trace, page and exit code: the best layout of the search. Without a search, among the
// rows that fit in memory and meet the deadline and the budget: the cheapest if there is a deadline, else the fastest. If no row
// meets them, the nearest one.
import { toDollars } from '../../base/money.ts';
import { costOfEntry, type Entries, type Entry, type Findings, timeOf } from './entries.ts';
import type { PlanRequest } from './request.ts';

export interface Answer {
  readonly entry: Entry;
  /** True if it fits in memory and meets the deadline and the budget. */
  readonly kept: boolean;
  /** Why this one: `The fastest of 15`. */
  readonly reason: string;
}

/** @returns undefined where nothing could be predicted */
export function answerOf({ request, search }: Findings, { all, fitting, found }: Entries): Answer | undefined {
  if (search !== undefined && found !== undefined) {
    const count = (value: number): string => value.toLocaleString('en-US');
    if (search.best === undefined)
      return { entry: found, kept: false, reason: `The nearest of ${count(search.priced)} layouts searched` };
    const best = request.search?.objective === 'cost' ? 'cheapest' : 'fastest';
    return { entry: found, kept: true, reason: `The ${best} of ${count(search.feasible)} feasible layouts searched` };
  }
  // A search without a price has no answer, even if default layouts have one.
  const kept = search === undefined ? fitting.filter(entry => keeps(request, entry)) : [];
  const limits = limitsOf(request);
  if (kept.length > 0) {
    const byCost = request.deadlineSeconds !== undefined && kept.some(entry => costOfEntry(entry) !== undefined);
    const measure = byCost ? (entry: Entry) => costOfEntry(entry) ?? Number.POSITIVE_INFINITY : timeOf;
    const which = byCost ? 'cheapest' : 'fastest';
    const within = limits === '' ? 'that fit in memory' : `within ${limits}`;
    return {
      entry: leastBy(kept, measure)!,
      kept: true,
      reason:
        kept.length === 1
          ? all.length === 1
            ? ''
            : `The only one of ${all.length} ${within}`
          : `The ${which} of ${kept.length} ${within}`,
    };
  }
  const nearest =
    leastBy(fitting, entry => overrun(request, entry)) ??
    leastBy(all, ({ prediction: { memory } }) => memory.total / memory.capacity);
  if (nearest === undefined) return undefined;
  return { entry: nearest, kept: false, reason: all.length === 1 ? '' : `The nearest of ${all.length}` };
}

/** `the deadline and the budget` */
export const limitsOf = ({ deadlineSeconds, budget }: PlanRequest): string =>
  [...(deadlineSeconds === undefined ? [] : ['the deadline']), ...(budget === undefined ? [] : ['the budget'])].join(
    ' and ',
  );

export const keepsDeadline = ({ deadlineSeconds }: PlanRequest, { seconds }: Entry): boolean =>
  deadlineSeconds === undefined || (seconds !== undefined && seconds <= deadlineSeconds);
/** Without a price, a budget cannot be checked. */
export const keepsBudget = ({ budget }: PlanRequest, { bought }: Entry): boolean =>
  budget === undefined || (bought.kind === 'priced' && bought.cost !== undefined && bought.cost <= budget);
export const keeps = (request: PlanRequest, entry: Entry): boolean =>
  entry.fits && keepsDeadline(request, entry) && keepsBudget(request, entry);

/** How far beyond deadline or budget, as a ratio. */
function overrun({ deadlineSeconds, budget }: PlanRequest, { seconds, bought }: Entry): number {
  const time = deadlineSeconds === undefined || seconds === undefined ? 0 : seconds / deadlineSeconds;
  const cost = bought.kind === 'priced' ? bought.cost : undefined;
  const money = budget === undefined ? 0 : cost === undefined ? Number.MAX_VALUE : toDollars(cost) / toDollars(budget);
  return Math.max(time, money);
}

function leastBy(entries: readonly Entry[], measure: (entry: Entry) => number): Entry | undefined {
  let least: Entry | undefined;
  for (const entry of entries) if (least === undefined || measure(entry) < measure(least)) least = entry;
  return least;
}
