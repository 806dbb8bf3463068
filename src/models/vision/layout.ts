// The parts of an image encoder that splits images into patches, independent of its architecture. Rows of architectures.ts
// derive them from a configuration; vision.ts builds the model.
import type { EncoderBlockLayout } from '../encoder/layout.ts';

/** Height and width, in pixels. */
export type PixelSize = readonly [number, number];

/** The parts and sizes of an image encoder. */
export interface VisionLayout {
  /** The size of images. */
  readonly imageSize: PixelSize;
  /** The size of a patch. */
  readonly patchSize: PixelSize;
  /** The number of channels of images. */
  readonly channels: number;
  /** The number of blocks. */
  readonly layers: number;
  /** The blocks. */
  readonly block: EncoderBlockLayout;
  /** Whether the projection of patches has a bias. */
  readonly patchBias: boolean;
  /** Whether a token for the image comes before those of the patches. */
  readonly hasClassToken: boolean;
  /** Whether a second token follows it, which learned from another model (DeiT). */
  readonly hasDistillationToken: boolean;
  /** Classifiers classify the tokens of the image and of distillation, and average the logits (DeiT). */
  readonly hasTeacher: boolean;
  /** Whether a trained vector can replace patches (DINOv2, BEiT). */
  readonly hasMaskToken: boolean;
  /** The dims of that vector in files. */
  readonly maskTokenDims: 2 | 3;
  /** Whether positions have embeddings that are added to those of patches. */
  readonly hasPositions: boolean;
  /** Scores depend on the distances of patches, by a table that all blocks share, one of each block, or both (BEiT). */
  readonly patchDistances: {
    /** Whether there is a table for all blocks. */
    readonly shared: boolean;
    /** Whether each block has one. */
    readonly each: boolean;
  };
  /** Whether the probability that a result is dropped grows from 0 in the first block to that of `block` in the last one. */
  readonly dropPathGrows: boolean;
  /** The number of trained tokens without a position after the token of the image (DINOv2 with registers). */
  readonly registers: number;
  /** Files have tables of positions and the class token without a batch dim (CLIP). */
  readonly isFlat: boolean;
  /** Positions are interpolated for images of another size; otherwise only on request. */
  readonly anySize: boolean;
  /** How positions are interpolated; `antialiased`: as images are resized. */
  readonly interpolation: 'bicubic' | 'antialiased';
  /** Whether embeddings are normalized before the first block (CLIP). */
  readonly inputNorm: boolean;
  /** The last norm is applied to all tokens, or only to the pooled one (CLIP). */
  readonly outputNorm: 'tokens' | 'pooled';
  /**
   * The vector of an image: its `first` token; the `mean` of its patches (BEiT); `dense`: projected; `attention`: of a trained
   * query to all tokens (SigLIP).
   */
  readonly pooler: 'first' | 'mean' | 'dense' | 'attention' | 'none';
  /** The size of the projected vector of an image; undefined without a projection (CLIP). */
  readonly projection: number | undefined;
  /** The vector that is classified: the first token, the mean of the patches (CLIP, SigLIP), both (DINOv2), or the pooler's. */
  readonly classified: 'first' | 'mean' | 'first-and-mean' | 'pooled';
  /** The dropout probability of embeddings. */
  readonly embeddingDropout: number;
}
