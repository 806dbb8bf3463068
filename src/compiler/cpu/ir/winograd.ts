// A convolution with 3×3 weights in fewer multiplies (Winograd's F(4×4, 3×3)), as data: which elements are multiplied, and how
// the work is split. Planned in cpu/convolution/winograd-plan.ts, printed by cpu/c/convolution/winograd*.ts.
//
//   y = Aᵀ [ (G w Gᵀ) ⊙ (Bᵀ x B) ] A        for each tile of 4×4 results, summed over input features
//   w = Gᵀ [ (A y Aᵀ) ⊙ (Bᵀ x B) ] G        the gradient of the weights, summed over tiles
//
// A tile takes 36 multiplies for a pair of features, where sums of all products take 16·9. Both formulas are 36 matrix
// multiplies, one for each element of a transformed tile.
import type { Tile } from './multiply-tiling.ts';

/** Images, planes of features, rows and columns in memory. Strides in elements; columns follow one another. */
export interface WinogradImages {
  readonly height: number;
  readonly width: number;
  readonly imageStride: number;
  readonly featureStride: number;
}

export interface WinogradProblem {
  /** The result: y from x and w, or w (its gradient) from x and y (the gradient of it). */
  readonly role: 'images' | 'weights';
  readonly images: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly x: WinogradImages;
  readonly y: WinogradImages;
  /** Rows and columns of zeros before x. */
  readonly low: readonly [number, number];
  /** The strides of w, from `base`; negative where taps are reversed. */
  readonly w: {
    readonly base: number;
    readonly input: number;
    readonly output: number;
    readonly row: number;
    readonly column: number;
  };
}

/** Matrices of F(4×4, 3×3), and each as its printers need it. */
export interface WinogradTransforms {
  /** Bᵀ: 6×6. */
  readonly x: Matrix;
  /** G: 6×3. */
  readonly w: Matrix;
  /** Aᵀ: 4×6. */
  readonly y: Matrix;
}
export type Matrix = readonly (readonly number[])[];

export interface WinogradPlan {
  readonly problem: WinogradProblem;
  readonly transforms: WinogradTransforms;
  readonly lanes: number;
  readonly tile: Tile;
  /** Rows and columns of the blocks of the multiplies: of the tile, and of the remainders. */
  readonly tileRows: readonly number[];
  readonly tileColumns: readonly number[];
  /** Tiles of 4×4 results across and down an image. */
  readonly across: number;
  readonly down: number;
  /** The number of rows of tiles in a chunk, counted over all images. */
  readonly rows: number;
  readonly chunks: number;
  /** Features of x and of y that are transformed at a time: a multiple of the lanes. */
  readonly inputBlock: number;
  readonly outputBlock: number;
  readonly inputBlocks: number;
  readonly outputBlocks: number;
  /** `weights`: the number of slices of the chunks, summed separately and then added in order. */
  readonly slices: number;
  readonly tasks: number;
  /** `images`: weights are transformed once before the tasks, or by each task as it needs them. */
  readonly weights: 'once' | 'inTask';
  /**
   * `images`: elements from an input feature of the transformed weights to the next, and from an element of the tile to
   * the next.
   */
  readonly weightStride: number;
  readonly weightStep: number;
  readonly memory: WinogradMemory;
}

/** In elements: scratch of a worker, one part after another, and the workspace. */
export interface WinogradMemory {
  /** A transposed row of tiles: pixels of `lanes` features. */
  readonly strip: number;
  /** Columns of a row of the strip, zeros included. */
  readonly stripColumns: number;
  readonly transformedX: number;
  readonly transformedY: number;
  readonly transformedW: number;
  readonly sums: number;
  readonly scratchBytes: number;
  /** The transformed weights, or the sums of each slice. */
  readonly workspaceBytes: number;
}
