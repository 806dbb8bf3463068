// The operations that the server answers, by service. What is not here is an UnknownOperationException.

export const sagemakerOperations = [
  'AddTags',
  'CreateTrainingJob',
  'CreateTrainingPlan',
  'DeleteTags',
  'DeleteTrainingJob',
  'DescribeReservedCapacity',
  'DescribeTrainingJob',
  'DescribeTrainingPlan',
  'DescribeTrainingPlanExtensionHistory',
  'ExtendTrainingPlan',
  'ListTags',
  'ListTrainingJobs',
  'ListTrainingPlans',
  'SearchTrainingPlanOfferings',
  'StopTrainingJob',
  'UpdateTrainingJob',
] as const;

export const logsOperations = ['DescribeLogGroups', 'DescribeLogStreams', 'FilterLogEvents', 'GetLogEvents'] as const;

export const operationsByService = { sagemaker: sagemakerOperations, logs: logsOperations } as const;
export type SagemakerOperation = (typeof sagemakerOperations)[number];
export type LogsOperation = (typeof logsOperations)[number];
