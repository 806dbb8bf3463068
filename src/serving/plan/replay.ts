// Requests that arrive at random, served by the scheduler of the engine on a simulated clock: no model runs, steps take the time
// that the simulator predicts.
import { randomFraction } from '../../models/generation/sample-token.ts';
import { cacheTokens, type Replica, type StepLoad, stepTimer } from '../../simulator/inference/index.ts';
import { type PlannedPart, Scheduler } from '../engine/scheduler.ts';
import { Sequence } from '../engine/sequence.ts';

export interface Traffic {
  /** Tokens of a prompt, and of an answer. */
  readonly input: number;
  readonly output: number;
  /** Requests per second, at exponential intervals. */
  readonly rate: number;
}

export interface ReplayOptions {
  readonly mostSequences?: number;
  /** Tokens of a step. */
  readonly mostTokens?: number;
  /** Requests arrive for so many times as long as one takes alone; at least 100, at most 3,000 of them. */
  readonly rounds?: number;
  readonly seed?: number;
}

/** Latencies in seconds, after the first quarter of the requests. */
export interface Replayed {
  readonly firstToken: Quantiles;
  /** Time per token of a request after its first one. */
  readonly token: Quantiles;
  /** Answers' tokens per second. */
  readonly tokensPerSecond: number;
  /** Sequences of a step, on average. */
  readonly sequences: number;
  readonly preemptions: number;
  /** Requests that waited longer for their first token than a replica that keeps up would let them. */
  readonly isOverloaded: boolean;
}
export interface Quantiles {
  readonly median: number;
  readonly p99: number;
}

const blockSize = 16;
const defaults = { mostSequences: 256, mostTokens: 2048, rounds: 6, seed: 1 } as const;

/** Serves traffic by one replica. Undefined if a request does not fit beside the weights. */
export function replay(replica: Replica, traffic: Traffic, options: ReplayOptions = {}): Replayed | undefined {
  const { mostSequences, mostTokens, rounds, seed } = { ...defaults, ...options };
  const { input, output, rate } = traffic;
  const blocks = Math.min(Math.floor(cacheTokens(replica) / blockSize), 1 << 20);
  if (blocks * blockSize < input + output) return undefined;
  const seconds = stepTimer(replica);
  const alone = seconds(wholePrompt(input)) + output * seconds(oneToken(input + output / 2));
  const requests = Math.round(Math.min(3000, Math.max(100, rounds * rate * alone)));
  const scheduler = new Scheduler({ blocks, blockSize, mostSequences, mostTokens });
  let arrival = 0;
  const arrivals = Array.from({ length: requests }, (_, i) => {
    // The same requests for every replica.
    arrival -= Math.log(1 - randomFraction(seed, 0, i)) / rate;
    return arrival;
  });
  const times = new Map<Sequence, { readonly arrived: number; first: number; last: number }>();
  const prompt = new Array<number>(input).fill(0);
  let [now, next, steps, running, preemptions] = [0, 0, 0, 0, 0];
  const finished: { readonly arrived: number; first: number; last: number }[] = [];
  while (finished.length < requests) {
    for (; next < requests && arrivals[next]! <= now; next++) {
      const sequence = new Sequence(
        { prompt, maxNewTokens: output, isWhole: true, salt: `${next}` },
        arrivals[next]! * 1000,
      );
      times.set(sequence, { arrived: arrivals[next]!, first: 0, last: 0 });
      scheduler.add(sequence);
    }
    const plan = scheduler.plan(now * 1000);
    if (plan.parts.length === 0) {
      now = arrivals[next]!;
      continue;
    }
    now += seconds(loadOf(plan.parts));
    steps++;
    running += plan.parts.length;
    preemptions += plan.preempted.length;
    for (const part of plan.parts) {
      const { sequence, isLast } = part;
      scheduler.advance(part, isLast ? [0] : []);
      if (!isLast) continue;
      const own = times.get(sequence)!;
      own.last = now;
      own.first ||= now;
      if (sequence.generated < output) continue;
      scheduler.finish(sequence);
      // Not the sequence, which has all of its tokens.
      times.delete(sequence);
      finished.push(own);
    }
  }
  const measured = finished.slice(Math.floor(requests / 4));
  const waits = measured.map(({ arrived, first }) => first - arrived);
  const third = Math.ceil(waits.length / 3);
  return {
    firstToken: quantiles(waits),
    token: quantiles(measured.map(({ first, last }) => (last - first) / Math.max(1, output - 1))),
    tokensPerSecond: (requests * output) / now,
    sequences: running / steps,
    preemptions,
    // The queue grows as long as requests arrive.
    isOverloaded: mean(waits.slice(-third)) > 2 * mean(waits.slice(0, third)) + seconds(wholePrompt(input)),
  };
}

const wholePrompt = (input: number): StepLoad => ({
  ...{ tokens: input, sequences: 1, chosen: 1 },
  ...{ positions: input, pairs: (input * input) / 2 },
});

const oneToken = (position: number): StepLoad => ({
  ...{ tokens: 1, sequences: 1, chosen: 1 },
  ...{ positions: position, pairs: position },
});

function loadOf(parts: readonly PlannedPart[]): StepLoad {
  let [tokens, chosen, positions, pairs] = [0, 0, 0, 0];
  for (const { from, count, isLast } of parts) {
    tokens += count;
    if (isLast) chosen++;
    positions += from + count;
    pairs += count * (from + (count + 1) / 2);
  }
  return { tokens, sequences: parts.length, chosen, positions, pairs };
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p99: at(0.99) };
}
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
