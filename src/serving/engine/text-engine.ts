// The interface between a served language model and the engine that runs its sequences. Requests know token ids only: texts,
// templates and wires are elsewhere.
//
//   request ─▶ scheduler ─▶ step of the model ─▶ sampler ─▶ one more token of each running sequence

/** One sequence to generate. */
export interface TextRequest {
  /** The ids of the prompt, at least one. */
  readonly prompt: readonly number[];
  /** The sequence ends after this number of new tokens, at the latest. */
  readonly maxNewTokens: number;
  /** 0: each token is the most probable one. */
  readonly temperature: number;
  /** The same seed gives the same tokens. */
  readonly seed: number;
}

/** Generates the sequences of all requests to one model. */
export interface TextEngine {
  /** The number of token ids. */
  readonly vocabulary: number;
  /** The maximum number of tokens of a sequence, prompt included. */
  readonly positions: number;
  /**
   * The new tokens, without the one that ends the sequence. They are generated whether or not they are read, so that a slow
   * reader does not delay other sequences; aborting the signal ends the sequence.
   */
  generate(request: TextRequest, signal: AbortSignal): AsyncIterable<number>;
  /** Resolves when no sequence waits or runs. */
  whenIdle(): Promise<void>;
}
