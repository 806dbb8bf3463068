// The interface of the kinds of tokenizer: text to ids and back. Special tokens, padding and truncation are in
// pretrained-tokenizer.ts.

/** A part of the input of a model: a special token, or the tokens of a text. */
export type TemplatePart =
  | { readonly kind: 'special'; readonly id: number; readonly typeId: number }
  | { readonly kind: 'text'; readonly index: 0 | 1; readonly typeId: number };

export interface TokenizerEngine {
  /** The largest id + 1. */
  readonly vocabularySize: number;
  /** The tokens of a text; special tokens in the text are recognized. */
  idsOf(text: string): readonly number[];
  /** The special tokens that are added to one or two texts, in order with the texts. */
  template(pair: boolean): readonly TemplatePart[];
  decode(ids: readonly number[], skipSpecialTokens: boolean): string;
  idOf(token: string): number | undefined;
  tokenOf(id: number): string | undefined;
}
