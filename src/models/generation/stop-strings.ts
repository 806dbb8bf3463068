// Texts that end a sequence. A text may span several tokens or end within one, so the last tokens are decoded after each step.
import type { TokenDecoder } from './generate-options.ts';

export class StopStrings {
  readonly #texts: readonly string[];
  readonly #tokenizer: TokenDecoder | undefined;
  readonly #longest: number;
  constructor(texts: readonly string[], tokenizer: TokenDecoder | undefined) {
    this.#texts = texts;
    this.#tokenizer = tokenizer;
    this.#longest = texts.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 0);
  }
  /** Whether the last generated tokens contain one of the texts. */
  isEnd(generated: readonly number[]): boolean {
    if (this.#texts.length === 0 || generated.length === 0) return false;
    // Each token that is not special has at least one byte of text.
    const tail = generated.slice(-(this.#longest + 1));
    const text = this.#tokenizer!.decode(tail, { skipSpecialTokens: false });
    return this.#texts.some(stop => text.includes(stop));
  }
}
