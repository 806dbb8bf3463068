// What each op of the language carries besides its operands, under StableHLO's own attribute names (in camelCase).
// This interface is the list of ops: the op table, the gradient rules and the kernels are keyed by it, and the type
// checker asks each of them for every name.
import type { Literal } from './literal.ts';
import type { ElementType, TensorType, Type } from './types.ts';

export type None = Readonly<Record<never, never>>;
export type Dims = readonly number[];
export const comparisonDirections = ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT'] as const;
export type ComparisonDirection = (typeof comparisonDirections)[number];
export const comparisonTypes = ['FLOAT', 'TOTALORDER', 'SIGNED', 'UNSIGNED'] as const;
export type ComparisonType = (typeof comparisonTypes)[number];
export const precisions = ['DEFAULT', 'HIGH', 'HIGHEST'] as const;
export type Precision = (typeof precisions)[number];
export const rngAlgorithms = ['DEFAULT', 'THREE_FRY', 'PHILOX'] as const;
export type RngAlgorithm = (typeof rngAlgorithms)[number];
export type ResultAccuracy = 'DEFAULT' | 'HIGHEST';

export interface DotDimensionNumbers {
  readonly lhsBatchingDimensions: Dims;
  readonly rhsBatchingDimensions: Dims;
  readonly lhsContractingDimensions: Dims;
  readonly rhsContractingDimensions: Dims;
}
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
export interface Window {
  readonly windowStrides: Dims;
  /** [low, high] of each dimension. */
  readonly padding: readonly (readonly [number, number])[];
  readonly lhsDilation: Dims;
  readonly rhsDilation: Dims;
  readonly windowReversal: readonly boolean[];
}
export interface GatherDimensionNumbers {
  readonly offsetDims: Dims;
  readonly collapsedSliceDims: Dims;
  readonly operandBatchingDims: Dims;
  readonly startIndicesBatchingDims: Dims;
  readonly startIndexMap: Dims;
  readonly indexVectorDim: number;
}
export interface ScatterDimensionNumbers {
  readonly updateWindowDims: Dims;
  readonly insertedWindowDims: Dims;
  readonly inputBatchingDims: Dims;
  readonly scatterIndicesBatchingDims: Dims;
  readonly scatterDimsToOperandDims: Dims;
  readonly indexVectorDim: number;
}
export interface Collective {
  readonly replicaGroups: readonly (readonly number[])[];
  readonly channelId?: number;
  readonly useGlobalDeviceIds?: boolean;
}

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
export type UnaryName = (typeof unaryNames)[number];
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
export type BinaryName = (typeof binaryNames)[number];

type Elementwise = { [N in UnaryName | BinaryName]: None };

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
  dot_general: DotDimensionNumbers & { readonly precision: readonly Precision[]; readonly elementType?: ElementType };
  convolution: Window & {
    readonly dimensionNumbers: ConvolutionDimensionNumbers;
    readonly featureGroupCount: number;
    readonly batchGroupCount: number;
    readonly precision: readonly Precision[];
  };
  // control
  while: None;
  if: None;
  case: None;
  'func.call': { readonly callee: string; readonly resultTypes: readonly Type[] };
  custom_call: {
    readonly callTargetName: string;
    readonly backendConfig: string;
    readonly resultTypes: readonly Type[];
    readonly hasSideEffect: boolean;
  };
  tuple: None;
  get_tuple_element: { readonly index: number };
  // collectives; all_reduce is variadic, region: the reducer
  all_reduce: Collective;
  all_gather: Collective & { readonly allGatherDim: number };
  reduce_scatter: Collective & { readonly scatterDimension: number };
}
export type OpName = keyof OpAttributes;
