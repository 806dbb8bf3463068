// SageMaker's metrics: values of training jobs over time, written by programs and read as columns. Signed for `sagemaker` like
// the control plane, and recognized by their paths (REST, JSON).
//
//   PUT  /BatchPutMetrics   up to 10 values of a job → the rejected ones
//   POST /BatchGetMetrics   metric, statistic, axis → x and y
//
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Operations_Amazon_SageMaker_Metrics_Service.html
import { aggregate } from '../../../jobs/metrics/aggregate.ts';
import type { MetricPoint, MetricStore, SeriesPoints } from '../../../jobs/metrics/metric-store.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import type { TrainingJob } from '../../../jobs/training/training-job.ts';
import { type MetricQuery, sagemakerMetrics } from '../models/sagemaker-metrics.ts';
import type { InputOf } from '../models/service-model.ts';
import { JsonService } from '../protocols/json-service.ts';
import { notFound } from '../sagemaker/not-found.ts';
import type { RequestHead } from '../signature/request-head.ts';

type Model = typeof sagemakerMetrics;

export interface MetricsOptions {
  readonly account: string;
  readonly jobs: JobStore;
  readonly metrics: MetricStore;
}

const routes: Readonly<Record<string, string>> = {
  'PUT /BatchPutMetrics': 'BatchPutMetrics',
  'POST /BatchGetMetrics': 'BatchGetMetrics',
};

/** Whether a path belongs to this service. */
export const isMetricsPath = (path: string): boolean => path === '/BatchPutMetrics' || path === '/BatchGetMetrics';

/** The trial component that SageMaker creates for each training job. */
const TRIAL_COMPONENT = /^(.+)-aws-training-job$/;
const MAX_SERIES = 300;
/** The maximum number of values in a reply. */
const MAX_VALUES = 10_000;

export const metricsService = (options: MetricsOptions): JsonService<Model> =>
  new JsonService({
    name: 'sagemaker',
    account: options.account,
    model: sagemakerMetrics,
    operationOf: ({ method, path }: RequestHead) => routes[`${method} ${path}`],
    operations: {
      BatchPutMetrics: input => put(options, input),
      BatchGetMetrics: ({ MetricQueries: queries }) => ({
        MetricQueryResults: queries.map(query => answer(options, query)),
      }),
    },
  });

function put({ jobs, metrics }: MetricsOptions, input: InputOf<Model, 'BatchPutMetrics'>): object {
  const [, name] = TRIAL_COMPONENT.exec(input.TrialComponentName) ?? [];
  const job = name === undefined ? undefined : jobs.training.find(name);
  if (job === undefined) throw notFound();
  const known = new Set(metrics.list(job.name).map(series => series.name));
  const errors: { readonly Code: string; readonly MetricIndex: number }[] = [];
  const accepted = new Map<string, MetricPoint[]>();
  for (const [
    index,
    { MetricName: metric, Timestamp: seconds, Step: step, Value: value },
  ] of input.MetricData.entries()) {
    if (!known.has(metric) && known.size >= MAX_SERIES) {
      errors.push({ Code: 'METRIC_LIMIT_EXCEEDED', MetricIndex: index });
      continue;
    }
    known.add(metric);
    const points = accepted.get(metric) ?? [];
    points.push({ step, timeMs: Math.round(seconds * 1000), value });
    accepted.set(metric, points);
  }
  metrics.appendAll(job.name, accepted);
  return errors.length === 0 ? {} : { Errors: errors };
}

interface Result {
  readonly Status: 'Complete' | 'Truncated' | 'ValidationError';
  readonly Message?: string;
  readonly XAxisValues: readonly number[];
  readonly MetricValues: readonly number[];
}

const refused = (message: string): Result => ({
  Status: 'ValidationError',
  Message: message,
  XAxisValues: [],
  MetricValues: [],
});

const periodSeconds = { OneMinute: 60, FiveMinute: 300, OneHour: 3600 } as const;

/** An invalid query does not make the others fail. */
function answer({ jobs, metrics }: MetricsOptions, query: MetricQuery): Result {
  const { MetricName: name, ResourceArn: arn, MetricStat: statistic, Period: period, XAxisType: axis } = query;
  if ((axis === 'IterationNumber') !== (period === 'IterationNumber'))
    return refused(`The Period ${period} does not fit the XAxisType ${axis}.`);
  const job = jobOf(jobs, arn);
  if (job === undefined) return refused(`The training job of ${arn} was not found.`);
  const points = metrics.points(job.name, name);
  const { x, y } = aggregate(xOf(points, period), points.values, statistic, {
    from: query.Start,
    to: query.End,
  });
  return {
    Status: x.length > MAX_VALUES ? 'Truncated' : 'Complete',
    XAxisValues: x.slice(0, MAX_VALUES),
    MetricValues: y.slice(0, MAX_VALUES),
  };
}

/** Steps, or the start of each point's period in seconds. */
function xOf({ steps, timesMs }: SeriesPoints, period: MetricQuery['Period']): Float64Array {
  if (period === 'IterationNumber') return steps;
  const seconds = periodSeconds[period];
  return timesMs.map(ms => Math.floor(ms / 1000 / seconds) * seconds);
}

function jobOf(jobs: JobStore, arn: string): TrainingJob | undefined {
  const [, name] = /^arn:aws[a-z-]*:sagemaker:[^:]*:[^:]*:training-job\/(.+)$/.exec(arn) ?? [];
  return name === undefined ? undefined : jobs.training.find(name);
}
