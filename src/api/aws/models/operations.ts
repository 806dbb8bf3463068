// The operations that the server answers, by service. What is not here is an UnknownOperationException.

export const sagemakerOperations = [
  'AddTags',
  'CreateEndpoint',
  'CreateEndpointConfig',
  'CreateModel',
  'CreateTrainingJob',
  'CreateTrainingPlan',
  'DeleteEndpoint',
  'DeleteEndpointConfig',
  'DeleteModel',
  'DeleteTags',
  'DeleteTrainingJob',
  'DescribeEndpoint',
  'DescribeEndpointConfig',
  'DescribeModel',
  'DescribeReservedCapacity',
  'DescribeTrainingJob',
  'DescribeTrainingPlan',
  'DescribeTrainingPlanExtensionHistory',
  'ExtendTrainingPlan',
  'ListEndpointConfigs',
  'ListEndpoints',
  'ListModels',
  'ListTags',
  'ListTrainingJobs',
  'ListTrainingPlans',
  'SearchTrainingPlanOfferings',
  'StopTrainingJob',
  'UpdateEndpoint',
  'UpdateEndpointWeightsAndCapacities',
  'UpdateTrainingJob',
] as const;

export const logsOperations = ['DescribeLogGroups', 'DescribeLogStreams', 'FilterLogEvents', 'GetLogEvents'] as const;

export const operationsByService = { sagemaker: sagemakerOperations, logs: logsOperations } as const;
export type SagemakerOperation = (typeof sagemakerOperations)[number];
export type LogsOperation = (typeof logsOperations)[number];
