// A convolution as matrix multiplies, as data: which elements are multiplied (problem), and how (plan). Planned in
// cpu/convolution/, printed by cpu/c/convolution/.
//
//   y[m, j] = Σ_k w[m, k] · x[k, j]        m: output features   j: (batch, position)   k: (input feature, tap)
import type { ElementType } from '../../../hlo/types.ts';
import type { Load, Tile } from './multiply-tiling.ts';

/** How the operands become the factors of a multiply, and the types of sums and of the result. */
export interface ConvolutionTypes {
  readonly sum: 'f32' | 'f64';
  readonly x: Load;
  readonly w: Load;
  readonly y: ElementType;
}

/** The batch or a spatial dim, for one phase. Strides in elements. */
export interface ConvolutionDim {
  /** Positions of columns. */
  readonly q: number;
  readonly taps: number;
  readonly step: number;
  readonly dilation: number;
  readonly first: number;
  /** Elements of x. */
  readonly size: number;
  readonly xStride: number;
  readonly wStride: number;
  readonly yStride: number;
}

export interface ConvolutionPhase {
  /** In the order of x in memory, outermost first; always four: if there are fewer, the outermost are trivial. */
  readonly dims: readonly ConvolutionDim[];
  /** Products of q and of taps times input features. */
  readonly columns: number;
  readonly depth: number;
  readonly wBase: number;
  readonly yBase: number;
}

export interface ConvolutionProblem {
  readonly phases: readonly ConvolutionPhase[];
  readonly groups: number;
  /** Output and input features of a group. */
  readonly outputs: number;
  readonly inputs: number;
  /** Steps along the features of each operand. */
  readonly xIn: number;
  readonly wIn: number;
  readonly wOut: number;
  readonly yOut: number;
  /** Steps from group to group. */
  readonly xGroup: number;
  readonly wGroup: number;
  readonly yGroup: number;
}

/** A loop over a strided operand. */
export interface Extent {
  readonly size: number;
  readonly stride: number;
}

export interface PhasePlan {
  readonly phase: ConvolutionPhase;
  /** The weights along k, and the result along the columns; adjacent dims that one loop can cover are merged. */
  readonly wExtents: readonly Extent[];
  readonly yExtents: readonly Extent[];
  readonly chunks: number;
  /** The start of the packed weights of this phase, in elements. */
  readonly packedAt: number;
  readonly packedCount: number;
}

export interface ConvolutionPlan {
  readonly problem: ConvolutionProblem;
  readonly orientation: 'across' | 'along';
  /** Whether k counts the input features within a tap, or the taps within a feature. */
  readonly featureInner: boolean;
  readonly lanes: number;
  readonly tile: Tile;
  readonly phases: readonly PhasePlan[];
  /** Depth of one pass over k. */
  readonly depth: number;
  /** Columns of a task. */
  readonly chunk: number;
  /** Output features of a task. */
  readonly block: number;
  readonly blocks: number;
  /** The number of slices of k; they are summed separately, then added in order. */
  readonly slices: number;
  readonly sliceDepth: number;
  /** Weights: read where they are, packed once before the tasks, or by each task as it needs them. */
  readonly weights: 'inPlace' | 'once' | 'inTask';
  /** Elements of all packed weights, of one group. */
  readonly packedCount: number;
  readonly tasks: number;
  /** The processor converts f16. */
  readonly f16: boolean;
  readonly copies: PatchCopies;
  readonly memory: ConvolutionMemory;
}

/** How runs of patches are copied. */
export interface PatchCopies {
  /** The distance between elements that are copied consecutively. */
  readonly step: 1 | 2 | 'any';
  /**
   * Runs continue from row to row of x: the length of rows equals the number of positions (or taps), and there is no stride.
   */
  readonly isFlat: boolean;
}

/** The memory layout of sums, packed weights and copied patches. */
export interface ConvolutionMemory {
  /** From a row of a task's sums to the next, and all its sums, in elements. */
  readonly sumRow: number;
  readonly sums: number;
  /** The workspace, in elements: the packed weights, then the sums of each slice of each task, at intervals of `partial`. */
  readonly packed: number;
  readonly partial: number;
  readonly workspaceBytes: number;
  /** Elements from a panel of patches (`across`), or from a row of them (`along`), to the next. */
  readonly patchStride: number;
  /** The contents of a worker's scratch memory, in order. */
  readonly scratch: readonly ScratchPart[];
  readonly scratchBytes: number;
}
export interface ScratchPart {
  /** Copied patches, runs of columns and tables about them (starts, pieces), weights of a pass, sums. */
  readonly name: 'panels' | 'strip' | 'runs' | 'pieces' | 'starts' | 'sums';
  readonly bytes: number;
}
