// Chooses the answer, once for text, JSON, trace, page and exit code: the best layout of the search. Without a search, among the
// rows that fit in memory and meet the deadline and the budget: the cheapest if there is a deadline, else the fastest. If no row
// meets them, the nearest one. Others that are closer than the intervals of their times (or costs) are ties.
import { toDollars } from '../../base/money.ts';
import { costOfEntry, type Entries, type Entry, entryOfCandidate, type Findings, isSame, timeOf } from './entries.ts';
import type { PlanRequest } from './request.ts';
import { tiesOf } from './ties.ts';

export interface Answer {
  readonly entry: Entry;
  /** True if it fits in memory and meets the deadline and the budget. */
  readonly kept: boolean;
  /** Why this one: `The fastest of 15`. */
  readonly reason: string;
  /** Other entries that may as well be the better ones: closer than their intervals. */
  readonly ties: readonly Entry[];
}

/** @returns undefined where nothing could be predicted */
export function answerOf(findings: Findings, entries: Entries): Answer | undefined {
  const chosen = chosenOf(findings, entries);
  if (chosen === undefined) return undefined;
  const { request, search, now } = findings;
  const { entry, kept, byCost } = chosen;
  const others =
    search === undefined
      ? entries.fitting.filter(other => keeps(request, other))
      : search.runnersUp.map(other => entryOfCandidate(request, other, now));
  const rest = others.filter(other => !isSame(other, entry));
  return { ...chosen, ties: kept ? tiesOf(entry, rest, byCost ? costMeasure : timeOf) : [] };
}

interface Chosen extends Omit<Answer, 'ties'> {
  readonly byCost: boolean;
}
function chosenOf({ request, search }: Findings, { all, fitting, found }: Entries): Chosen | undefined {
  if (search !== undefined && found !== undefined) {
    const byCost = request.search?.objective === 'cost';
    const count = (value: number): string => value.toLocaleString('en-US');
    if (search.best === undefined)
      return { entry: found, kept: false, byCost, reason: `The nearest of ${count(search.priced)} layouts searched` };
    const best = byCost ? 'cheapest' : 'fastest';
    return {
      entry: found,
      kept: true,
      byCost,
      reason: `The ${best} of ${count(search.feasible)} feasible layouts searched`,
    };
  }
  // A search without a price has no answer, even if default layouts have one.
  const kept = search === undefined ? fitting.filter(entry => keeps(request, entry)) : [];
  const limits = limitsOf(request);
  if (kept.length > 0) {
    const byCost = request.deadlineSeconds !== undefined && kept.some(entry => costOfEntry(entry) !== undefined);
    const measure = byCost ? costMeasure : timeOf;
    const which = byCost ? 'cheapest' : 'fastest';
    const within = limits === '' ? 'that fit in memory' : `within ${limits}`;
    return {
      entry: leastBy(kept, measure)!,
      kept: true,
      byCost,
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
  return { entry: nearest, kept: false, byCost: false, reason: all.length === 1 ? '' : `The nearest of ${all.length}` };
}

const costMeasure = (entry: Entry): number => costOfEntry(entry) ?? Number.POSITIVE_INFINITY;

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
