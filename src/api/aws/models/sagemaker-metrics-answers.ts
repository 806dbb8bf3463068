// Members and types of sagemaker-metrics's responses that do not occur in its inputs.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { AnswerModel } from './service-model.ts';

export const sagemakerMetricsAnswers = {
  operations: {
    BatchGetMetrics: 'BatchGetMetricsResponse',
    BatchPutMetrics: 'BatchPutMetricsResponse',
  },
  shapes: {
    BatchGetMetricsResponse: {
      type: 'structure',
      members: {
        MetricQueryResults: 'MetricQueryResultList',
      },
      required: [],
    },
    BatchPutMetricsError: {
      type: 'structure',
      members: {
        Code: 'PutMetricsErrorCode',
        MetricIndex: 'Integer',
      },
      required: [],
    },
    BatchPutMetricsErrorList: {
      type: 'list',
      of: 'BatchPutMetricsError',
    },
    BatchPutMetricsResponse: {
      type: 'structure',
      members: {
        Errors: 'BatchPutMetricsErrorList',
      },
      required: [],
    },
    Integer: {
      type: 'integer',
    },
    Message: {
      type: 'string',
    },
    MetricQueryResult: {
      type: 'structure',
      members: {
        Status: 'MetricQueryResultStatus',
        Message: 'Message',
        XAxisValues: 'XAxisValues',
        MetricValues: 'MetricValues',
      },
      required: ['Status', 'XAxisValues', 'MetricValues'],
    },
    MetricQueryResultList: {
      type: 'list',
      of: 'MetricQueryResult',
    },
    MetricQueryResultStatus: {
      type: 'string',
      enum: ['Complete', 'Truncated', 'InternalError', 'ValidationError'],
    },
    MetricValues: {
      type: 'list',
      of: 'Double',
    },
    PutMetricsErrorCode: {
      type: 'string',
      enum: ['METRIC_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'VALIDATION_ERROR', 'CONFLICT_ERROR'],
    },
    XAxisValues: {
      type: 'list',
      of: 'Long',
    },
  },
} as const satisfies AnswerModel;
