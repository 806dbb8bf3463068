// The interval of an entry of a plan: a step, the training run and its cost at both ends, and its words.
import type { MicroUsd } from '../../base/money.ts';
import { formatUsd } from '../../base/money.ts';
import { formatLongDuration } from '../../base/units.ts';
import { type StepQuestion, type Uncertainty, uncertaintyOf } from '../../simulator/index.ts';
import { formatStep, quoteOf, type Totals, termsOf } from '../../simulator/plan/index.ts';
import { type PlanRequest, termsOptionsOf } from './request.ts';

type Ends<T> = readonly [least: T, most: T];
export interface Interval {
  readonly uncertainty: Uncertainty;
  readonly stepSeconds: Ends<number>;
  /** The training run and its cost, bought as the entry is; undefined where they are not known. */
  readonly seconds: Ends<number> | undefined;
  readonly cost: Ends<MicroUsd> | undefined;
}

/** @param totals of the training run; undefined: no amount was given */
export function intervalOf(
  request: PlanRequest,
  question: StepQuestion,
  stepSeconds: number,
  totals: Pick<Totals, 'stepsSeconds' | 'quote'> | undefined,
  now: Date,
): Interval {
  const uncertainty = uncertaintyOf(question);
  const factors = [1 / uncertainty.factor, uncertainty.factor] as const;
  const ends = <T>(of: (factor: number) => T): Ends<T> => [of(factors[0]), of(factors[1])];
  const { machine, nodes } = question;
  const quotes =
    totals &&
    ends(factor =>
      quoteOf(totals.quote.offer, nodes, totals.stepsSeconds * factor, termsOf(machine, termsOptionsOf(request, now))),
    );
  const [least, most] = quotes ?? [];
  return {
    uncertainty,
    stepSeconds: ends(factor => stepSeconds * factor),
    seconds: quotes && [quotes[0].seconds, quotes[1].seconds],
    cost: least?.kind === 'priced' && most?.kind === 'priced' ? [least.toPay, most.toPay] : undefined,
  };
}

/** `±9 %`, or `−36 … +56 %` */
export function widthText({ factor }: Uncertainty): string {
  const [below, above] = [Math.round(100 * (1 - 1 / factor)), Math.round(100 * (factor - 1))];
  return above - below <= 2 ? `±${above} %` : `−${below} … +${above} %`;
}

/** `1.13 s … 1.34 s` */
export const between = <T>([least, most]: Ends<T>, format: (value: T) => string): string =>
  format(least) === format(most) ? format(least) : `${format(least)} … ${format(most)}`;

/** The interval in words, how it is known, and the published run that is most like this one. */
export function intervalSentences({ uncertainty, seconds, cost, stepSeconds }: Interval): readonly string[] {
  const { level, reason, nearest } = uncertainty;
  const takes = seconds === undefined ? between(stepSeconds, formatStep) : between(seconds, formatLongDuration);
  const costs = cost === undefined ? '' : ` and cost ${between(cost, formatUsd)}`;
  const what = seconds === undefined ? 'a step' : 'the training';
  return [
    `In ${Math.round(100 * level)} of 100 cases ${what} takes ${takes}${costs} (${reason}).`,
    ...(nearest === undefined
      ? []
      : [
          `Nearest published run: ${nearest.what}: ${formatStep(nearest.published)} a step, predicted ${formatStep(nearest.predicted)} (${nearest.source}).`,
        ]),
  ];
}

export const intervalJson = ({ uncertainty, stepSeconds, seconds, cost }: Interval): object => ({
  level: uncertainty.level,
  factor: uncertainty.factor,
  stepSeconds,
  seconds: seconds ?? null,
  usd: cost?.map(own => own / 1e6) ?? null,
  publishedRuns: uncertainty.runs,
  reason: uncertainty.reason,
  nearest: uncertainty.nearest ?? null,
});
