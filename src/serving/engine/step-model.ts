// The interface between the engine that schedules sequences and the compiled step of a model. It knows token ids and blocks of
// keys and values; schedules, prefixes and texts are the engine's.

/** Tokens of one sequence that a step computes. */
export interface StepPart {
  /** The slot of its adapter; undefined: none. */
  readonly adapter?: number | undefined;
  /** The ids at positions `from`, `from + 1`, … */
  readonly ids: readonly number[];
  readonly from: number;
  /** The blocks of the sequence, in order: position p lies in blocks[⌊p / blockSize⌋]; long enough for the last of `ids`. */
  readonly blocks: readonly number[];
  /** The tokens after the last `choices.length` of `ids` are chosen: one in decoding, more with drafts, none within a prompt. */
  readonly choices: readonly Choice[];
}

/** How the token after one position is chosen. */
export interface Choice {
  /** 0: the most probable token. */
  readonly temperature: number;
  /** 0: all. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly typicalP: number;
  /** The random number depends on `seed`, `choice` and the position only. */
  readonly seed: bigint;
  readonly choice: number;
  /** The token is this one, whatever its probability, which is reported. */
  readonly given?: number | undefined;
  readonly edits?: LogitEdits | undefined;
  /** One bit for each id that is allowed; undefined: all. */
  readonly mask?: Uint32Array | undefined;
  /** The number of most probable tokens to report; 0: only that of the chosen one; undefined: no log-probabilities. */
  readonly top?: number | undefined;
}

/**
 * `logits[id] = (logits[id] > 0 ? logits[id] / factor : logits[id] * factor) + add` for each of `ids`, which are different:
 * penalties, bias, and −Infinity for forbidden ids.
 */
export interface LogitEdits {
  readonly ids: Int32Array;
  readonly factors: Float32Array;
  readonly adds: Float32Array;
}

/** Log-probabilities are of the model's own logits, before temperature, edits and masks. */
export interface Chosen {
  readonly id: number;
  readonly logprob?: number;
  /** 1: the most probable one. */
  readonly rank?: number;
  readonly top?: readonly { readonly id: number; readonly logprob: number }[];
}

/** Room for adapters, which parts name by their slots. */
export interface AdapterRoom {
  /** The number of slots, which are numbered from 0. */
  readonly count: number;
  /** Reads the adapter of a directory into a slot that no part uses. Steps run meanwhile. */
  load(slot: number, directory: string, onWarning: (message: string) => void): Promise<void>;
}

/** A model whose sequences' keys and values lie in a pool of blocks. One step at a time. */
export interface StepModel {
  readonly vocabulary: number;
  /** The maximum number of tokens of a sequence. */
  readonly positions: number;
  readonly blockSize: number;
  /** The number of blocks in the pool, which are numbered from 0. */
  readonly blocks: number;
  readonly mostSequences: number;
  readonly mostTokens: number;
  /** Undefined: it has no adapters. */
  readonly adapters?: AdapterRoom | undefined;
  /** The number of tokens, padding included, that a step with this number of tokens computes. */
  padded(tokens: number): number;
  /**
   * The chosen tokens of each part.
   * Rejects if the step failed; the pool is then as before for all positions before `from` of each part.
   */
  run(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]>;
}
