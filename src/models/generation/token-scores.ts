// Adjustments to the logits of a row before a token is chosen: penalties for repeated tokens, and the minimum length. Order and
// arithmetic (f32) match transformers' logits processors.
import type { GenerationSettings } from './options.ts';

/** The tokens of a sequence, with the counts that penalties use. */
export class SequenceTokens {
  /** The prompt and the generated tokens. */
  readonly all: number[];
  readonly promptLength: number;
  readonly #seen: Set<number>;
  readonly #generated: Map<number, number>;
  constructor(prompt: Iterable<number>, generated: readonly number[] = []) {
    this.all = [...prompt];
    this.promptLength = this.all.length;
    this.#seen = new Set(this.all);
    this.#generated = new Map();
    for (const token of generated) this.push(token);
  }
  push(token: number): void {
    this.all.push(token);
    this.#seen.add(token);
    this.#generated.set(token, (this.#generated.get(token) ?? 0) + 1);
  }
  get generated(): readonly number[] {
    return this.all.slice(this.promptLength);
  }
  get generatedCount(): number {
    return this.all.length - this.promptLength;
  }
  get seen(): ReadonlySet<number> {
    return this.#seen;
  }
  /** The number of times each token was generated. */
  get counts(): ReadonlyMap<number, number> {
    return this.#generated;
  }
  /** The same tokens and one more. */
  with(token: number): SequenceTokens {
    return new SequenceTokens(this.all.slice(0, this.promptLength), [...this.generated, token]);
  }
}

/** Whether `adjustScores` can change anything. */
export const hasAdjustments = (settings: GenerationSettings): boolean =>
  settings.repetitionPenalty !== 1 ||
  settings.presencePenalty !== 0 ||
  settings.frequencyPenalty !== 0 ||
  settings.minNewTokens > 0 ||
  settings.minLength > 0;

/** Adjusts the scores of a row in place. `length` includes padding, as `minLength` does. */
export function adjustScores(
  scores: Float32Array,
  tokens: SequenceTokens,
  length: number,
  settings: GenerationSettings,
): void {
  const { repetitionPenalty, presencePenalty, frequencyPenalty, eosTokenIds, minLength, minNewTokens } = settings;
  if (repetitionPenalty !== 1)
    for (const token of tokens.seen) {
      const score = scores[token]!;
      scores[token] = score < 0 ? score * repetitionPenalty : score / repetitionPenalty;
    }
  if (presencePenalty !== 0 || frequencyPenalty !== 0)
    for (const [token, count] of tokens.counts)
      scores[token] = scores[token]! - presencePenalty - frequencyPenalty * count;
  if (length < minLength || tokens.generatedCount < minNewTokens)
    for (const token of eosTokenIds) scores[token] = Number.NEGATIVE_INFINITY;
}

/** The index of the largest score; of equal ones the first. */
export function largestOf(scores: Float32Array): number {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i;
  return best;
}
