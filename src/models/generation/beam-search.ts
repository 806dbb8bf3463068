// Beam search for one prompt, with the algorithm of transformers 5 (GenerationMixin._beam_search). It does not run the model: a
// step gets log-probabilities and returns the beams and tokens to continue with. Scores are f32, as in transformers.
import type { GenerationSettings } from './generate-options.ts';

const f32 = Math.fround;
const never = -1e9;

/** A sequence that is being extended. */
interface Running {
  readonly tokens: readonly number[];
  readonly score: number;
}
interface Finished extends Running {
  readonly isFinished: boolean;
}

/** The continuation: beam i extends beam `parents[i]` by `tokens[i]`. */
export interface BeamStep {
  readonly parents: readonly number[];
  readonly tokens: readonly number[];
  /** All candidates are complete: nothing is left to extend. */
  readonly isExhausted: boolean;
}

type BeamSettings = Pick<GenerationSettings, 'numBeams' | 'lengthPenalty' | 'earlyStopping' | 'eosTokenIds'>;

/** The beams of one prompt. */
export class Beams {
  readonly #settings: BeamSettings;
  /** The maximum number of new tokens. */
  readonly #limit: number;
  readonly #isStopped: (generated: readonly number[]) => boolean;
  #running: readonly Running[];
  #finished: readonly Finished[];
  /** Whether a running beam may still exceed the finished ones. */
  #canImprove = true;

  constructor(settings: BeamSettings, limit: number, isStopped: (generated: readonly number[]) => boolean) {
    this.#settings = settings;
    this.#limit = limit;
    this.#isStopped = isStopped;
    const { numBeams } = settings;
    // All beams start with the same prompt: only the first one is extended.
    this.#running = Array.from({ length: numBeams }, (_, i) => ({ tokens: [], score: i === 0 ? 0 : never }));
    this.#finished = Array.from({ length: numBeams }, () => ({ tokens: [], score: never, isFinished: false }));
  }

  get running(): readonly Running[] {
    return this.#running;
  }
  /** The finished sequences, best first. */
  get best(): readonly Running[] {
    return this.#finished;
  }
  get canImprove(): boolean {
    return this.#canImprove;
  }
  get areAllFinished(): boolean {
    return this.#finished.every(({ isFinished }) => isFinished);
  }

  /** Extends the beams by a token. `logProbabilities` has one row for each beam. */
  step(logProbabilities: readonly Float32Array[]): BeamStep {
    const { numBeams, eosTokenIds } = this.#settings;
    const count = Math.max(2, 1 + eosTokenIds.length) * numBeams;
    const candidates = largestContinuations(logProbabilities, this.#running, count).map(one => {
      const tokens = [...this.#running[one.parent]!.tokens, one.token];
      const isEnd = tokens.length >= this.#limit || eosTokenIds.includes(one.token) || this.#isStopped(tokens);
      return { ...one, tokens, isEnd };
    });
    const next = largest(candidates, numBeams, one => (one.isEnd ? f32(one.score + never) : one.score));
    this.#finish(candidates);
    this.#running = next.map(({ value, score }) => ({ tokens: value.tokens, score }));
    this.#updateImprovement();
    return {
      parents: next.map(({ value }) => value.parent),
      tokens: next.map(({ value }) => value.token),
      isExhausted: candidates.every(({ isEnd }) => isEnd),
    };
  }

  #finish(candidates: readonly (Running & { readonly isEnd: boolean })[]): void {
    const { numBeams, lengthPenalty, earlyStopping } = this.#settings;
    const isFull = earlyStopping === true && this.areAllFinished;
    const ended = candidates.map(({ tokens, score, isEnd }, i): Finished => {
      const isFinished = isEnd && i < numBeams;
      let value = f32(score / tokens.length ** lengthPenalty);
      if (isFull) value = f32(value + never);
      if (!this.#canImprove) value = f32(value + never);
      if (!isFinished) value = f32(value + never);
      return { tokens, score: value, isFinished };
    });
    this.#finished = largest([...this.#finished, ...ended], numBeams, ({ score }) => score).map(({ value }) => value);
  }

  #updateImprovement(): void {
    const { lengthPenalty, earlyStopping } = this.#settings;
    const [first] = this.#running as readonly [Running, ...Running[]];
    const length = earlyStopping === 'never' && lengthPenalty > 0 ? this.#limit : first.tokens.length;
    const possible = f32(first.score / length ** lengthPenalty);
    const worst = Math.min(...this.#finished.map(({ score }) => score));
    this.#canImprove &&= this.#finished.some(({ isFinished }) => possible > (isFinished ? worst : never));
  }
}

interface Continuation {
  readonly parent: number;
  readonly token: number;
  readonly score: number;
}

/** The `count` best continuations of all beams, best first; ties keep their order. */
function largestContinuations(
  rows: readonly Float32Array[],
  beams: readonly Running[],
  count: number,
): readonly Continuation[] {
  const best: Continuation[] = [];
  rows.forEach((row, parent) => {
    const { score: before } = beams[parent]!;
    for (let token = 0; token < row.length; token++) {
      const score = f32(row[token]! + before);
      if (best.length === count && !(score > best.at(-1)!.score)) continue;
      let at = best.length;
      while (at > 0 && score > best[at - 1]!.score) at--;
      best.splice(at, 0, { parent, token, score });
      if (best.length > count) best.pop();
    }
  });
  return best;
}

function largest<T>(
  values: readonly T[],
  count: number,
  scoreOf: (value: T) => number,
): readonly { readonly value: T; readonly score: number }[] {
  return values
    .map(value => ({ value, score: scoreOf(value) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}

/** Log-probabilities of logits. */
export function logSoftmax(logits: Float32Array): Float32Array {
  let best = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > best) best = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - best);
  const shift = best + Math.log(sum);
  return logits.map(logit => logit - shift);
}
