// Which machines answer the requests of a language model in time, and what that costs: for each machine, the tensor parallel size
// with the cheapest tokens, by replays of the engine's scheduler.
import type { MicroUsd } from '../../base/money.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { TransformerConfig } from '../../simulator/index.ts';
import {
  cacheTokens,
  type Replica,
  type ServingInterval,
  servingInterval,
  tensorSizes,
  type WeightFormat,
  weightBytesPerDevice,
} from '../../simulator/inference/index.ts';
import { type Replayed, type ReplayOptions, replay, type Traffic } from './replay.ts';

export interface ServingQuestion {
  readonly model: TransformerConfig;
  readonly machines: readonly Machine[];
  readonly weights: WeightFormat;
  /** Tokens of a prompt, and of an answer. */
  readonly input: number;
  readonly output: number;
  /** Requests per second. Default: as many as one machine answers in time. */
  readonly rate?: number | undefined;
  /** Seconds, for 99 of 100 requests: to the first token, and per token after it. */
  readonly limits: { readonly firstToken?: number | undefined; readonly token?: number | undefined };
  /** The devices that share each layer. Default: the best. */
  readonly tensor?: number | undefined;
  /** Bytes per second at which a replica reads its weights when it starts. */
  readonly storageBandwidth: number;
}

export interface ServingRow {
  readonly kind: 'serves';
  readonly machine: Machine;
  readonly tensor: number;
  readonly replicasPerMachine: number;
  /** Requests per second that a replica answers in time. */
  readonly capacity: number;
  readonly machines: number;
  /** The requests per second of all machines. */
  readonly rate: number;
  /** Those of a replica with its share of the requests. */
  readonly latencies: Replayed;
  readonly perHour: MicroUsd | undefined;
  /** Dollars for a million tokens of answers. */
  readonly dollarsPerMillion: number | undefined;
  readonly weightBytesPerDevice: number;
  readonly cacheTokens: number;
  /** Until a new replica has read its weights. */
  readonly loadSeconds: number;
  readonly interval: ServingInterval;
}
/** A machine that cannot do it. */
export interface RefusedRow {
  readonly kind: 'refused';
  readonly machine: Machine;
  readonly reason: string;
}
/** A point of the frontier of a machine: more requests are cheaper, and slower. */
export interface FrontierPoint {
  readonly rate: number;
  readonly latencies: Replayed;
  readonly dollarsPerMillion: number | undefined;
}
export interface ServingPlan {
  /** The cheapest first. */
  readonly rows: readonly ServingRow[];
  readonly refused: readonly RefusedRow[];
  /** One replica of the first row. */
  readonly frontier: readonly FrontierPoint[];
}

/** The lengths of replays that look for a capacity, and of those that confirm it. */
const few = { rounds: 2 };
const many = { rounds: 6 };
const frontierShares = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** @param onProgress called with the number of tried replicas, and of all */
export function planServing(
  question: ServingQuestion,
  onProgress: (done: number, total: number) => void = () => {},
): ServingPlan {
  const tried = question.machines.map(machine => ({
    machine,
    sizes: question.tensor === undefined ? tensorSizes({ machine, model: question.model }) : [question.tensor],
  }));
  const total = tried.reduce((sum, { sizes }) => sum + sizes.length, 0);
  let done = 0;
  const rows: ServingRow[] = [];
  const refused: RefusedRow[] = [];
  for (const { machine, sizes } of tried) {
    const found: ServingRow[] = [];
    let fits = false;
    for (const tensor of sizes) {
      onProgress(done++, total);
      const replica: Replica = { model: question.model, machine, tensor, weights: question.weights };
      fits ||= cacheTokens(replica) >= question.input + question.output;
      const capacity = capacityOf(replica, question);
      if (capacity !== undefined) found.push(rowOf(replica, capacity, question));
    }
    const [best] = found.toSorted(byCost);
    if (best !== undefined) rows.push(best);
    else
      refused.push({
        ...{ kind: 'refused', machine },
        reason: fits ? 'no size meets the limits for a single request' : 'the weights and one request do not fit',
      });
  }
  rows.sort(byCost);
  return { rows, refused, frontier: rows[0] === undefined ? [] : frontierOf(rows[0], question) };
}

/** Machines without a price are last, those with fewer machines first. */
const byCost = (a: ServingRow, b: ServingRow): number =>
  (a.dollarsPerMillion ?? Number.POSITIVE_INFINITY) - (b.dollarsPerMillion ?? Number.POSITIVE_INFINITY) ||
  a.machines - b.machines ||
  b.capacity - a.capacity ||
  a.tensor - b.tensor;

const keeps = ({ firstToken, token, isOverloaded }: Replayed, { limits }: ServingQuestion): boolean =>
  !isOverloaded &&
  firstToken.p99 <= (limits.firstToken ?? Number.POSITIVE_INFINITY) &&
  token.p99 <= (limits.token ?? Number.POSITIVE_INFINITY);

/** The requests per second that a replica answers within the limits; undefined if it answers not even one after the other. */
function capacityOf(replica: Replica, question: ServingQuestion): number | undefined {
  const kept = (rate: number, length: ReplayOptions = few): boolean => {
    const replayed = replay(replica, { ...question, rate }, length);
    return replayed !== undefined && keeps(replayed, question);
  };
  let low = 0.01;
  if (!kept(low)) return undefined;
  let high = 0.16;
  while (kept(high) && high < 1e5) [low, high] = [high, high * 4];
  for (let i = 0; i < 5; i++) {
    const middle = Math.sqrt(low * high);
    if (kept(middle)) low = middle;
    else high = middle;
  }
  // Queues that grow slowly are seen only in longer replays.
  while (low > 0.01 && !kept(low, many)) low *= 0.9;
  return low;
}

function rowOf(replica: Replica, capacity: number, question: ServingQuestion): ServingRow {
  const { machine, tensor } = replica;
  const replicasPerMachine = Math.floor(machine.devices / tensor);
  const ofMachine = capacity * replicasPerMachine;
  const machines = question.rate === undefined ? 1 : Math.max(1, Math.ceil(question.rate / ofMachine));
  const rate = question.rate ?? ofMachine;
  const own: Traffic = { ...question, rate: rate / (machines * replicasPerMachine) };
  const perHour = machine.prices.find(({ kind, service }) => kind === 'on-demand' && service === 'ec2')?.perHour;
  const weightBytes = weightBytesPerDevice(replica);
  const latencies = replay(replica, own, many)!;
  return {
    ...{ kind: 'serves', machine, tensor, replicasPerMachine, capacity, machines, rate },
    latencies,
    perHour,
    dollarsPerMillion: perHour === undefined ? undefined : dollars(perHour * machines, rate * question.output),
    weightBytesPerDevice: weightBytes,
    cacheTokens: cacheTokens(replica),
    loadSeconds: (weightBytes * tensor) / question.storageBandwidth,
    interval: servingInterval(machine, latencies.sequences),
  };
}

/** Dollars for a million tokens. */
const dollars = (microUsdPerHour: number, tokensPerSecond: number): number => microUsdPerHour / 3600 / tokensPerSecond;

function frontierOf(row: ServingRow, question: ServingQuestion): readonly FrontierPoint[] {
  const replica: Replica = { ...question, machine: row.machine, tensor: row.tensor };
  return frontierShares.map(share => {
    const rate = share * row.capacity;
    const latencies = replay(replica, { ...question, rate }, many)!;
    const perHour = row.perHour === undefined ? undefined : row.perHour / row.replicasPerMachine;
    const dollarsPerMillion = perHour === undefined ? undefined : dollars(perHour, rate * question.output);
    return { rate, latencies, dollarsPerMillion };
  });
}
