// The parts of an encoder–decoder, independent of its architecture. Rows of architectures.ts derive them from a
// configuration.
import type { HiddenActivation } from '../activation-names.ts';

/** One of the two stacks. */
export interface StackLayout {
  /** The number of blocks. */
  readonly layers: number;
  /** The number of attention heads. */
  readonly heads: number;
  /** The inner size of the feed-forward network. */
  readonly innerWidth: number;
}

/** The parts and sizes of an encoder–decoder. */
export interface Seq2SeqLayout {
  /** The number of tokens in the vocabulary. */
  readonly vocabulary: number;
  /** The size of hidden states. */
  readonly width: number;
  /** The size of a head. */
  readonly headDim: number;
  /** The encoder. */
  readonly encoder: StackLayout;
  /** The decoder. */
  readonly decoder: StackLayout;
  /** The longest sequence, in tokens; undefined: any. */
  readonly maxPositions: number | undefined;
  /** The source is audio, not tokens (Whisper). */
  readonly audio:
    | {
        /** The number of frequency bands. */
        readonly bands: number;
        /** The number of positions of the encoder: half the number of frames. */
        readonly positions: number;
      }
    | undefined;
  /** The row of the first position in the table of positions; undefined without a table. */
  readonly positionOffset: number | undefined;
  /** The embeddings of positions are sines and cosines, not trained; undefined: trained. */
  readonly sinusoids:
    | {
        /** The number of steps from a wavelength of 2 π to 20,000 π, each by the same factor. */
        readonly steps: number;
        /** Angles are rounded to f32, as where the reference computes them so. */
        readonly inF32: boolean;
        /** Whether files have the tables. */
        readonly inFiles: boolean;
      }
    | undefined;
  /** Distances of positions have scores, in buckets; undefined without them. */
  readonly distances:
    | {
        /** The number of buckets. */
        readonly buckets: number;
        /** Distances from this one on share a bucket. */
        readonly maxDistance: number;
        /** Each block has its own scores (UMT5); otherwise all blocks of a stack share them. */
        readonly inEachBlock: boolean;
      }
    | undefined;
  /** `rms`: without bias. */
  readonly norm: 'layer' | 'rms';
  /** Added to the variance or the mean square. */
  readonly normEps: number;
  /** `post`: residual sums are normalized; `pre`: the inputs of each part are. */
  readonly residual: 'post' | 'pre';
  /** Whether embeddings are normalized. */
  readonly embeddingNorm: boolean;
  /** Whether the result of the last block is normalized. */
  readonly finalNorm: boolean;
  /** Whether projections have biases. */
  readonly bias: boolean;
  /** Whether projections to keys have biases. */
  readonly keyBias: boolean;
  /** The activation of the feed-forward network. */
  readonly activation: HiddenActivation;
  /** The feed-forward network multiplies the activation of one projection by another one. */
  readonly gated: boolean;
  /** Multiplies token embeddings. */
  readonly embeddingScale: number;
  /** The factor of scores. */
  readonly attentionScale: number;
  /** Multiplies the result before the head. */
  readonly outputScale: number;
  /** A constant is added to the logits of each token. */
  readonly logitBias: boolean;
  /** The head's weights are the token embeddings. */
  readonly tied: boolean;
  /** The token whose embedding is not trained. */
  readonly paddingIndex: number | undefined;
  /** The token that decoding begins with. */
  readonly startToken: number;
  /** The inputs of the decoder begin with the last token of the labels, the language, instead of the start token (mBART). */
  readonly startsWithLast: boolean;
  /** The token in place of labels that do not count. */
  readonly paddingToken: number;
  /** Dropout probabilities. */
  readonly dropout: {
    /** The probability for embeddings and results of each part. */
    readonly hidden: number;
    /** The probability for attention weights. */
    readonly attention: number;
    /** The probability for the inner values of the feed-forward network. */
    readonly inner: number;
    /** The probability for the last result. */
    readonly last: number;
    /** The probability that a block of the encoder is skipped. */
    readonly encoderLayer: number;
    /** The probability that a block of the decoder is skipped. */
    readonly decoderLayer: number;
  };
  /** The standard deviation of initial weights. */
  readonly initializerRange: number;
}
