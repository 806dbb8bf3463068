export type { EndpointInstanceType, TrainingInstanceType } from '../api/aws/models/instance-types.ts';
export type { DeployEstimatorOptions } from './endpoints/deploy-options.ts';
export type { PredictOptions } from './endpoints/invoke.ts';
export { Predictor, type PredictorOptions } from './endpoints/predictor.ts';
export { Estimator, type FitOptions } from './jobs/estimator.ts';
export type {
  Distribution,
  EstimatorOptions,
  MetricDefinition,
  ModelParallelDegrees,
} from './jobs/estimator-options.ts';
export type { MeasuredTraining, PredictedTraining, TrainingCost } from './jobs/training-cost.ts';
export type { TrainingInput, TrainingInputs } from './jobs/training-inputs.ts';
export type { TrainingJobInfo, TrainingJobStatus } from './jobs/training-job-info.ts';
export type { ConnectionOptions } from './wire/connection.ts';
