// The parts of a bidirectional text encoder, independent of its architecture. Rows of architectures.ts derive them from a
// configuration; encoder.ts builds the model, heads.ts its heads.

import type { HiddenActivation } from '../activation-names.ts';
import type { RopeParameters } from '../decoder/rope-parameters.ts';

/** One application of a block. */
export interface EncoderLayerLayout {
  /** The block whose weights it uses: ALBERT uses one several times. */
  readonly block: number;
  /** The largest distance of positions that attend to each other; undefined: any. */
  readonly window: number | undefined;
  /** Queries and keys are rotated by their positions. */
  readonly rope: RopeParameters | undefined;
}

/** How scores depend on the distance of two positions. */
export type DistanceScores =
  | {
      /** Scores do not depend on distances. */
      readonly kind: 'none';
    }
  | {
      /** A number for each head and bucket of distances is added (MPNet). */
      readonly kind: 'buckets';
      /** The number of buckets. */
      readonly buckets: number;
    }
  | {
      /** Products of contents and embeddings of distances are added (DeBERTa). */
      readonly kind: 'disentangled';
      /** Distances from -span to span - 1 have embeddings. */
      readonly span: number;
      /** The number of buckets on each side, which far distances share; 0: no buckets. */
      readonly buckets: number;
      /** The largest distance of the buckets. */
      readonly maxDistance: number;
      /** The products that are added. */
      readonly parts: readonly ('c2p' | 'p2c')[];
      /** Embeddings of distances use the projections of the contents. */
      readonly isShared: boolean;
      /** Embeddings of distances are normalized. */
      readonly isNormalized: boolean;
    };

/** The parts and sizes of a block, of text encoders and of image and audio encoders. */
export interface EncoderBlockLayout {
  /** The size of hidden states. */
  readonly width: number;
  /** The inner size of the feed-forward network. */
  readonly innerWidth: number;
  /** The number of attention heads. */
  readonly heads: number;
  /** The size of a head. */
  readonly headDim: number;
  /** The layer norms. */
  readonly norm: {
    /** Added to the variance. */
    readonly eps: number;
    /** Whether they have biases. */
    readonly bias: boolean;
  };
  /**
   * `post`: residual sums are normalized; `pre`: the inputs of attention and feed-forward network are, and the output of the last
   * block. `pre-but-first`: as `pre`, but the input of the first attention is not normalized (ModernBERT).
   */
  readonly residual: 'post' | 'pre' | 'pre-but-first';
  /** How scores depend on distances. */
  readonly distances: DistanceScores;
  /** The projections that have biases. */
  readonly bias: {
    /** Queries, keys and values. */
    readonly attention: boolean;
    /** Keys, if other than queries and values. */
    readonly key?: boolean;
    /** The projection after the attention. */
    readonly attentionOutput: boolean;
    /** The feed-forward network. */
    readonly feedForward: boolean;
  };
  /** The activation of the feed-forward network. */
  readonly activation: HiddenActivation;
  /** The feed-forward network multiplies the activation of one projection by another one. */
  readonly gated: boolean;
  /** The initial factor of each feature in both results, before they are added; undefined without factors. */
  readonly layerScale: number | undefined;
  /** The probability that a result is dropped for a whole sample in training (stochastic depth). */
  readonly dropPath: number;
  /** Dropout probabilities. */
  readonly dropout: {
    /** The probability for attention weights. */
    readonly attention: number;
    /** The probability for the attention's result. */
    readonly attentionOutput: number;
    /** The probability for the inner values of the feed-forward network. */
    readonly inner: number;
    /** The probability for its result. */
    readonly output: number;
  };
  /** The standard deviation of initial weights. */
  readonly initializerRange: number;
}

/** The parts and sizes of a text encoder. */
export interface EncoderLayout extends EncoderBlockLayout {
  /** The number of tokens in the vocabulary. */
  readonly vocabulary: number;
  /** The size of token embeddings. */
  readonly embeddingWidth: number;
  /** The longest sequence, in tokens. */
  readonly maxPositions: number;
  /** Rows of the table of position embeddings; 0 without one. */
  readonly positionRows: number;
  /** The padding token: positions start at the number after it and count only other tokens (RoBERTa). */
  readonly countedFrom: number | undefined;
  /** The number of token types (segments); 0 without embeddings of them. */
  readonly tokenTypes: number;
  /** The number of tasks; the embedding of the first one is added to all tokens (ERNIE); 0 without embeddings of tasks. */
  readonly taskTypes: number;
  /** The token whose embedding is not trained. */
  readonly paddingIndex: number | undefined;
  /** Embeddings are projected to the hidden size, before or after they are normalized. */
  readonly projection: 'none' | 'before-norm' | 'after-norm';
  /** Embeddings of padding are zeros (DeBERTa). */
  readonly zeroPadding: boolean;
  /** The number of blocks; ALBERT applies one several times. */
  readonly blocks: number;
  /** The blocks in the order of their application. */
  readonly layers: readonly EncoderLayerLayout[];
  /** A convolution over tokens, added to the result of the first block (DeBERTa). */
  readonly convolution:
    | {
        /** The number of tokens that it covers. */
        readonly kernel: number;
        /** The groups of its channels. */
        readonly groups: number;
        /** The activation of its result. */
        readonly activation: HiddenActivation;
      }
    | undefined;
  /** The model has a pooler: the first token, projected. */
  readonly pooler: boolean;
  /** The dropout probability of embeddings. */
  readonly embeddingDropout: number;
}

/** The layers between hidden states and a linear classifier. */
export interface HeadLayout {
  /**
   * The vector of a sequence: the model's `pooler`, its `first` token, the first token that is not `padding`, or the `mean`;
   * `each`: every token has its own.
   */
  readonly pool: 'pooler' | 'first' | 'first-token' | 'mean' | 'each';
  /** Dropout before the transform. */
  readonly inputDropout: number;
  /** A linear layer, an activation and an optional norm. */
  readonly transform:
    | { readonly bias: boolean; readonly activation: HiddenActivation; readonly norm: boolean }
    | undefined;
  /** Dropout before the classifier. */
  readonly dropout: number;
}

/** The head that predicts masked tokens: a linear layer, an activation, a norm, and the product with the token embeddings. */
export interface TokenHeadLayout {
  /** The size of the transformed vectors. */
  readonly width: number;
  /** Whether the linear layer has a bias. */
  readonly transformBias: boolean;
  /** The activation. */
  readonly activation: HiddenActivation;
  /** Whether each token has a bias. */
  readonly bias: boolean;
  /** The weights are the token embeddings. */
  readonly tied: boolean;
}

/** The heads of an encoder. */
export interface EncoderHeads {
  /** Predicts masked tokens. */
  readonly maskedTokens: TokenHeadLayout;
  /** Classifies sequences. */
  readonly sequence: HeadLayout;
  /** Classifies tokens. */
  readonly tokens: HeadLayout;
  /** Scores first and last tokens of answers. */
  readonly answers: HeadLayout;
  /** Scores choices. */
  readonly choices: HeadLayout;
}
