// SageMaker's control plane: the operations of each kind of resource, put together.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Operations_Amazon_SageMaker_Service.html
import { sagemaker } from '../models/sagemaker.ts';
import { JsonService } from '../protocols/json-service.ts';
import { tagOperations } from './tags.ts';
import { type TrainingJobOptions, trainingJobOperations, trainingJobTags } from './training-jobs.ts';
import { trainingPlanOperations, trainingPlanTags } from './training-plans.ts';

export type SagemakerOptions = TrainingJobOptions;

export const sagemakerService = (options: SagemakerOptions): JsonService<typeof sagemaker> =>
  new JsonService({
    name: 'sagemaker',
    account: options.account,
    model: sagemaker,
    operations: {
      ...trainingJobOperations(options),
      ...trainingPlanOperations(options),
      ...tagOperations({
        'training-job': trainingJobTags(options.jobs),
        'training-plan': trainingPlanTags(options.capacity),
      }),
    },
  });
