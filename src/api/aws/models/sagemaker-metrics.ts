// SageMaker's metrics: members, types and limits. Types of its own, for two operations.
import data from './sagemaker-metrics.json' with { type: 'json' };
import { modelOf } from './service-model.ts';

export interface MetricQuery {
  readonly MetricName: string;
  readonly ResourceArn: string;
  readonly MetricStat: 'Min' | 'Max' | 'Avg' | 'Count' | 'StdDev' | 'Last';
  readonly Period: 'OneMinute' | 'FiveMinute' | 'OneHour' | 'IterationNumber';
  readonly XAxisType: 'IterationNumber' | 'Timestamp';
  readonly Start?: number | undefined;
  readonly End?: number | undefined;
}
interface MetricValue {
  readonly MetricName: string;
  readonly Timestamp: number;
  readonly Step?: number | undefined;
  readonly Value: number;
}

export const sagemakerMetrics = modelOf<{
  readonly BatchGetMetrics: { readonly MetricQueries: readonly MetricQuery[] };
  readonly BatchPutMetrics: { readonly TrialComponentName: string; readonly MetricData: readonly MetricValue[] };
}>(data);
