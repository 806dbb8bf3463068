// The data of the page of one training job, without the values of its environment variables.

import type { InstancePool } from '../../jobs/instance-pool.ts';
import type { LogStore } from '../../jobs/logs/log-store.ts';
import { downsample } from '../../jobs/metrics/downsample.ts';
import type { MetricStore, SeriesInfo } from '../../jobs/metrics/metric-store.ts';
import { LOG_GROUP } from '../../jobs/training/attempt-record.ts';
import { sdkHyperparameter } from '../../jobs/training/container-contract.ts';
import { useSeries } from '../../jobs/training/host-use-watch.ts';
import { type TrainingJob, transitionsOf } from '../../jobs/training/training-job.ts';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { rowOf } from './job-rows.ts';
import type { HostRow, HostUseRow, JobDetail, LogPage, SeriesSummary, StoredObject } from './messages.ts';

export interface JobStores {
  readonly logs: LogStore;
  readonly metrics: MetricStore;
  readonly objects: ObjectStore;
  readonly pool: InstancePool;
  /** The cores and memory that jobs use. */
  readonly usage: MetricStore;
}

const MAX_ARTIFACTS = 1000;

export function jobDetail(job: TrainingJob, stores: JobStores): JobDetail {
  const { spec } = job;
  const uri = ({ bucket, prefix }: { readonly bucket: string; readonly prefix: string }): string =>
    `s3://${bucket}/${prefix}`;
  return {
    row: rowOf(job),
    arn: job.arn,
    failureReason: job.failureReason ?? null,
    transitions: transitionsOf(job).map(({ endMs, ...rest }) => ({ ...rest, endMs: endMs ?? null })),
    attempt: job.attempt,
    hyperparameters: spec.hyperparameters,
    environment: Object.keys(spec.environment),
    tags: job.tags,
    channels: spec.channels.map(channel => ({
      name: channel.name,
      uri: uri(channel),
      distribution: channel.distribution,
    })),
    outputUri: `${uri(spec.output)}${job.name}/output`,
    checkpointUri: spec.checkpoints === undefined ? null : uri(spec.checkpoints),
    command: [...(spec.entrypoint ?? []), ...spec.arguments],
    hasNetwork: spec.hasNetwork,
    shared: job.shared ?? null,
    maxRuntimeSeconds: spec.maxRuntimeSeconds,
    maxWaitSeconds: spec.maxWaitSeconds ?? null,
    hosts: hostsOf(job, stores),
    series: stores.metrics.list(job.name).map(seriesSummary),
    artifacts: artifactsOf(job, stores.objects),
    hasCode: codeUri(job) !== undefined,
  };
}

/** The cores and memory that the hosts of a job use; those without a measurement have empty series. */
export function hostUse(job: TrainingJob, stores: JobStores, columns: number): readonly HostUseRow[] {
  const { usage } = stores;
  return hostsOf(job, stores).map(({ name, cores }) => {
    const series = useSeries(name);
    const [cpu, memory] = [usage.points(job.name, series.cores), usage.points(job.name, series.memory)];
    const kept = downsample(cpu.timesMs, cpu.values, columns);
    const pick = (column: Float64Array): readonly number[] => Array.from(kept, index => column[index] ?? 0);
    return { name, cores, timesMs: pick(cpu.timesMs), usedCores: pick(cpu.values), memoryBytes: pick(memory.values) };
  });
}

export const seriesSummary = ({ name, count, last }: SeriesInfo): SeriesSummary => ({
  name,
  count,
  lastStep: last.step,
  lastMs: last.timeMs,
  lastValue: last.value,
});

/** The hosts of the latest attempt. */
function hostsOf({ name, spec, attempt }: TrainingJob, { logs, pool }: JobStores): readonly HostRow[] {
  const streams = logs.streams(LOG_GROUP, `${name}/`);
  return Array.from({ length: spec.instanceCount }, (_, i) => {
    const host = `algo-${i + 1}`;
    const own = streams.filter(stream => stream.name.startsWith(`${name}/${host}-`));
    return {
      name: host,
      stream: (attempt === 0 ? undefined : own.toSorted((a, b) => b.createdMs - a.createdMs)[0]?.name) ?? null,
      cores: Math.max(1, Math.floor(pool.coresOf(spec.instanceType))),
    };
  });
}

function artifactsOf({ name, spec }: TrainingJob, objects: ObjectStore): readonly StoredObject[] {
  const places = [
    { bucket: spec.output.bucket, prefix: `${spec.output.prefix}${name}/` },
    ...(spec.checkpoints === undefined ? [] : [spec.checkpoints]),
  ];
  return places.flatMap(({ bucket, prefix }) => {
    try {
      const page = objects.list(bucket, { prefix, delimiter: '', maxKeys: MAX_ARTIFACTS, after: '' });
      return page.objects.map(({ key, size, modifiedMs }) => ({ bucket, key, bytes: size, modifiedMs }));
    } catch (error) {
      // The bucket may have been deleted since.
      if (error instanceof ObjectError) return [];
      throw error;
    }
  });
}

/** The archive with the code of a job. */
export function codeUri({ spec }: TrainingJob): { readonly bucket: string; readonly key: string } | undefined {
  const uri = sdkHyperparameter(spec.hyperparameters, 'sagemaker_submit_directory');
  const match = /^s3:\/\/([^/]+)\/(.+)$/.exec(uri ?? '');
  return match === null ? undefined : { bucket: match[1]!, key: match[2]! };
}

export interface LogQuery {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly contains: string | undefined;
  readonly limit: number;
}

export function logPage(job: string, logs: LogStore, { before, after, contains, limit }: LogQuery): LogPage {
  const streams = logs.streams(LOG_GROUP, `${job}/`).map(({ name }) => name);
  if (streams.length === 0) return { lines: [], hasMore: false };
  const events = logs.events(LOG_GROUP, {
    streams,
    ...(after === undefined ? { before: before ?? Number.MAX_SAFE_INTEGER } : { after }),
    fromMs: undefined,
    toMs: undefined,
    contains: contains === undefined ? [] : [contains],
    limit: limit + 1,
  });
  const hasMore = events.length > limit;
  const kept = !hasMore ? events : after === undefined ? events.slice(1) : events.slice(0, limit);
  return {
    lines: kept.map(({ id, stream, timeMs, message }) => ({
      id,
      host: stream.slice(job.length + 1).replace(/-\d+$/, ''),
      timeMs,
      text: message,
    })),
    hasMore,
  };
}
