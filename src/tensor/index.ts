// Lazy tensors. See README.md.

export { absentFunction, isAbsent } from './absent-functions.ts';
export { type AutocastOptions, autocast } from './autocast.ts';
export * as autograd from './autograd/index.ts';
export { bucketOf } from './bucket.ts';
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
export { checkPolicy } from './check-policy.ts';
export { type CheckpointOptions, checkpoint } from './checkpoint.ts';
export { type CompiledFunction, compile, dependOn } from './compile.ts';
export * as control from './control/index.ts';
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
} from './create.ts';
export * as cuda from './cuda.ts';
export { detectAnomaly, refuseNans } from './detect-anomaly.ts';
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
export { type DType, type DTypeName, dtypeName, elementTypeOf, isDType, promote } from './dtype.ts';
export * from './dtype-constants.ts';
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
} from './facts.ts';
export * as fft from './fft.ts';
export { inspectTensor, print } from './format-tensor.ts';
export * as func from './func/index.ts';
export * from './functions.ts';
export * from './generated/absent.ts';
export * from './generated/functions.ts';

export type * from './generated/options.ts';
export * as special from './generated/special.ts';
export { Generator, type GeneratorState } from './generator.ts';
export {
  enableGrad,
  inferenceMode,
  isGradEnabled,
  isInferenceModeEnabled,
  noGrad,
  setGradEnabled,
} from './grad-mode.ts';
export { isLiteral, type NestedNumbers, type TensorData } from './host-data.ts';
export type { HostInput } from './host-input.ts';
export { checkIndices } from './index-checks.ts';
export { type Index, Slice, slice } from './indexing/index-spec.ts';
export * as linalg from './linalg.ts';
export { atOneLocation, userLocation, withinLayer } from './location.ts';
export type { Scalar } from './lower/elementwise.ts';
export * as lower from './lower/index.ts';
export type { CompileEvent, Metrics } from './metrics.ts';
export { loadOperator, type Operator, type OperatorOptions } from './operators.ts';
export { type PadToOptions, padTo } from './pad-to.ts';
export type { Precision, RoundingMode } from './precision.ts';
export {
  type PrecisionReport,
  type PrecisionReportOptions,
  type PrecisionRow,
  precisionReport,
} from './precision-report.ts';
export { type PrintOptions, type PrintSettings, setPrintOptions } from './print-options.ts';
export { mix64, type RandomState } from './random.ts';
export { randomBits } from './random-bits.ts';
export { combine } from './record.ts';
export { checkWord, type Settings, settle } from './settings.ts';
export { mapTensors, tensorsIn } from './structure.ts';
export { checkOptionNames, isPlainObject } from './surface/call.ts';
export { record, Tensor, type TensorLike, uploadTo } from './tensor.ts';
export { isShared, share } from './tensor-impl.ts';
export type { Trace } from './trace.ts';
export type { BackwardOptions, HookHandle, Traced } from './traced.ts';
export { type FloatInfo, finfo, type IntegerInfo, iinfo } from './type-info.ts';
export {
  type UniqueConsecutiveOptions,
  type UniqueOptions,
  type UniqueResult,
  unique,
  uniqueConsecutive,
} from './unique.ts';
export { bartlettWindow, blackmanWindow, hammingWindow, hannWindow, kaiserWindow } from './windows.ts';
