// SageMaker's control plane: combines the operations of each kind of resource.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Operations_Amazon_SageMaker_Service.html
import type { Serving } from '../../../serving/fleet/serving.ts';
import { sagemaker } from '../models/sagemaker.ts';
import { JsonService } from '../protocols/json-service.ts';
import { endpointConfigOperations } from './endpoint-configs.ts';
import { endpointOperations, servingTags, taggedRows } from './endpoints.ts';
import { experimentOperations } from './experiments.ts';
import { modelOperations } from './models.ts';
import { checkRoles } from './passed-roles.ts';
import { processingJobOperations } from './processing-jobs.ts';
import { searchOperations } from './search.ts';
import { arnOf } from './serving-errors.ts';
import { tagOperations } from './tags.ts';
import { type TrainingJobOptions, trainingJobOperations } from './training-jobs.ts';
import { trainingPlanOperations, trainingPlanTags } from './training-plans.ts';
import { transformJobOperations } from './transform-jobs.ts';
import { trialComponentOperations } from './trial-components.ts';
import { tuningOperations } from './tuning-jobs.ts';

export interface SagemakerOptions extends TrainingJobOptions {
  readonly serving: Serving;
}

export function sagemakerService(options: SagemakerOptions): JsonService<typeof sagemaker> {
  const { store: endpoints, manager } = options.serving;
  const serving = { ...options, endpoints, manager, arn: arnOf(options.region, options.account) };
  return new JsonService({
    name: 'sagemaker',
    account: options.account,
    model: sagemaker,
    check: input => checkRoles(input, options.account),
    operations: {
      ...trainingJobOperations(options),
      ...searchOperations(serving),
      ...trainingPlanOperations(options),
      ...modelOperations(serving),
      ...endpointConfigOperations(serving),
      ...endpointOperations(serving),
      ...tuningOperations(options),
      ...transformJobOperations(serving),
      ...processingJobOperations(serving),
      ...experimentOperations(serving),
      ...trialComponentOperations(serving),
      ...tagOperations({
        'training-job': taggedRows(options.jobs.training),
        'training-plan': trainingPlanTags(options.capacity),
        'hyper-parameter-tuning-job': taggedRows(options.jobs.tuning),
        ...servingTags(serving),
        'transform-job': taggedRows(options.jobs.transform),
        'processing-job': taggedRows(options.jobs.processing),
        experiment: taggedRows(options.experiments.experiments),
        'experiment-trial': taggedRows(options.experiments.trials),
        'experiment-trial-component': taggedRows(options.experiments.components),
      }),
    },
  });
}
