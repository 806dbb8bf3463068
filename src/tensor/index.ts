// Lazy tensors. See README.md.

export { absentFunction, absentNamespace, isAbsent } from './absent/absent-functions.ts';
export * as cuda from './absent/cuda.ts';
export { type AutocastOptions, autocast } from './autocast.ts';
export * as autograd from './autograd/index.ts';
export {
  checkCount,
  checkDevice,
  checkFunction,
  checkIterable,
  checkTensors,
  described,
  wrongArgument,
  wrongText,
} from './check-arguments.ts';
export { type CompiledFunction, compile, dependOn } from './compile.ts';
export * as control from './control/index.ts';
export { detectAnomaly, refuseNans } from './debugging/detect-anomaly.ts';
export {
  type PrecisionReport,
  type PrecisionReportOptions,
  type PrecisionRow,
  precisionReport,
} from './debugging/precision-report.ts';
export { Device, type DeviceOptions } from './device.ts';
export {
  type DeviceName,
  device,
  deviceFrom,
  type HostRandomState,
  hostRandomState,
  manualSeed,
  markStep,
  setDefaultDevice,
  setHostRandomState,
  targetOf,
} from './devices.ts';
export * as distributions from './distributions/index.ts';
export * as func from './func/index.ts';
export { bucketOf } from './functions/bucket.ts';
export {
  allclose,
  arange,
  asTensor,
  equal,
  fromNumpy,
  isTensor,
  normal,
  normalTable,
  rand,
  randint,
  randLike,
  randn,
  randnLike,
  randperm,
  type Shape,
  type SizeArguments,
  type TensorOptions,
  tensor,
  truncatedNormal,
  uniform,
} from './functions/create.ts';
export {
  broadcastShapes,
  canCast,
  isComplex,
  isFloatingPoint,
  isNonzero,
  isSameSize,
  isSigned,
  numel,
  promoteTypes,
  resultType,
} from './functions/facts.ts';
export * as fft from './functions/fft.ts';
export { markDynamic, markStatic } from './functions/mark-sizes.ts';
export { type PadToOptions, padTo } from './functions/pad-to.ts';
export {
  type UniqueConsecutiveOptions,
  type UniqueOptions,
  type UniqueResult,
  unique,
  uniqueConsecutive,
} from './functions/unique.ts';
export { bartlettWindow, blackmanWindow, hammingWindow, hannWindow, kaiserWindow } from './functions/windows.ts';
export * from './functions.ts';
export * from './generated/absent.ts';
export * from './generated/functions.ts';
export type * from './generated/options.ts';
export { checkPolicy } from './gradients/check-policy.ts';
export { type CheckpointOptions, checkpoint } from './gradients/checkpoint.ts';
export {
  enableGrad,
  inferenceMode,
  isGradEnabled,
  isInferenceModeEnabled,
  noGrad,
  setGradEnabled,
} from './gradients/grad-mode.ts';
export { type Index, Slice, slice } from './indexing/index-spec.ts';
export * as linalg from './linalg.ts';
export { atOneLocation, userLocation, withinLayer } from './location.ts';
export type { Scalar } from './lower/elementwise.ts';
export * as lower from './lower/index.ts';
export { loadOperator, type Operator, type OperatorOptions } from './operators.ts';
export * as collectives from './placement/collectives.ts';
export {
  constrained,
  type DividedUse,
  distributeTensor,
  divide,
  dividedAlongData,
  divideLike,
  divideState,
  fullTensor,
  placements,
  placeOnStage,
  redistribute,
  wholeAlongData,
  withShardingConstraint,
} from './placement/distribute.ts';
export { checkAxis, type PartitionSpec, type Placement, Replicate, Shard } from './placement/layouts.ts';
export { meshName } from './placement/partitioned.ts';
export { type ShardMapOptions, shardMap } from './placement/shard-map.ts';
export { stageBorder } from './placement/stage-border.ts';
export type { Precision, RoundingMode } from './precision.ts';
export { inspectTensor, print } from './printing/format-tensor.ts';
export { type PrintOptions, type PrintSettings, setPrintOptions } from './printing/print-options.ts';
export { Generator, type GeneratorState } from './random/generator.ts';
export { mix64, type RandomState } from './random/random.ts';
export { randomBits } from './random/random-bits.ts';
export { combine } from './record.ts';
export { checkWord, type Settings, settle } from './settings.ts';
export * as special from './special.ts';
export type { HostInput } from './step/host-input.ts';
export { checkIndices } from './step/index-checks.ts';
export type { CompileEvent, Metrics } from './step/metrics.ts';
export type { Trace } from './step/trace.ts';
export { mapTensors, tensorsIn } from './structure.ts';
export { checkOptionNames, isPlainObject } from './surface/call.ts';
export { record, Tensor, type TensorLike, uploadTo } from './tensor.ts';
export { isShared, share } from './tensor-impl.ts';
export type { BackwardOptions, HookHandle, Traced } from './traced.ts';
export { type DType, type DTypeName, dtypeName, elementTypeOf, isDType, promote } from './types/dtype.ts';
export * from './types/dtype-constants.ts';
export { isLiteral, type NestedNumbers, type TensorData } from './types/host-data.ts';
export { type FloatInfo, finfo, type IntegerInfo, iinfo } from './types/type-info.ts';
