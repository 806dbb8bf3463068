// The attributes of each op of the language, under StableHLO's own attribute names (in camelCase).
// This interface is the list of ops: the op table, the factors of dims, the gradient rules and the kernels are keyed by it, and
// the type checker requires an entry in each of them for every name.
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
/** How exact the result of a transcendental op must be; the tolerances only apply in mode TOLERANCE. */
export interface ResultAccuracy {
  /** How the accuracy is stated. */
  readonly mode: (typeof resultAccuracyModes)[number];
  /** The absolute tolerance. */
  readonly atol: number;
  /** The relative tolerance. */
  readonly rtol: number;
  /** The tolerance in units in the last place. */
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
/** The precision and algorithm of a dot_general. Specification: `dot_general`, `algorithm`. */
export interface DotAlgorithm {
  /** The type that the left operand is rounded to. */
  readonly lhsPrecisionType: ElementType;
  /** The type that the right operand is rounded to. */
  readonly rhsPrecisionType: ElementType;
  /** The type of the sums. */
  readonly accumulationType: ElementType;
  /** The number of parts that the left operand is split into. */
  readonly lhsComponentCount: number;
  /** The number of parts that the right operand is split into. */
  readonly rhsComponentCount: number;
  /** The number of multiplies of parts. */
  readonly numPrimitiveOperations: number;
  /** Whether sums may be less exact than `accumulationType`. */
  readonly allowImpreciseAccumulation: boolean;
}

/** Which dims of the operands of `dot_general` are batch dims, and which are summed over. */
export interface DotDimensionNumbers {
  /** The batch dims of the left operand. */
  readonly lhsBatchingDimensions: Dims;
  /** The batch dims of the right operand. */
  readonly rhsBatchingDimensions: Dims;
  /** The dims of the left operand that are summed over. */
  readonly lhsContractingDimensions: Dims;
  /** The dims of the right operand that are summed over. */
  readonly rhsContractingDimensions: Dims;
}
/** Which dims of input, kernel and output are batch, features and space. */
export interface ConvolutionDimensionNumbers {
  /** The batch dim of the input. */
  readonly inputBatchDimension: number;
  /** The feature dim of the input. */
  readonly inputFeatureDimension: number;
  /** The spatial dims of the input. */
  readonly inputSpatialDimensions: Dims;
  /** The dim of the kernel for the features of the input. */
  readonly kernelInputFeatureDimension: number;
  /** The dim of the kernel for the features of the output. */
  readonly kernelOutputFeatureDimension: number;
  /** The spatial dims of the kernel. */
  readonly kernelSpatialDimensions: Dims;
  /** The batch dim of the output. */
  readonly outputBatchDimension: number;
  /** The feature dim of the output. */
  readonly outputFeatureDimension: number;
  /** The spatial dims of the output. */
  readonly outputSpatialDimensions: Dims;
}
/** The window of a convolution. */
export interface Window {
  /** The step of the window along each dim. */
  readonly windowStrides: Dims;
  /** [low, high] of each dimension. */
  readonly padding: readonly (readonly [number, number])[];
  /** The distance between the elements of the input along each dim. */
  readonly lhsDilation: Dims;
  /** The distance between the elements of the kernel along each dim. */
  readonly rhsDilation: Dims;
  /** Whether the window is reversed along each dim. */
  readonly windowReversal: readonly boolean[];
}
/** Attributes of `convolution` besides its window. */
export interface ConvolutionAttributes {
  /** The meaning of the dims. */
  readonly dimensionNumbers: ConvolutionDimensionNumbers;
  /** The number of groups of features. */
  readonly featureGroupCount: number;
  /** The number of groups of the batch. */
  readonly batchGroupCount: number;
  /** The precision of each operand. */
  readonly precision: readonly Precision[];
  /** The type of the result, if it differs from that of the operands. */
  readonly elementType?: ElementType;
}
/** Attributes of the batch_norm ops. */
export interface BatchNorm {
  /** Added to the variance. */
  readonly epsilon: number;
  /** The feature dim. */
  readonly featureIndex: number;
}
/** How the dims of operand, indices and result of `gather` correspond. */
export interface GatherDimensionNumbers {
  /** The dims of the result that lie within a slice. */
  readonly offsetDims: Dims;
  /** The dims of a slice, of size 1, that the result lacks. */
  readonly collapsedSliceDims: Dims;
  /** The batch dims of the operand. */
  readonly operandBatchingDims: Dims;
  /** The batch dims of the indices. */
  readonly startIndicesBatchingDims: Dims;
  /** The dim of the operand that each entry of an index is for. */
  readonly startIndexMap: Dims;
  /** The dim of the indices along which the entries of an index lie. */
  readonly indexVectorDim: number;
}
/** How the dims of inputs, indices and updates of `scatter` correspond. */
export interface ScatterDimensionNumbers {
  /** The dims of the updates that lie within a window. */
  readonly updateWindowDims: Dims;
  /** The dims of the operand, of window size 1, that the updates lack. */
  readonly insertedWindowDims: Dims;
  /** The batch dims of the operand. */
  readonly inputBatchingDims: Dims;
  /** The batch dims of the indices. */
  readonly scatterIndicesBatchingDims: Dims;
  /** The dim of the operand that each entry of an index is for. */
  readonly scatterDimsToOperandDims: Dims;
  /** The dim of the indices along which the entries of an index lie. */
  readonly indexVectorDim: number;
}
/** The channel of an op that communicates. */
export interface Channel {
  /** The number of the channel. */
  readonly channelId?: number;
  /** 0 unknown, 1 device to device, 2 device to host, 3 host to device; 1 if only the id is given. */
  readonly channelType?: number;
}
/** Attributes of the collective ops. */
export interface Collective extends Channel {
  /** The groups of processes that communicate. */
  readonly replicaGroups: readonly (readonly number[])[];
  /** The groups as axes of a mesh, if they were given so; `replicaGroups` is then empty. */
  readonly meshAxes?: MeshAxes;
  /** Whether the groups hold device numbers instead of replica numbers. */
  readonly useGlobalDeviceIds?: boolean;
}
/** An attribute of collectives with a root. */
export interface Rooted {
  /**
   * Whether the last operand holds the root of each operand within its group; otherwise the root is the group's first process.
   */
  readonly hasDynamicRoot?: boolean;
}
/** Attributes of `send` and `recv`. */
export interface HostTransfer extends Channel {
  /** Whether the other side is the host. */
  readonly isHostTransfer: boolean;
  /** The pairs of a sending and a receiving process. */
  readonly sourceTargetPairs?: readonly (readonly [source: number, target: number])[];
}
/** The dims of `chlo.ragged_dot`, with the ragged dims and the group dims. */
export interface RaggedDotDimensionNumbers extends DotDimensionNumbers {
  /** The ragged dims of the left operand. */
  readonly lhsRaggedDimensions: Dims;
  /** The group dims of the right operand. */
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

/** Attributes of `custom_call` that are kept as MLIR text; the last three say what known targets compute. */
export const textsOfCustomCall = [
  'operand_layouts',
  'output_operand_aliases',
  'result_layouts',
  'result_tilings',
  'error_message',
  'mhlo.attributes',
  'mhlo.backend_config',
] as const;

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

/** Attributes of ops whose accuracy can be stated. */
export interface Accuracy {
  /** How exact the result must be. */
  readonly resultAccuracy?: ResultAccuracy;
}
/** Attributes of ops that broadcast their operands. */
export interface Broadcast {
  /** The dim of the result for each dim of the operand. */
  readonly broadcastDimensions?: Dims;
}
type Elementwise = {
  [N in Exclude<UnaryName, AccuracyName> | BinaryName | ChloUnaryName | ChloBinaryName]: None;
} & { [N in AccuracyName]: Accuracy } & { [N in ChloBroadcastName]: Broadcast };

/**
 * The attributes of each op, by the name of the op: those of the StableHLO specification in camelCase, with the meaning and
 * constraints that are stated there. https://openxla.org/stablehlo/spec
 *
 * The type of a result is an attribute only if the operands do not determine it.
 */
export interface OpAttributes extends Elementwise {
  // elementwise
  /** The absolute value. */
  abs: None;
  /** The sum; for booleans, or. */
  add: None;
  /** Bitwise or logical and. */
  and: None;
  /** The angle of (y, x). */
  atan2: None;
  /** The cube root. */
  cbrt: Accuracy;
  /** Rounded up. */
  ceil: None;
  /** The kernel of `chlo.asin` and `chlo.acos`, for complex numbers. */
  'chlo._asin_acos_kernel': None;
  /** The arc cosine. */
  'chlo.acos': None;
  /** The inverse hyperbolic cosine. */
  'chlo.acosh': None;
  /** The arc sine. */
  'chlo.asin': None;
  /** The inverse hyperbolic sine. */
  'chlo.asinh': None;
  /** The arc tangent. */
  'chlo.atan': None;
  /** The inverse hyperbolic tangent. */
  'chlo.atanh': None;
  /** The exponentially scaled Bessel function of order 1. */
  'chlo.bessel_i1e': None;
  /** The sum; for booleans, or; operands broadcast. */
  'chlo.broadcast_add': Broadcast;
  /** Bitwise or logical and; operands broadcast. */
  'chlo.broadcast_and': Broadcast;
  /** The angle of (y, x); operands broadcast. */
  'chlo.broadcast_atan2': Broadcast;
  /** Complex numbers of real and imaginary parts; operands broadcast. */
  'chlo.broadcast_complex': Broadcast;
  /** The quotient; operands broadcast. */
  'chlo.broadcast_divide': Broadcast;
  /** The maximum; operands broadcast. */
  'chlo.broadcast_maximum': Broadcast;
  /** The minimum; operands broadcast. */
  'chlo.broadcast_minimum': Broadcast;
  /** The product; for booleans, and; operands broadcast. */
  'chlo.broadcast_multiply': Broadcast;
  /** The next number from x towards y; operands broadcast. */
  'chlo.broadcast_next_after': Broadcast;
  /** Bitwise or logical or; operands broadcast. */
  'chlo.broadcast_or': Broadcast;
  /** The polygamma function; operands broadcast. */
  'chlo.broadcast_polygamma': Broadcast;
  /** X to the power of y; operands broadcast. */
  'chlo.broadcast_power': Broadcast;
  /** The remainder, with the sign of the dividend; operands broadcast. */
  'chlo.broadcast_remainder': Broadcast;
  /** The bits shifted left; operands broadcast. */
  'chlo.broadcast_shift_left': Broadcast;
  /** The bits shifted right, filled with the sign; operands broadcast. */
  'chlo.broadcast_shift_right_arithmetic': Broadcast;
  /** The bits shifted right, filled with zeros; operands broadcast. */
  'chlo.broadcast_shift_right_logical': Broadcast;
  /** The difference; operands broadcast. */
  'chlo.broadcast_subtract': Broadcast;
  /** Bitwise or logical exclusive or; operands broadcast. */
  'chlo.broadcast_xor': Broadcast;
  /** The Hurwitz zeta function; operands broadcast. */
  'chlo.broadcast_zeta': Broadcast;
  /** The complex conjugate. */
  'chlo.conj': None;
  /** The hyperbolic cosine. */
  'chlo.cosh': None;
  /** The derivative of `chlo.lgamma`. */
  'chlo.digamma': None;
  /** The error function. */
  'chlo.erf': None;
  /** The inverse of the error function. */
  'chlo.erf_inv': None;
  /** 1 - erf(x). */
  'chlo.erfc': None;
  /** Whether each element is infinite. */
  'chlo.is_inf': None;
  /** Whether each element is negative infinity. */
  'chlo.is_neg_inf': None;
  /** Whether each element is positive infinity. */
  'chlo.is_pos_inf': None;
  /** The logarithm of the absolute value of the gamma function. */
  'chlo.lgamma': None;
  /** The upper half of the bits of the product. */
  'chlo.mulhi': None;
  /** The next number from x towards y. */
  'chlo.next_after': None;
  /** The polygamma function. */
  'chlo.polygamma': None;
  /** The hyperbolic sine. */
  'chlo.sinh': None;
  /** The square. */
  'chlo.square': None;
  /** The tangent. */
  'chlo.tan': None;
  /** The Hurwitz zeta function. */
  'chlo.zeta': None;
  /** The cosine. */
  cosine: Accuracy;
  /** The number of leading zero bits. */
  count_leading_zeros: None;
  /** The quotient. */
  divide: None;
  /** Exp(x). */
  exponential: Accuracy;
  /** Exp(x) - 1. */
  exponential_minus_one: Accuracy;
  /** Rounded down. */
  floor: None;
  /** The natural logarithm. */
  log: Accuracy;
  /** Log(1 + x). */
  log_plus_one: Accuracy;
  /** The sigmoid. */
  logistic: Accuracy;
  /** The maximum of two elements. */
  maximum: None;
  /** The minimum of two elements. */
  minimum: None;
  /** The product; for booleans, and. */
  multiply: None;
  /** The negative. */
  negate: None;
  /** Bitwise or logical not. */
  not: None;
  /** Bitwise or logical or. */
  or: None;
  /** The number of bits that are set. */
  popcnt: None;
  /** X to the power of y. */
  power: None;
  /** The remainder, with the sign of the dividend. */
  remainder: None;
  /** Rounded to the nearest integer, halves away from zero. */
  round_nearest_afz: None;
  /** Rounded to the nearest integer, halves to even. */
  round_nearest_even: None;
  /** The reciprocal of the square root. */
  rsqrt: Accuracy;
  /** The bits shifted left. */
  shift_left: None;
  /** The bits shifted right, filled with the sign. */
  shift_right_arithmetic: None;
  /** The bits shifted right, filled with zeros. */
  shift_right_logical: None;
  /** The sign. */
  sign: None;
  /** The sine. */
  sine: Accuracy;
  /** The square root. */
  sqrt: Accuracy;
  /** The difference. */
  subtract: None;
  /** The tangent. */
  tan: Accuracy;
  /** The hyperbolic tangent. */
  tanh: Accuracy;
  /** Bitwise or logical exclusive or. */
  xor: None;
  // elementwise, special
  /** `is_finite` has no attributes. */
  is_finite: None;
  /** The attributes of `compare`. */
  compare: {
    /** The comparison. */
    readonly comparisonDirection: ComparisonDirection;
    /** How the operands are read. */
    readonly compareType?: ComparisonType;
  };
  /** `select` has no attributes. */
  select: None;
  /** `clamp` has no attributes. */
  clamp: None;
  /** The attributes of `convert`. */
  convert: {
    /** The data type of the result. */
    readonly elementType: ElementType;
  };
  /** The attributes of `bitcast_convert`. */
  bitcast_convert: {
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `reduce_precision`. */
  reduce_precision: {
    /** The number of exponent bits. */
    readonly exponentBits: number;
    /** The number of mantissa bits. */
    readonly mantissaBits: number;
  };
  /** `optimization_barrier` has no attributes. */
  optimization_barrier: None;
  // sources
  /** The attributes of `constant`. */
  constant: {
    /** The value. */
    readonly value: Literal;
  };
  /** The attributes of `iota`. */
  iota: {
    /** The dim along which the numbers increase. */
    readonly iotaDimension: number;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `rng_bit_generator`. */
  rng_bit_generator: {
    /** The algorithm. */
    readonly rngAlgorithm: RngAlgorithm;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** `partition_id` has no attributes. */
  partition_id: None;
  /** `replica_id` has no attributes. */
  replica_id: None;
  // moving elements
  /** The attributes of `reshape`. */
  reshape: {
    /** The shape of the result. */
    readonly shape: Dims;
  };
  /** operand dim i becomes result dim broadcastDimensions[i]. */
  broadcast_in_dim: {
    /** The dim of the result for each dim of the operand. */
    readonly broadcastDimensions: Dims;
    /** The shape of the result. */
    readonly shape: Dims;
  };
  /** The attributes of `transpose`. */
  transpose: {
    /** The dim of the operand for each dim of the result. */
    readonly permutation: Dims;
  };
  /** The attributes of `reverse`. */
  reverse: {
    /** The dims. */
    readonly dimensions: Dims;
  };
  /** The attributes of `slice`. */
  slice: {
    /** The first index along each dim. */
    readonly startIndices: Dims;
    /** The index after the last one along each dim. */
    readonly limitIndices: Dims;
    /** The distance between indices along each dim. */
    readonly strides: Dims;
  };
  /** The attributes of `concatenate`. */
  concatenate: {
    /** The dim. */
    readonly dimension: number;
  };
  /** The attributes of `pad`. */
  pad: {
    /** The padding before each dim; negative removes elements. */
    readonly edgePaddingLow: Dims;
    /** The padding after each dim; negative removes elements. */
    readonly edgePaddingHigh: Dims;
    /** The padding between the elements of each dim. */
    readonly interiorPadding: Dims;
  };
  /** The attributes of `dynamic_slice`. */
  dynamic_slice: {
    /** The size of a slice along each dim. */
    readonly sliceSizes: Dims;
  };
  /** `dynamic_update_slice` has no attributes. */
  dynamic_update_slice: None;
  /** The attributes of `gather`. */
  gather: {
    /** The meaning of the dims. */
    readonly dimensionNumbers: GatherDimensionNumbers;
    /** The size of a slice along each dim. */
    readonly sliceSizes: Dims;
    /** Whether the indices are known to be sorted. */
    readonly indicesAreSorted: boolean;
  };
  /** operands: inputs…, scatter_indices, updates…; region: (old…, update…) → new… */
  scatter: {
    /** The meaning of the dims. */
    readonly dimensionNumbers: ScatterDimensionNumbers;
    /** Whether the indices are known to be sorted. */
    readonly indicesAreSorted: boolean;
    /** Whether the indices are known to be unique. */
    readonly uniqueIndices: boolean;
  };
  /** The attributes of `sort`. */
  sort: {
    /** The dim. */
    readonly dimension: number;
    /** Whether equal elements keep their order. */
    readonly isStable: boolean;
  };
  // reductions and windows; operands: inputs…, init_values…
  /** The attributes of `reduce`. */
  reduce: {
    /** The dims. */
    readonly dimensions: Dims;
  };
  /** The attributes of `reduce_window`. */
  reduce_window: Omit<Window, 'windowReversal' | 'lhsDilation' | 'rhsDilation'> & {
    /** The size of the window along each dim. */
    readonly windowDimensions: Dims;
    /** The distance between the elements of the operand along each dim. */
    readonly baseDilations: Dims;
    /** The distance between the elements of the window along each dim. */
    readonly windowDilations: Dims;
  };
  /** operands: operand, source, init_value; regions: select, scatter */
  select_and_scatter: {
    /** The size of the window along each dim. */
    readonly windowDimensions: Dims;
    /** The step of the window along each dim. */
    readonly windowStrides: Dims;
    /** The padding before and after each dim. */
    readonly padding: readonly (readonly [number, number])[];
  };
  // contractions
  /** The attributes of `dot_general`. */
  dot_general: DotDimensionNumbers & {
    /** The precision of each operand. */
    readonly precision: readonly Precision[];
    /** The algorithm of the multiply. */
    readonly algorithm?: DotAlgorithm;
    /** The type of the result, if it differs from that of the operands. */
    readonly elementType?: ElementType;
  };
  /** The attributes of `convolution`. */
  convolution: Window & ConvolutionAttributes;
  // linear algebra
  /** The attributes of `cholesky`. */
  cholesky: {
    /** Whether the lower triangle is used. */
    readonly lower: boolean;
  };
  /** The attributes of `triangular_solve`. */
  triangular_solve: {
    /** Whether the unknown is on the right of the matrix: `a · x = b`. */
    readonly leftSide: boolean;
    /** Whether the lower triangle is used. */
    readonly lower: boolean;
    /** Whether the diagonal is assumed to be 1. */
    readonly unitDiagonal: boolean;
    /** Whether the matrix is transposed. */
    readonly transposeA: Transpose;
  };
  /** The attributes of `fft`. */
  fft: {
    /** The kind of transform. */
    readonly fftType: FftType;
    /** The length along each transformed dim. */
    readonly fftLength: Dims;
  };
  // complex numbers
  /** `complex` has no attributes. */
  complex: None;
  /** `real` has no attributes. */
  real: None;
  /** `imag` has no attributes. */
  imag: None;
  // normalization
  /** The attributes of `batch_norm_training`. */
  batch_norm_training: BatchNorm;
  /** The attributes of `batch_norm_inference`. */
  batch_norm_inference: BatchNorm;
  /** The attributes of `batch_norm_grad`. */
  batch_norm_grad: BatchNorm;
  // sizes known when the program runs; `type` is that of the result
  /** The attributes of `get_dimension_size`. */
  get_dimension_size: {
    /** The dim. */
    readonly dimension: number;
  };
  /** The attributes of `set_dimension_size`. */
  set_dimension_size: {
    /** The dim. */
    readonly dimension: number;
  };
  /** The attributes of `dynamic_broadcast_in_dim`. */
  dynamic_broadcast_in_dim: {
    /** The dim of the result for each dim of the operand. */
    readonly broadcastDimensions: Dims;
    /** Dims that are known to be expanded. */
    readonly knownExpandingDimensions?: Dims;
    /** Dims that are known not to be expanded. */
    readonly knownNonexpandingDimensions?: Dims;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `dynamic_conv`. */
  dynamic_conv: Omit<Window, 'padding'> &
    ConvolutionAttributes & {
      /** The type of the result. */
      readonly type: TensorType;
    };
  /** The attributes of `dynamic_gather`. */
  dynamic_gather: {
    /** The meaning of the dims. */
    readonly dimensionNumbers: GatherDimensionNumbers;
    /** Whether the indices are known to be sorted. */
    readonly indicesAreSorted: boolean;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `dynamic_iota`. */
  dynamic_iota: {
    /** The dim along which the numbers increase. */
    readonly iotaDimension: number;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `dynamic_pad`. */
  dynamic_pad: {
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `dynamic_reshape`. */
  dynamic_reshape: {
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `real_dynamic_slice`. */
  real_dynamic_slice: {
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of an op that converts between a more and a less specific type; elements are unchanged. */
  'tensor.cast': {
    /** The type of the result. */
    readonly type: TensorType;
  };
  // quantized numbers; `type` is that of the result
  /** The attributes of `uniform_quantize`. */
  uniform_quantize: {
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** `uniform_dequantize` has no attributes. */
  uniform_dequantize: None;
  // elementwise, with a region
  /** The attributes of `map`. */
  map: {
    /** The dims. */
    readonly dimensions: Dims;
  };
  /** The attributes of `rng`. */
  rng: {
    /** The distribution. */
    readonly rngDistribution: RngDistribution;
    /** The type of the result. */
    readonly type: TensorType;
  };
  // older ops that newer ones replaced
  /** The attributes of `broadcast`. */
  broadcast: {
    /** The sizes of the new dims. */
    readonly broadcastSizes: Dims;
  };
  /** The attributes of `dot`. */
  dot: {
    /** The precision of each operand. */
    readonly precision: readonly Precision[];
    /** The data type of the result. */
    readonly elementType?: ElementType;
  };
  /** The attributes of `einsum`. */
  einsum: {
    /** The equation. */
    readonly einsumConfig: string;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `unary_einsum`. */
  unary_einsum: {
    /** The equation. */
    readonly einsumConfig: string;
    /** The type of the result. */
    readonly type: TensorType;
  };
  /** The attributes of `torch_index_select`. */
  torch_index_select: {
    /** The dim. */
    readonly dim: number;
    /** The number of batch dims. */
    readonly batchDims: number;
  };
  // control
  /** `while` has no attributes. */
  while: None;
  /** `if` has no attributes. */
  if: None;
  /** `case` has no attributes. */
  case: None;
  /** The attributes of `func.call`. */
  'func.call': {
    /** The name of the function. */
    readonly callee: string;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** The attributes of `custom_call`. */
  custom_call: {
    /** The name of the target. */
    readonly callTargetName: string;
    /** A string; from API version 4 on, a dictionary as MLIR text (`{bar = 42 : i32}`). */
    readonly backendConfig: string;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
    /** Whether it must not be removed if its results are unused. */
    readonly hasSideEffect: boolean;
    /** The API version; 1 if not given. */
    readonly apiVersion?: number;
    /** The names of the functions that it may call. */
    readonly calledComputations?: readonly string[];
    /** Those of `textsOfCustomCall` that are given, as MLIR text. */
    readonly more?: DiscardableAttributes;
  };
  /** A composite op, defined by the function `decomposition`. */
  composite: {
    /** The name. */
    readonly name: string;
    /** A dictionary, as MLIR text. */
    readonly compositeAttributes: string;
    /** The name of the function that defines it. */
    readonly decomposition: string;
    /** The version. */
    readonly version: number;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** `tuple` has no attributes. */
  tuple: None;
  /** The attributes of `get_tuple_element`. */
  get_tuple_element: {
    /** The index. */
    readonly index: number;
  };
  // collectives; all_reduce is variadic, region: the reducer
  /** The attributes of `all_reduce`. */
  all_reduce: Collective;
  /** The attributes of `all_gather`. */
  all_gather: Collective & {
    /** The dim along which the parts are concatenated. */
    readonly allGatherDim: number;
  };
  /** The attributes of `reduce_scatter`. */
  reduce_scatter: Collective & {
    /** The dim that is split. */
    readonly scatterDimension: number;
  };
  /** The attributes of `all_to_all`. */
  all_to_all: Collective & {
    /** The dim that is split. */
    readonly splitDimension: number;
    /** The dim along which the parts are concatenated. */
    readonly concatDimension: number;
    /** The number of parts. */
    readonly splitCount: number;
  };
  /** The attributes of `collective_permute`. */
  collective_permute: Channel & {
    /** The pairs of a sending and a receiving process. */
    readonly sourceTargetPairs: readonly (readonly [source: number, target: number])[];
  };
  /** The attributes of `collective_broadcast`. */
  collective_broadcast: Collective & Rooted;
  /** The attributes of `collective_reduce`. */
  collective_reduce: Collective & Rooted;
  /** The attributes of `cross-replica-sum`. */
  'cross-replica-sum': {
    /** The groups of processes that communicate. */
    readonly replicaGroups: readonly (readonly number[])[];
  };
  // between the program and the host; each takes and returns a token
  /** `after_all` has no attributes. */
  after_all: None;
  /** `create_token` has no attributes. */
  create_token: None;
  /** The attributes of `send`. */
  send: HostTransfer;
  /** The attributes of `recv`. */
  recv: HostTransfer & {
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** The functions that compute the infeed. */
  infeed: {
    /** The configuration of the infeed. */
    readonly infeedConfig: string;
    /** The layout of the results, as MLIR text. */
    readonly layout?: string;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** The attributes of `outfeed`. */
  outfeed: {
    /** The configuration of the outfeed. */
    readonly outfeedConfig: string;
  };
  /** region: the op that runs in the meantime; returns a future */
  async_start: None;
  /** `async_done` has no attributes. */
  async_done: None;
  // CHLO beyond elementwise ops
  /** The attributes of `chlo.constant`. */
  'chlo.constant': {
    /** The value. */
    readonly value: Literal;
  };
  /** The attributes of `chlo.constant_like`. */
  'chlo.constant_like': {
    /** The value. */
    readonly value: Literal;
  };
  /** The attributes of `chlo.broadcast_compare`. */
  'chlo.broadcast_compare': {
    /** The dim of the result for each dim of the operand. */
    readonly broadcastDimensions?: Dims;
    /** The comparison. */
    readonly comparisonDirection: ComparisonDirection;
    /** How the operands are read. */
    readonly compareType?: ComparisonType;
  };
  /** `chlo.broadcast_select` has no attributes. */
  'chlo.broadcast_select': None;
  /** The attributes of top-k. Equal elements keep their order unless `isStable` is false. */
  'chlo.top_k': {
    /** The number of elements that are kept. */
    readonly k: number;
    /** Whether equal elements keep their order. */
    readonly isStable?: boolean;
  };
  /** operands: inputs…, inits…; region: (one slice of each input…, carry…) → (one slice of each output…, carry…) */
  'chlo.scan': {
    /** The dim. */
    readonly dimension: number;
    /** The size of the scanned dim. */
    readonly scanDimSize?: number;
    /** Whether the scan runs from the end. */
    readonly isReverse: boolean;
    /** Whether the function is known to be associative. */
    readonly isAssociative?: boolean;
    /** The number of inputs. */
    readonly inputs: number;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** The attributes of `chlo.ragged_dot`. */
  'chlo.ragged_dot': RaggedDotDimensionNumbers & {
    /** The precision of each operand. */
    readonly precision: readonly Precision[];
    /** The data type of the result. */
    readonly elementType?: ElementType;
  };
  // checks of the StableHLO test suite: the program fails if a check does not hold
  /** `check.expect_eq` has no attributes. */
  'check.expect_eq': None;
  /** The attributes of `check.expect_eq_const`. */
  'check.expect_eq_const': {
    /** The value. */
    readonly value: Literal;
  };
  /** The attributes of `check.expect_almost_eq`. */
  'check.expect_almost_eq': {
    /** The tolerance. */
    readonly tolerance: number;
  };
  /** The attributes of `check.expect_almost_eq_const`. */
  'check.expect_almost_eq_const': {
    /** The value. */
    readonly value: Literal;
    /** The tolerance. */
    readonly tolerance: number;
  };
  /** The attributes of `check.expect_close`. */
  'check.expect_close': {
    /** The smallest accepted difference in units in the last place. */
    readonly minUlpDifference: number;
    /** The largest accepted difference in units in the last place. */
    readonly maxUlpDifference: number;
  };
  /** The index of the value stored by the probe, starting at 0. */
  'check.expect_serialized_eq': {
    /** The name of the probe. */
    readonly probeId: string;
    /** The index of the iteration. */
    readonly iteration?: number;
  };
  /** `check.eq` has no attributes. */
  'check.eq': None;
  // the reference interpreter's own ops
  /** Runs functions as the processes of a grid: programs[replica][partition]. */
  'interpreter.run_parallel': {
    /** The functions that the processes run: programs[replica][partition]. */
    readonly programs: readonly (readonly string[])[];
    /** The functions that compute the infeed. */
    readonly infeed?: readonly string[];
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** The attributes of `interpreter.probe`. */
  'interpreter.probe': {
    /** The name of the probe. */
    readonly probeId: string;
  };
  /** `interpreter.print` has no attributes. */
  'interpreter.print': None;
  // Shardy: how values are laid out over a mesh
  /** The attributes of `sdy.sharding_constraint`. */
  'sdy.sharding_constraint': {
    /** The sharding. */
    readonly sharding: Sharding;
  };
  /** The attributes of `sdy.reshard`. */
  'sdy.reshard': {
    /** The sharding of the result. */
    readonly sharding: Sharding;
  };
  /** The attributes of `sdy.sharding_group`. */
  'sdy.sharding_group': {
    /** The number of the group: its values have one sharding. */
    readonly groupId: number;
  };
  /** The attributes of `sdy.manual_computation`. */
  'sdy.manual_computation': {
    /** The sharding of each operand. */
    readonly inShardings: readonly Sharding[];
    /** The sharding of each result. */
    readonly outShardings: readonly Sharding[];
    /** The axes that the body handles itself. */
    readonly manualAxes: readonly string[];
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
  /** An op of a dialect that is not known here: it can be parsed, verified for its form and printed, but not run. */
  unregistered: {
    /** The name. */
    readonly name: string;
    /** The properties, as MLIR text. */
    readonly properties: string;
    /** The types of the results. */
    readonly resultTypes: readonly Type[];
  };
}
/** The names of all ops: StableHLO without a prefix, CHLO with `chlo.`. */
export type OpName = keyof OpAttributes;
