// The parts of a decoder-only language model, independent of its architecture. architectures.ts derives them from
// configurations; decoder.ts builds the model.
import type { HiddenActivation } from '../activation-names.ts';
import type { RopeParameters } from './rope-parameters.ts';

/** A feed-forward network of experts. */
export interface ExpertsLayout {
  /** The number of experts. */
  readonly count: number;
  /** The number that a token goes to. */
  readonly perToken: number;
  /** The inner size of one. */
  readonly innerWidth: number;
  /** The shares of a token's experts sum to 1. */
  readonly isNormalized: boolean;
  /** The inner size of the network that all tokens go to; undefined without one. */
  readonly sharedWidth: number | undefined;
  /** gpt-oss: the experts and the router have biases, and the activation is a clamped one. */
  readonly isClamped?: boolean;
}

/** One block. */
export interface LayerLayout {
  /** The number of positions that a position sees, including itself; undefined: all earlier ones. */
  readonly window: number | undefined;
  /** Undefined: positions are not embedded in this layer. */
  readonly rope: RopeParameters | undefined;
  /** Undefined: the feed-forward network is a single one. */
  readonly experts?: ExpertsLayout | undefined;
  /** Divides the scores, which `attentionScale` multiplies; 1 by default. */
  readonly scoreDivisor?: number;
}

/** A table of position embeddings. */
export interface LearnedPositions {
  /** The number of positions. */
  readonly count: number;
  /** The row of position 0. */
  readonly offset: number;
  /** Positions count the tokens that are not padding. */
  readonly isCounted?: boolean;
}

/** Linear biases of scores. */
export interface AlibiLayout {
  /** Multiplies the biases. */
  readonly scale: number;
  /** Biases and their slopes are rounded to bf16. */
  readonly isRounded: boolean;
}

/** The parts and sizes of a decoder-only language model. */
export interface DecoderLayout {
  /** The number of tokens in the vocabulary. */
  readonly vocabulary: number;
  /** The size of hidden states. */
  readonly width: number;
  /** The inner size of the feed-forward network. */
  readonly innerWidth: number;
  /** The number of heads of queries. */
  readonly heads: number;
  /** The number of heads of keys and values; each is used by several heads of queries. */
  readonly keyHeads: number;
  /** The size of a head. */
  readonly headDim: number;
  /** The longest sequence, in tokens. */
  readonly maxPositions: number;
  /** The blocks in order. */
  readonly layers: readonly LayerLayout[];
  /** `rms` is RMSNorm, `layer` LayerNorm; with `offset`, they multiply by 1 + weight; `layer-fixed` has no weights. */
  readonly norm: 'rms' | 'rms-offset' | 'layer' | 'layer-offset' | 'layer-unbiased' | 'layer-fixed';
  /** Added to the mean square or the variance. */
  readonly normEps: number;
  /**
   * The places of norms. `pre`: before attention and before the feed-forward network; `post`: after each; `sandwich`: before and
   * after each; `after`: after each residual connection; `parallel`: attention and feed-forward network get the same normalized
   * input, and both are added; `parallel-norms`: the same with a norm for each.
   */
  readonly residual: 'pre' | 'post' | 'sandwich' | 'after' | 'parallel' | 'parallel-norms';
  /** Whether the output of the last block is normalized. */
  readonly hasLastNorm: boolean;
  /** Multiplies the results of attention and feed-forward network before they are added. */
  readonly residualScale: number;
  /** The projections that have biases. */
  readonly bias: {
    /** The projections to queries, keys and values. */
    readonly queryKeyValue: boolean;
    /** The projection of the attention's result. */
    readonly output: boolean;
    /** The projections of the feed-forward network. */
    readonly feedForward: boolean;
    /** The head. */
    readonly head: boolean;
  };
  /**
   * The norm of queries and keys: of each `head`, with the same weights or with those of `each-head`, or of the `whole`
   * projection.
   */
  readonly queryKeyNorm: 'head' | 'each-head' | 'whole' | undefined;
  /** Queries, keys and values are kept within ± this. */
  readonly queryKeyValueClip: number | undefined;
  /** The dims that rotary positions rotate together: the i-th of both `halves` of a head, or `neighbors`. */
  readonly rotatedPairs: 'halves' | 'neighbors';
  /** Learned embeddings of positions, which are added to those of tokens. */
  readonly positions: LearnedPositions | undefined;
  /** Scores get a bias that is linear in the distance (ALiBi, arXiv:2108.12409). */
  readonly alibi: AlibiLayout | undefined;
  /** The factor of scores. */
  readonly attentionScale: number;
  /** Scores are kept within ± this by a tanh. */
  readonly attentionSoftCap: number | undefined;
  /** Each head has a score of a position without a value (attention sinks). */
  readonly hasSinks: boolean;
  /** The activation of the feed-forward network. */
  readonly activation: HiddenActivation;
  /** Whether the feed-forward network multiplies the activation of one projection by another projection. */
  readonly gated: boolean;
  /** The size of token embeddings; if it is not `width`, they are projected. */
  readonly embeddingWidth: number;
  /** Token embeddings are normalized. */
  readonly embeddingNorm: boolean;
  /** Multiplies token embeddings. */
  readonly embeddingScale: number;
  /** Multiplies the logits. */
  readonly logitScale: number;
  /** Logits are kept within ± this by a tanh. */
  readonly logitSoftCap: number | undefined;
  /** The head's weights are the token embeddings. */
  readonly tied: boolean;
  /** Dropout probabilities. */
  readonly dropout: {
    /** The probability for token embeddings. */
    readonly embeddings: number;
    /** The probability for attention weights. */
    readonly attention: number;
    /** The probability for values that are added to the residual stream. */
    readonly residual: number;
  };
  /** The standard deviation of initial weights. */
  readonly initializerRange: number;
  /** That of layers which add to the residual stream. */
  readonly residualInitializerRange: number;
}
