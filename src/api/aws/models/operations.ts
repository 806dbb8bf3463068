// The operations that the server answers, by service. What is not here is an UnknownOperationException.

export const sagemakerOperations = [
  'AddTags',
  'CreateEndpoint',
  'CreateEndpointConfig',
  'CreateHyperParameterTuningJob',
  'CreateModel',
  'CreateProcessingJob',
  'CreateTrainingJob',
  'CreateTrainingPlan',
  'CreateTransformJob',
  'DeleteEndpoint',
  'DeleteEndpointConfig',
  'DeleteHyperParameterTuningJob',
  'DeleteModel',
  'DeleteTags',
  'DeleteTrainingJob',
  'DescribeEndpoint',
  'DescribeEndpointConfig',
  'DescribeHyperParameterTuningJob',
  'DescribeModel',
  'DescribeProcessingJob',
  'DescribeReservedCapacity',
  'DescribeTrainingJob',
  'DescribeTrainingPlan',
  'DescribeTrainingPlanExtensionHistory',
  'DescribeTransformJob',
  'ExtendTrainingPlan',
  'ListEndpointConfigs',
  'ListEndpoints',
  'ListHyperParameterTuningJobs',
  'ListModels',
  'ListProcessingJobs',
  'ListTags',
  'ListTrainingJobs',
  'ListTrainingJobsForHyperParameterTuningJob',
  'ListTrainingPlans',
  'ListTransformJobs',
  'Search',
  'SearchTrainingPlanOfferings',
  'StopHyperParameterTuningJob',
  'StopProcessingJob',
  'StopTrainingJob',
  'StopTransformJob',
  'UpdateEndpoint',
  'UpdateEndpointWeightsAndCapacities',
  'UpdateTrainingJob',
] as const;

export const logsOperations = [
  'CreateLogGroup',
  'CreateLogStream',
  'DeleteLogGroup',
  'DeleteLogStream',
  'DeleteRetentionPolicy',
  'DescribeLogGroups',
  'DescribeLogStreams',
  'FilterLogEvents',
  'GetLogEvents',
  'PutLogEvents',
  'PutRetentionPolicy',
] as const;

export const sagemakerMetricsOperations = ['BatchGetMetrics', 'BatchPutMetrics'] as const;

export const operationsByService = {
  sagemaker: sagemakerOperations,
  logs: logsOperations,
  'sagemaker-metrics': sagemakerMetricsOperations,
} as const;
export type SagemakerOperation = (typeof sagemakerOperations)[number];
export type LogsOperation = (typeof logsOperations)[number];
