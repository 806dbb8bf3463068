// A plan as JSON: numbers in base units, dollars as numbers, null for unknown values.
import { type MicroUsd, toDollars } from '../../base/money.ts';
import type { Prediction } from '../../simulator/index.ts';
import type { PlanRow, PurchaseOption, Quote, SearchResult, TrainingPlan } from '../../simulator/plan/index.ts';
import { describeLoss, startUpSeconds } from '../../simulator/plan/index.ts';
import { largestBound } from '../../simulator/plan/training.ts';
import type { Answer } from './answer.ts';
import type { Entry } from './entries.ts';
import { intervalJson } from './interval.ts';
import type { Failing } from './report.ts';

const dollars = (amount: MicroUsd | undefined): number | null => (amount === undefined ? null : toDollars(amount));

/** @param entry of the row, if it was predicted */
export function rowJson(row: PlanRow, entry: Entry | undefined): object {
  const { nodes } = row;
  const machine = row.machine.name;
  if (row.kind === 'impossible') return { kind: row.kind, machine, nodes, reason: row.reason, fix: row.fix };
  const { plan, cheapest, fastest, prediction, tried } = row;
  return {
    kind: row.kind,
    recipe: row.recipe?.name ?? null,
    ...predictionJson(prediction),
    training: plan === undefined ? null : trainingJson(plan),
    tried: tried?.map(({ layout, stepSeconds, memory: { total, fits } }) => ({
      layout: layout.mesh ?? null,
      stepSeconds,
      memory: { total, fits },
    })),
    interval: entry === undefined ? null : intervalJson(entry.interval),
    cheapest,
    fastest,
  };
}

function predictionJson(p: Prediction): object {
  const { bound, share } = largestBound(p);
  const { byKind, total, capacity, fits, spare, remedies } = p.memory;
  return {
    machine: p.machine.name,
    nodes: p.nodes,
    devices: p.machine.devices * p.nodes,
    layout: p.layout,
    stepSeconds: p.stepSeconds,
    samplesPerStep: p.samplesPerStep,
    tokensPerStep: p.tokensPerStep ?? null,
    samplesPerSecond: p.samplesPerSecond,
    tokensPerSecond: p.tokensPerStep === undefined ? null : p.tokensPerStep / p.stepSeconds,
    mfu: p.mfu,
    modelFlops: p.modelFlops,
    hardwareFlops: p.hardwareFlops,
    joulesPerStep: p.joules ?? null,
    byPhase: p.byPhase,
    byBound: p.byBound,
    bound,
    boundShare: share,
    dataLoading: p.dataLoading ?? null,
    memory: { byKind, total, capacity, fits, spare, remedies },
  };
}

function trainingJson(plan: TrainingPlan): object {
  return {
    steps: plan.steps,
    seconds: plan.seconds,
    startUpSeconds: startUpSeconds(plan.startUp),
    billedSeconds: plan.billedSeconds,
    ...quoteJson(plan.quote),
    usdPerHour: dollars(plan.price?.perHour),
    usd: dollars(plan.cost),
    joules: plan.joules ?? null,
  };
}

/** The purchase option; `kind` is `priced` if it has a price. */
function quoteJson(quote: Quote | undefined): object {
  if (quote === undefined) return { service: null, purchase: null };
  const { service, purchase } = quote.offer;
  return { service, purchase, ...(quote.kind === 'refused' ? { notSold: quote.reason } : {}) };
}

export function searchJson(result: SearchResult): object {
  type Shown = (typeof result.runnersUp)[number] | NonNullable<typeof result.best>;
  const candidate = (c: Shown): object => ({
    ...predictionJson(c.prediction),
    seconds: c.totals?.seconds ?? null,
    ...quoteJson(c.totals?.quote),
    usd: dollars(c.totals?.cost),
    ...('loss' in c ? { loss: c.loss, why: describeLoss(c.loss) } : {}),
  });
  return {
    priced: result.priced,
    feasible: result.feasible,
    best: result.best === undefined ? null : candidate(result.best),
    runnersUp: result.runnersUp.map(candidate),
    rejected: result.rejected.map(candidate),
    withoutAny: result.withoutAny.map(({ machine, nearest, why }) => ({
      machine: machine.name,
      why,
      nearest: nearest === undefined ? null : candidate(nearest),
    })),
    impossible: result.impossible,
  };
}

/** The chosen entry among the rows and the search results: the same one in the text, the trace and the page. */
export function answerJson({ entry, kept, reason, ties }: Answer): object {
  const named = ({ machine, nodes, prediction }: Entry) => ({
    machine: machine.name,
    nodes,
    layout: prediction.layout,
  });
  return { ...named(entry), kept, reason, interval: intervalJson(entry.interval), ties: ties.map(named) };
}

export function purchaseJson(option: PurchaseOption): object {
  const { kind, service, purchase, notes } = option;
  if (option.kind === 'impossible') return { kind, service, purchase, reason: option.reason, notes };
  if (option.kind !== 'priced') return { kind, service, purchase, seconds: option.seconds, usd: null, notes };
  return {
    kind,
    service,
    purchase,
    seconds: option.seconds,
    usdPerHour: dollars(option.price.perHour),
    usdUsed: dollars(option.used),
    usd: dollars(option.toPay),
    commitment: option.commitment,
    ...(option.block === undefined
      ? {}
      : {
          block: {
            days: option.block.days,
            starts: option.block.starts.toISOString(),
            ends: option.block.ends.toISOString(),
          },
        }),
    source: option.price.source,
    date: option.price.date,
    uncertain: option.price.uncertain,
    notes,
  };
}

export function failuresJson({ plan, under }: Failing): object {
  const { reliability, seconds, cost, checkpointBytes, checkpointSeconds } = under;
  return {
    machine: plan.prediction.machine.name,
    nodes: plan.prediction.nodes,
    goodput: reliability.goodput,
    failures: reliability.failures,
    mtbfSeconds: reliability.mtbf,
    secondsByCause: reliability.byCause,
    checkpoint: { everySeconds: reliability.interval, bytes: checkpointBytes, seconds: checkpointSeconds },
    optimum: reliability.optimum,
    seconds,
    usd: dollars(cost),
  };
}
