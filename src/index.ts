// The public API of trenio: what a training script imports. Each part is documented in its folder's README.
//
//   import { AdamW, device, DeviceLoader, nn, optimizerStep } from 'trenio'

// First, because it checks that Node is new enough for the rest.
import './base/require-node.ts';
import { tellUncaughtErrors } from './base/uncaught.ts';

// If a script fails with a TrenioError, its message is printed instead of a stack trace into this library.
tellUncaughtErrors();

// Mixed precision, as a namespace: amp.autocast, amp.GradScaler.
export * as amp from './amp-namespace.ts';
export {
  type ClassifierDeployment,
  type Deployment,
  type DeployOptions,
  deploy,
  deployModel,
} from './api/index.ts';
export type { ErrorCode, ErrorData } from './base/error-catalog.ts';
// Errors: each has a code, its data and a fix.
export { isTrenioError, type SourceLocation, TrenioError } from './base/errors.ts';
export { costOf, formatUsd, type MicroUsd, parseUsd, toDollars, usd } from './base/money.ts';
export type { AutoCast } from './base/neuron-flags.ts';
export type { OutputStream } from './base/output-stream.ts';
export { ProgressLine, type ProgressMedium, type ProgressOptions, type ProgressStream } from './base/progress.ts';
export { type Column, formatTable, type TableOptions } from './base/table.ts';
export { formatBytes, formatDuration } from './base/units.ts';
export { version } from './base/version.ts';
// Jobs on a job server: Estimator.
export * from './client/index.ts';
// Datasets, batches, tokenization.
export * from './data/index.ts';
// Layers and losses, as a namespace: nn.Linear, nn.functional.crossEntropy …
export * as transforms from './data/transforms/namespace.ts';
export * from './distributed/index.ts';
// Cloud machines and their prices, as a namespace: hardware.machineOf, hardware.priceOf, hardware.instances …
export * as hardware from './hardware/index.ts';
// The program language, as a namespace: hlo.parseModule, hlo.verify, hlo.interpret, hlo.printModule …
export * as hlo from './hlo/index.ts';
// Ranks: joining and leaving the group, and information about the other ranks.
export { DeviceMesh, type MeshAxisName, type MeshSizes, meshAxisNames } from './hlo/sharding/device-mesh.ts';
// Results of runs.
export * from './jobs/index.ts';
// Models, their files, training checkpoints.
export * from './models/index.ts';
// Transformations of functions, as a namespace: func.grad, func.vmap, func.functionalCall …
export * as func from './nn/func.ts';
export { Module, Parameter, type StateDict } from './nn/index.ts';
export * as nn from './nn-namespace.ts';
// Number formats, for `roundTo` and for querying their properties.
export {
  type ConfigurableFp8,
  cfp8,
  type FloatGrid,
  type FormatName,
  type IntegerGrid,
  type NumberFormat,
  numberFormat,
  type Rounding,
  type SmallFloat,
} from './numerics/index.ts';
export { TrainingProgress, type TrainingProgressOptions } from './observe/training-progress.ts';
// Optimizers, schedulers and weight averaging, as a namespace: optim.Muon, optim.lrScheduler.StepLR, optim.AveragedModel …
export * as optim from './optim/index.ts';
// The most common ones are also exported directly.
export {
  Adam,
  AdamW,
  averageGradients,
  clipGradNorm_,
  clipGradValue_,
  GradScaler,
  getCosineScheduleWithWarmup,
  getLinearScheduleWithWarmup,
  Optimizer,
  SGD,
} from './optim/index.ts';
export {
  type Cache,
  type CompileReport,
  formatProfile,
  type KernelInfo,
  type KernelProfile,
  type Machine,
  type MachineLimits,
  machineInfo,
  type ProgramProfile,
  type Rates,
  runModule,
} from './runtime/index.ts';
// Endpoints and the models behind them.
export * from './serving/index.ts';
// Predictions of training on hardware that is not available: simulator.predict, simulator.planTraining, simulator.expectPlan …
export * as simulator from './simulator/index.ts';
export * from './tensor/functions/facts.ts';
export * from './tensor/functions.ts';
export * from './tensor/generated/absent.ts';
export * from './tensor/generated/functions.ts';
export type * from './tensor/generated/options.ts';
export {
  type AutocastOptions,
  allclose,
  arange,
  asTensor,
  autocast,
  autograd,
  type BackwardOptions,
  bartlettWindow,
  blackmanWindow,
  bucketOf,
  type CheckpointOptions,
  type CompiledFunction,
  type CompileEvent,
  checkpoint,
  collectives,
  compile,
  control,
  cuda,
  Device,
  type DeviceName,
  type DType,
  type DTypeName,
  detectAnomaly,
  device,
  distributeTensor,
  distributions,
  enableGrad,
  equal,
  type FloatInfo,
  fft,
  finfo,
  fromNumpy,
  fullTensor,
  Generator,
  type GeneratorState,
  type HookHandle,
  type HostRandomState,
  hammingWindow,
  hannWindow,
  hostRandomState,
  type Index,
  type IntegerInfo,
  iinfo,
  inferenceMode,
  isGradEnabled,
  isInferenceModeEnabled,
  isTensor,
  kaiserWindow,
  linalg,
  loadOperator,
  type Metrics,
  manualSeed,
  markDynamic,
  markStatic,
  markStep,
  type NestedNumbers,
  noGrad,
  normal,
  type Operator,
  type OperatorOptions,
  type PadToOptions,
  type PartitionSpec,
  type Placement,
  type Precision,
  type PrecisionReport,
  type PrecisionReportOptions,
  type PrecisionRow,
  type PrintOptions,
  type PrintSettings,
  padTo,
  placements,
  precisionReport,
  print,
  type RandomState,
  Replicate,
  type RoundingMode,
  rand,
  randint,
  randLike,
  randn,
  randnLike,
  randperm,
  redistribute,
  type Scalar,
  type Shape,
  Shard,
  type ShardMapOptions,
  type SizeArguments,
  Slice,
  setDefaultDevice,
  setGradEnabled,
  setHostRandomState,
  setPrintOptions,
  shardMap,
  slice,
  special,
  Tensor,
  type TensorData,
  type TensorLike,
  type TensorOptions,
  type Traced,
  tensor,
  truncatedNormal,
  type UniqueConsecutiveOptions,
  type UniqueOptions,
  type UniqueResult,
  uniform,
  unique,
  uniqueConsecutive,
  withShardingConstraint,
} from './tensor/index.ts';
// Profiles of training, as a namespace: profiler.profile, profiler.schedule, profiler.recordFunction …
export * as profiler from './tensor/profiler/index.ts';
// Tensors: PyTorch's names, recorded and compiled as whole steps.
export * from './tensor/types/dtype-constants.ts';
// Logs for TensorBoard.
export * from './tensorboard/index.ts';
// The names of torch.utils: utils.checkpoint.checkpoint, utils.data.DataLoader …
export * as utils from './utils-namespace.ts';
