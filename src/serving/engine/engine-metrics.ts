// The counters of an engine: plain numbers, with the meaning that vLLM gives its metrics. Names on the wire are elsewhere.

/** Counts of values up to each bound, each with those of the bounds below it left out; the last is of larger ones. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;
  count = 0;
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }
  observe(value: number, times = 1): void {
    const index = this.bounds.findIndex(bound => value <= bound);
    this.counts[index === -1 ? this.bounds.length : index]! += times;
    this.sum += value * times;
    this.count += times;
  }
}

const firstToken = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];
const betweenTokens = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80];
const request = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680];
const perStep = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];
/** 1, 2, 5, 10, … up to a limit. */
function decades(limit: number): readonly number[] {
  const bounds: number[] = [];
  for (let unit = 1; unit <= limit; unit *= 10)
    for (const bound of [unit, 2 * unit, 5 * unit]) if (bound <= limit) bounds.push(bound);
  return bounds;
}

export const finishReasons = ['stop', 'length', 'abort', 'error'] as const;
/** `abort`: by the client, a deadline or the end of the server. */
export type FinishReason = (typeof finishReasons)[number];

export class EngineMetrics {
  promptTokens = 0;
  generatedTokens = 0;
  /** Tokens of prompts that were found in blocks, and all tokens that were looked up. */
  cachedTokens = 0;
  lookedUpTokens = 0;
  /** Tokens that were computed again after a preemption. */
  recomputedTokens = 0;
  preemptions = 0;
  drafts = 0;
  draftTokens = 0;
  acceptedTokens = 0;
  readonly acceptedByPosition: number[] = [];
  failedSteps = 0;
  readonly finished: Record<FinishReason, number> = { stop: 0, length: 0, abort: 0, error: 0 };
  // In seconds.
  readonly timeToFirstToken: Histogram = new Histogram(firstToken);
  readonly interTokenLatency: Histogram = new Histogram(betweenTokens);
  readonly timePerOutputToken: Histogram = new Histogram(betweenTokens);
  readonly requestLatency: Histogram = new Histogram(request);
  readonly queueTime: Histogram = new Histogram(request);
  readonly prefillTime: Histogram = new Histogram(request);
  readonly decodeTime: Histogram = new Histogram(request);
  readonly inferenceTime: Histogram = new Histogram(request);
  // In tokens.
  readonly requestPromptTokens: Histogram;
  readonly requestGeneratedTokens: Histogram;
  /** Tokens of the longest sequence of each request. */
  readonly requestLongestTokens: Histogram;
  readonly requestMaxTokens: Histogram;
  readonly requestN: Histogram = new Histogram([1, 2, 5, 10, 20]);
  readonly stepTokens: Histogram = new Histogram(perStep);

  constructor(positions: number) {
    const lengths = decades(positions);
    this.requestPromptTokens = new Histogram(lengths);
    this.requestGeneratedTokens = new Histogram(lengths);
    this.requestLongestTokens = new Histogram(lengths);
    this.requestMaxTokens = new Histogram(lengths);
  }
}
