// Members, types and limits of sagemaker-metrics.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { ServiceModel } from './service-model.ts';

export const sagemakerMetrics = {
  version: '2022-09-30',
  operations: {
    BatchGetMetrics: 'BatchGetMetricsRequest',
    BatchPutMetrics: 'BatchPutMetricsRequest',
  },
  shapes: {
    BatchGetMetricsRequest: {
      type: 'structure',
      members: {
        MetricQueries: 'MetricQueryList',
      },
      required: ['MetricQueries'],
    },
    BatchPutMetricsRequest: {
      type: 'structure',
      members: {
        TrialComponentName: 'ExperimentEntityName',
        MetricData: 'RawMetricDataList',
      },
      required: ['TrialComponentName', 'MetricData'],
    },
    Double: {
      type: 'double',
    },
    ExperimentEntityName: {
      type: 'string',
      min: 1,
      max: 120,
      pattern: '^[a-z0-9](-*[a-z0-9]){0,119}',
    },
    Long: {
      type: 'long',
    },
    MetricName: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '.+',
    },
    MetricQuery: {
      type: 'structure',
      members: {
        MetricName: 'MetricName',
        ResourceArn: 'SageMakerResourceArn',
        MetricStat: 'MetricStatistic',
        Period: 'Period',
        XAxisType: 'XAxisType',
        Start: 'Long',
        End: 'Long',
      },
      required: ['MetricName', 'ResourceArn', 'MetricStat', 'Period', 'XAxisType'],
    },
    MetricQueryList: {
      type: 'list',
      of: 'MetricQuery',
      min: 1,
      max: 100,
    },
    MetricStatistic: {
      type: 'string',
      enum: ['Min', 'Max', 'Avg', 'Count', 'StdDev', 'Last'],
    },
    Period: {
      type: 'string',
      enum: ['OneMinute', 'FiveMinute', 'OneHour', 'IterationNumber'],
    },
    RawMetricData: {
      type: 'structure',
      members: {
        MetricName: 'MetricName',
        Timestamp: 'Timestamp',
        Step: 'Step',
        Value: 'Double',
      },
      required: ['MetricName', 'Timestamp', 'Value'],
    },
    RawMetricDataList: {
      type: 'list',
      of: 'RawMetricData',
      min: 1,
      max: 10,
    },
    SageMakerResourceArn: {
      type: 'string',
      max: 2048,
      pattern: 'arn:aws[a-z\\-]*:sagemaker:[a-z0-9\\-]*:[0-9]{12}:[a-z\\-].*/.*',
    },
    Step: {
      type: 'integer',
      min: 0,
    },
    Timestamp: {
      type: 'timestamp',
    },
    XAxisType: {
      type: 'string',
      enum: ['IterationNumber', 'Timestamp'],
    },
  },
} as const satisfies ServiceModel;
