// The attributes of each op of the language, under StableHLO's own attribute names (in camelCase).
// This interface is the list of ops: the op table, the gradient rules and the kernels are keyed by it, and the type
// checker requires an entry in each of them for every name.
import type { Literal } from './literal.ts';
import type { MeshAxes } from './sharding/mesh-axes.ts';
import type { Sharding } from './sharding/sharding.ts';
import type { ElementType, TensorType, Type } from './types.ts';

/** No attributes. */
export type None = Readonly<Record<never, never>>;
/** A list of dims. */
export type Dims = readonly number[];
/** Attributes of other dialects by name, each as the MLIR text of its value; the empty text for a unit attribute. */
export type DiscardableAttributes = Readonly<Record<string, string>>;
/** The comparisons of `compare`. */
export const comparisonDirections = ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT'] as const;
/** The comparisons of `compare`. */
export type ComparisonDirection = (typeof comparisonDirections)[number];
/** How `compare` reads its operands; TOTALORDER also orders NaNs and zeros by their sign. */
export const comparisonTypes = ['FLOAT', 'TOTALORDER', 'SIGNED', 'UNSIGNED'] as const;
/** How `compare` reads its operands; TOTALORDER also orders NaNs and zeros by their sign. */
export type ComparisonType = (typeof comparisonTypes)[number];
/** The precisions for dots and convolutions. */
export const precisions = ['DEFAULT', 'HIGH', 'HIGHEST'] as const;
/** The precision of a dot or convolution. */
export type Precision = (typeof precisions)[number];
/** The algorithms of `rng_bit_generator`. */
export const rngAlgorithms = ['DEFAULT', 'THREE_FRY', 'PHILOX'] as const;
/** The algorithms of `rng_bit_generator`. */
export type RngAlgorithm = (typeof rngAlgorithms)[number];
/** How the accuracy of a result is stated. */
export const resultAccuracyModes = ['DEFAULT', 'HIGHEST', 'TOLERANCE'] as const;
/** How exact the result of a transcendental op must be; the tolerances count in mode TOLERANCE only. */
export interface ResultAccuracy {
  readonly mode: (typeof resultAccuracyModes)[number];
  readonly atol: number;
  readonly rtol: number;
  readonly ulps: number;
}
/** The kinds of Fourier transforms. */
export const fftTypes = ['FFT', 'IFFT', 'RFFT', 'IRFFT'] as const;
/** The kinds of Fourier transforms. */
export type FftType = (typeof fftTypes)[number];
/** How `triangular_solve` reads its matrix. */
export const transposes = ['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'] as const;
/** How `triangular_solve` reads its matrix. */
export type Transpose = (typeof transposes)[number];
/** The distributions of `rng`. */
export const rngDistributions = ['UNIFORM', 'NORMAL'] as const;
/** The distributions of `rng`. */
export type RngDistribution = (typeof rngDistributions)[number];
/** How a dot_general is to be computed. Specification: `dot_general`, `algorithm`. */
export interface DotAlgorithm {
  readonly lhsPrecisionType: ElementType;
  readonly rhsPrecisionType: ElementType;
  readonly accumulationType: ElementType;
  readonly lhsComponentCount: number;
  readonly rhsComponentCount: number;
  readonly numPrimitiveOperations: number;
  readonly allowImpreciseAccumulation: boolean;
}

/** Which dims of the operands of `dot_general` are batch dims, and which are summed over. */
export interface DotDimensionNumbers {
  readonly lhsBatchingDimensions: Dims;
  readonly rhsBatchingDimensions: Dims;
  readonly lhsContractingDimensions: Dims;
  readonly rhsContractingDimensions: Dims;
}
/** Which dims of input, kernel and output are batch, features and space. */
export interface ConvolutionDimensionNumbers {
  readonly inputBatchDimension: number;
  readonly inputFeatureDimension: number;
  readonly inputSpatialDimensions: Dims;
  readonly kernelInputFeatureDimension: number;
  readonly kernelOutputFeatureDimension: number;
  readonly kernelSpatialDimensions: Dims;
  readonly outputBatchDimension: number;
  readonly outputFeatureDimension: number;
  readonly outputSpatialDimensions: Dims;
}
/** The window of a convolution. */
export interface Window {
  readonly windowStrides: Dims;
  /** [low, high] of each dimension. */
  readonly padding: readonly (readonly [number, number])[];
  readonly lhsDilation: Dims;
  readonly rhsDilation: Dims;
  readonly windowReversal: readonly boolean[];
}
/** Attributes of `convolution` besides its window. */
export interface ConvolutionAttributes {
  readonly dimensionNumbers: ConvolutionDimensionNumbers;
  readonly featureGroupCount: number;
  readonly batchGroupCount: number;
  readonly precision: readonly Precision[];
  /** Of the result, where it is not that of the operands. */
  readonly elementType?: ElementType;
}
/** Attributes of the batch_norm ops. */
export interface BatchNorm {
  readonly epsilon: number;
  readonly featureIndex: number;
}
/** How the dims of operand, indices and result of `gather` correspond. */
export interface GatherDimensionNumbers {
  readonly offsetDims: Dims;
  readonly collapsedSliceDims: Dims;
  readonly operandBatchingDims: Dims;
  readonly startIndicesBatchingDims: Dims;
  readonly startIndexMap: Dims;
  readonly indexVectorDim: number;
}
/** How the dims of inputs, indices and updates of `scatter` correspond. */
export interface ScatterDimensionNumbers {
  readonly updateWindowDims: Dims;
  readonly insertedWindowDims: Dims;
  readonly inputBatchingDims: Dims;
  readonly scatterIndicesBatchingDims: Dims;
  readonly scatterDimsToOperandDims: Dims;
  readonly indexVectorDim: number;
}
/** The channel of an op that communicates. */
export interface Channel {
  readonly channelId?: number;
  /** 0 unknown, 1 device to device, 2 device to host, 3 host to device; 1 if only the id is given. */
  readonly channelType?: number;
}
/** Attributes of the collective ops. */
export interface Collective extends Channel {
  readonly replicaGroups: readonly (readonly number[])[];
  /** The groups as lines along axes of a mesh, where they were given so; `replicaGroups` is then empty. */
  readonly meshAxes?: MeshAxes;
  readonly useGlobalDeviceIds?: boolean;
}
/** An attribute of collectives with a root. */
export interface Rooted {
  /** True when the last operand holds the root of each operand within its group; otherwise it is the group's first. */
  readonly hasDynamicRoot?: boolean;
}
/** Attributes of `send` and `recv`. */
export interface HostTransfer extends Channel {
  readonly isHostTransfer: boolean;
  readonly sourceTargetPairs?: readonly (readonly [source: number, target: number])[];
}
/** The dims of `chlo.ragged_dot`, with the ragged one and that of groups. */
export interface RaggedDotDimensionNumbers extends DotDimensionNumbers {
  readonly lhsRaggedDimensions: Dims;
  readonly rhsGroupDimensions: Dims;
}

/** Unary ops with an accuracy attribute. */
export const accuracyNames = [
  'cbrt',
  'cosine',
  'exponential',
  'exponential_minus_one',
  'log',
  'log_plus_one',
  'logistic',
  'rsqrt',
  'sine',
  'sqrt',
  'tan',
  'tanh',
] as const;
/** Ops whose result can have a stated accuracy (`result_accuracy`). */
export type AccuracyName = (typeof accuracyNames)[number];
/** Elementwise ops of one operand. */
export const unaryNames = [
  'abs',
  'cbrt',
  'ceil',
  'count_leading_zeros',
  'cosine',
  'exponential',
  'exponential_minus_one',
  'floor',
  'log',
  'log_plus_one',
  'logistic',
  'negate',
  'not',
  'popcnt',
  'round_nearest_afz',
  'round_nearest_even',
  'rsqrt',
  'sign',
  'sine',
  'sqrt',
  'tan',
  'tanh',
  'chlo.erf',
] as const;
/** Elementwise ops of one operand. */
export type UnaryName = (typeof unaryNames)[number];
/** Elementwise ops of two operands. */
export const binaryNames = [
  'add',
  'and',
  'atan2',
  'divide',
  'maximum',
  'minimum',
  'multiply',
  'or',
  'power',
  'remainder',
  'shift_left',
  'shift_right_arithmetic',
  'shift_right_logical',
  'subtract',
  'xor',
] as const;
/** Elementwise ops of two operands. */
export type BinaryName = (typeof binaryNames)[number];

/** Unary ops of CHLO, the client dialect: operand and result have one shape. */
export const chloUnaryNames = [
  'chlo.acos',
  'chlo.acosh',
  'chlo.asin',
  'chlo.asinh',
  'chlo.atan',
  'chlo.atanh',
  'chlo.bessel_i1e',
  'chlo.conj',
  'chlo.cosh',
  'chlo.digamma',
  'chlo.erf_inv',
  'chlo.erfc',
  'chlo.is_inf',
  'chlo.is_neg_inf',
  'chlo.is_pos_inf',
  'chlo.lgamma',
  'chlo.sinh',
  'chlo.square',
  'chlo.tan',
  'chlo._asin_acos_kernel',
] as const;
/** Elementwise CHLO ops of one operand. */
export type ChloUnaryName = (typeof chloUnaryNames)[number];
/** Elementwise CHLO ops of two operands. */
export const chloBinaryNames = ['chlo.mulhi', 'chlo.next_after', 'chlo.polygamma', 'chlo.zeta'] as const;
/** Elementwise CHLO ops of two operands. */
export type ChloBinaryName = (typeof chloBinaryNames)[number];
/** Binary ops of CHLO whose operands are broadcast to one shape, as NumPy does it. */
export const chloBroadcastNames = [
  'chlo.broadcast_add',
  'chlo.broadcast_and',
  'chlo.broadcast_atan2',
  'chlo.broadcast_complex',
  'chlo.broadcast_divide',
  'chlo.broadcast_maximum',
  'chlo.broadcast_minimum',
  'chlo.broadcast_multiply',
  'chlo.broadcast_next_after',
  'chlo.broadcast_or',
  'chlo.broadcast_polygamma',
  'chlo.broadcast_power',
  'chlo.broadcast_remainder',
  'chlo.broadcast_shift_left',
  'chlo.broadcast_shift_right_arithmetic',
  'chlo.broadcast_shift_right_logical',
  'chlo.broadcast_subtract',
  'chlo.broadcast_xor',
  'chlo.broadcast_zeta',
] as const;
/** CHLO ops of two operands that broadcast. */
export type ChloBroadcastName = (typeof chloBroadcastNames)[number];

type Elementwise = {
  [N in Exclude<UnaryName, AccuracyName> | BinaryName | ChloUnaryName | ChloBinaryName]: None;
} & { [N in AccuracyName]: { readonly resultAccuracy?: ResultAccuracy } } & {
  [N in ChloBroadcastName]: { readonly broadcastDimensions?: Dims };
};

/**
 * The attributes of each op, by the name of the op: those of the StableHLO specification in camelCase, with the meaning and
 * constraints that are stated there. https://openxla.org/stablehlo/spec
 *
 * The type of a result is an attribute only where operands do not determine it.
 */
export interface OpAttributes extends Elementwise {
  // elementwise, special
  is_finite: None;
  compare: { readonly comparisonDirection: ComparisonDirection; readonly compareType?: ComparisonType };
  select: None;
  clamp: None;
  convert: { readonly elementType: ElementType };
  bitcast_convert: { readonly type: TensorType };
  reduce_precision: { readonly exponentBits: number; readonly mantissaBits: number };
  optimization_barrier: None;
  // sources
  constant: { readonly value: Literal };
  iota: { readonly iotaDimension: number; readonly type: TensorType };
  rng_bit_generator: { readonly rngAlgorithm: RngAlgorithm; readonly type: TensorType };
  partition_id: None;
  replica_id: None;
  // moving elements
  reshape: { readonly shape: Dims };
  /** operand dim i becomes result dim broadcastDimensions[i]. */
  broadcast_in_dim: { readonly broadcastDimensions: Dims; readonly shape: Dims };
  transpose: { readonly permutation: Dims };
  reverse: { readonly dimensions: Dims };
  slice: { readonly startIndices: Dims; readonly limitIndices: Dims; readonly strides: Dims };
  concatenate: { readonly dimension: number };
  pad: { readonly edgePaddingLow: Dims; readonly edgePaddingHigh: Dims; readonly interiorPadding: Dims };
  dynamic_slice: { readonly sliceSizes: Dims };
  dynamic_update_slice: None;
  gather: {
    readonly dimensionNumbers: GatherDimensionNumbers;
    readonly sliceSizes: Dims;
    readonly indicesAreSorted: boolean;
  };
  /** operands: inputs…, scatter_indices, updates…; region: (old…, update…) → new… */
  scatter: {
    readonly dimensionNumbers: ScatterDimensionNumbers;
    readonly indicesAreSorted: boolean;
    readonly uniqueIndices: boolean;
  };
  sort: { readonly dimension: number; readonly isStable: boolean };
  // reductions and windows; operands: inputs…, init_values…
  reduce: { readonly dimensions: Dims };
  reduce_window: Omit<Window, 'windowReversal' | 'lhsDilation' | 'rhsDilation'> & {
    readonly windowDimensions: Dims;
    readonly baseDilations: Dims;
    readonly windowDilations: Dims;
  };
  /** operands: operand, source, init_value; regions: select, scatter */
  select_and_scatter: {
    readonly windowDimensions: Dims;
    readonly windowStrides: Dims;
    readonly padding: readonly (readonly [number, number])[];
  };
  // contractions
  dot_general: DotDimensionNumbers & {
    readonly precision: readonly Precision[];
    readonly algorithm?: DotAlgorithm;
    /** Of the result, where it is not that of the operands. */
    readonly elementType?: ElementType;
  };
  convolution: Window & ConvolutionAttributes;
  // linear algebra
  cholesky: { readonly lower: boolean };
  triangular_solve: {
    readonly leftSide: boolean;
    readonly lower: boolean;
    readonly unitDiagonal: boolean;
    readonly transposeA: Transpose;
  };
  fft: { readonly fftType: FftType; readonly fftLength: Dims };
  // complex numbers
  complex: None;
  real: None;
  imag: None;
  // normalisation
  batch_norm_training: BatchNorm;
  batch_norm_inference: BatchNorm;
  batch_norm_grad: BatchNorm;
  // sizes known when the program runs; `type` is that of the result
  get_dimension_size: { readonly dimension: number };
  set_dimension_size: { readonly dimension: number };
  dynamic_broadcast_in_dim: {
    readonly broadcastDimensions: Dims;
    readonly knownExpandingDimensions?: Dims;
    readonly knownNonexpandingDimensions?: Dims;
    readonly type: TensorType;
  };
  dynamic_conv: Omit<Window, 'padding'> & ConvolutionAttributes & { readonly type: TensorType };
  dynamic_gather: {
    readonly dimensionNumbers: GatherDimensionNumbers;
    readonly indicesAreSorted: boolean;
    readonly type: TensorType;
  };
  dynamic_iota: { readonly iotaDimension: number; readonly type: TensorType };
  dynamic_pad: { readonly type: TensorType };
  dynamic_reshape: { readonly type: TensorType };
  real_dynamic_slice: { readonly type: TensorType };
  /** From a more to a less exact type and back: nothing happens to the elements. */
  'tensor.cast': { readonly type: TensorType };
  // quantized numbers; `type` is that of the result
  uniform_quantize: { readonly type: TensorType };
  uniform_dequantize: None;
  // element by element, by a region
  map: { readonly dimensions: Dims };
  rng: { readonly rngDistribution: RngDistribution; readonly type: TensorType };
  // older ops that newer ones replaced
  broadcast: { readonly broadcastSizes: Dims };
  dot: { readonly precision: readonly Precision[]; readonly elementType?: ElementType };
  einsum: { readonly einsumConfig: string; readonly type: TensorType };
  unary_einsum: { readonly einsumConfig: string; readonly type: TensorType };
  torch_index_select: { readonly dim: number; readonly batchDims: number };
  // control
  while: None;
  if: None;
  case: None;
  'func.call': { readonly callee: string; readonly resultTypes: readonly Type[] };
  custom_call: {
    readonly callTargetName: string;
    /** A text; or, from API version 4 on, a dictionary as MLIR text (`{bar = 42 : i32}`). */
    readonly backendConfig: string;
    readonly resultTypes: readonly Type[];
    readonly hasSideEffect: boolean;
    /** 1 when not given. */
    readonly apiVersion?: number;
    readonly calledComputations?: readonly string[];
    /** `operand_layouts`, `result_layouts`, `output_operand_aliases` … as MLIR text. */
    readonly more?: DiscardableAttributes;
  };
  /** An op given by the function `decomposition`. */
  composite: {
    readonly name: string;
    /** A dictionary, as MLIR text. */
    readonly compositeAttributes: string;
    readonly decomposition: string;
    readonly version: number;
    readonly resultTypes: readonly Type[];
  };
  tuple: None;
  get_tuple_element: { readonly index: number };
  // collectives; all_reduce is variadic, region: the reducer
  all_reduce: Collective;
  all_gather: Collective & { readonly allGatherDim: number };
  reduce_scatter: Collective & { readonly scatterDimension: number };
  all_to_all: Collective & {
    readonly splitDimension: number;
    readonly concatDimension: number;
    readonly splitCount: number;
  };
  collective_permute: Channel & { readonly sourceTargetPairs: readonly (readonly [source: number, target: number])[] };
  collective_broadcast: Collective & Rooted;
  collective_reduce: Collective & Rooted;
  'cross-replica-sum': { readonly replicaGroups: readonly (readonly number[])[] };
  // between the program and the host; each takes and returns a token
  after_all: None;
  create_token: None;
  send: HostTransfer;
  recv: HostTransfer & { readonly resultTypes: readonly Type[] };
  infeed: { readonly infeedConfig: string; readonly layout?: string; readonly resultTypes: readonly Type[] };
  outfeed: { readonly outfeedConfig: string };
  /** region: the op that runs in the meantime; returns a future */
  async_start: None;
  async_done: None;
  // CHLO beyond elementwise ops
  'chlo.constant': { readonly value: Literal };
  'chlo.constant_like': { readonly value: Literal };
  'chlo.broadcast_compare': {
    readonly broadcastDimensions?: Dims;
    readonly comparisonDirection: ComparisonDirection;
    readonly compareType?: ComparisonType;
  };
  'chlo.broadcast_select': None;
  /** Of equal elements, the first comes first, unless isStable is false. */
  'chlo.top_k': { readonly k: number; readonly isStable?: boolean };
  /** operands: inputs…, inits…; region: (one slice of each input…, carry…) → (one slice of each output…, carry…) */
  'chlo.scan': {
    readonly dimension: number;
    readonly scanDimSize?: number;
    readonly isReverse: boolean;
    readonly isAssociative?: boolean;
    readonly inputs: number;
    readonly resultTypes: readonly Type[];
  };
  'chlo.ragged_dot': RaggedDotDimensionNumbers & {
    readonly precision: readonly Precision[];
    readonly elementType?: ElementType;
  };
  // checks of the StableHLO test suite: they fail the program that does not hold them
  'check.expect_eq': None;
  'check.expect_eq_const': { readonly value: Literal };
  'check.expect_almost_eq': { readonly tolerance: number };
  'check.expect_almost_eq_const': { readonly value: Literal; readonly tolerance: number };
  'check.expect_close': { readonly minUlpDifference: number; readonly maxUlpDifference: number };
  /** Which of the values that the probe has kept, from 0. */
  'check.expect_serialized_eq': { readonly probeId: string; readonly iteration?: number };
  'check.eq': None;
  // the reference interpreter's own ops
  /** Runs functions as the processes of a grid: programs[replica][partition]. */
  'interpreter.run_parallel': {
    readonly programs: readonly (readonly string[])[];
    readonly infeed?: readonly string[];
    readonly resultTypes: readonly Type[];
  };
  'interpreter.probe': { readonly probeId: string };
  'interpreter.print': None;
  // Shardy: how values are laid out over a mesh
  'sdy.sharding_constraint': { readonly sharding: Sharding };
  'sdy.manual_computation': {
    readonly inShardings: readonly Sharding[];
    readonly outShardings: readonly Sharding[];
    readonly manualAxes: readonly string[];
    readonly resultTypes: readonly Type[];
  };
  /** An op of a dialect that is not known here: it can be read, checked for its form and printed, not run. */
  unregistered: { readonly name: string; readonly properties: string; readonly resultTypes: readonly Type[] };
}
/** The names of all ops: StableHLO without a prefix, CHLO with `chlo.`. */
export type OpName = keyof OpAttributes;
