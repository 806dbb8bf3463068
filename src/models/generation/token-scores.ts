// Adjustments to the logits of a row before a token is chosen: penalties for repeated tokens, the minimum length, and tokens that
// are forced or excluded. Order and arithmetic (f32) match transformers' logits processors.
import type { GenerationSettings } from './generate-options.ts';

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
  settings.noRepeatNgramSize > 0 ||
  settings.minNewTokens > 0 ||
  settings.minLength > 0 ||
  settings.forcedBosTokenId !== undefined ||
  settings.forcedEosTokenIds.length > 0 ||
  settings.suppressTokens.length > 0 ||
  settings.beginSuppressTokens.length > 0;

/** The position of the token that is chosen. */
export interface TokenPlace {
  /** The number of tokens before it, padding included. */
  readonly length: number;
  /** Whether it is the last one: the maximum length is reached. */
  readonly isLast: boolean;
}

/** Adjusts the scores of a row in place. */
export function adjustScores(
  scores: Float32Array,
  tokens: SequenceTokens,
  { length, isLast }: TokenPlace,
  settings: GenerationSettings,
): void {
  const { repetitionPenalty, presencePenalty, frequencyPenalty, eosTokenIds, minLength, minNewTokens } = settings;
  const { noRepeatNgramSize, forcedBosTokenId, forcedEosTokenIds, suppressTokens, beginSuppressTokens } = settings;
  const exclude = (excluded: readonly number[]): void => {
    for (const token of excluded) scores[token] = Number.NEGATIVE_INFINITY;
  };
  const force = (forced: readonly number[]): void => {
    scores.fill(Number.NEGATIVE_INFINITY);
    for (const token of forced) scores[token] = 0;
  };
  if (repetitionPenalty !== 1)
    for (const token of tokens.seen) {
      const score = scores[token]!;
      scores[token] = score < 0 ? score * repetitionPenalty : score / repetitionPenalty;
    }
  if (presencePenalty !== 0 || frequencyPenalty !== 0)
    for (const [token, count] of tokens.counts)
      scores[token] = scores[token]! - presencePenalty - frequencyPenalty * count;
  if (noRepeatNgramSize > 0) exclude(repeating(tokens.all, noRepeatNgramSize));
  if (length < minLength || tokens.generatedCount < minNewTokens) exclude(eosTokenIds);
  const isStart = forcedBosTokenId !== undefined && tokens.promptLength === 1;
  if (isStart && length === 1) force([forcedBosTokenId]);
  if (isLast && forcedEosTokenIds.length > 0) force(forcedEosTokenIds);
  exclude(suppressTokens);
  if (tokens.generatedCount === (isStart ? 1 : 0)) exclude(beginSuppressTokens);
}

/** The tokens that would repeat a sequence of `size` tokens. */
function repeating(tokens: readonly number[], size: number): readonly number[] {
  const suffix = tokens.slice(tokens.length - size + 1, tokens.length);
  return tokens.filter((_, at) => at >= size - 1 && suffix.every((token, i) => token === tokens[at - size + 1 + i]));
}

/** The index of the largest score; of equal ones the first. */
export function largestOf(scores: Float32Array): number {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i;
  return best;
}
