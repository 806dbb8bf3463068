// The API of the console's pages. Queries and bodies are validated here and carried out elsewhere.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import type { CapacityStore } from '../../jobs/capacity/capacity-store.ts';
import { downsample } from '../../jobs/metrics/downsample.ts';
import type { JobStore } from '../../jobs/store/job-store.ts';
import type { TrainingJob } from '../../jobs/training/training-job.ts';
import { ObjectError } from '../../objects/object-error.ts';
import type { Serving } from '../../serving/fleet/serving.ts';
import { modelNames } from '../../simulator/index.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';
import { type AccessOptions, registerAccess } from './access-routes.ts';
import { blockRows, poolRows } from './capacity-views.ts';
import { checked } from './checked.ts';
import { clusterDetail, clusterJobLog, clusterRows } from './cluster-views.ts';
import { endpointDetail, endpointRows, tryEndpoint } from './endpoint-views.ts';
import { EventStreams, formatCursor, parseCursor } from './event-stream.ts';
import { hideEnvironments } from './hidden-values.ts';
import { codeFiles } from './job-code.ts';
import { codeUri, hostUse, type JobStores, jobDetail, logPage } from './job-detail.ts';
import { JobRows, rowOf } from './job-rows.ts';
import type { BucketRow, JobList, ObjectList, PoolRow, RunAgain, SeriesPage, SessionInfo } from './messages.ts';
import { otherCosts } from './other-costs.ts';
import type { ConsoleRequest, ConsoleRouter } from './route-table.ts';
import { callService, type ServiceCaller } from './service-call.ts';
import { tuningDetail, tuningRows } from './tuning-views.ts';

/** Reads a StableHLO program from the object store. */
export type ReadProgram = (bucket: string, key: string) => Promise<Uint8Array>;
/**
 * Runs a `trenio` command that only computes, and prints JSON: `plan`, `hardware ls`, `hardware show`.
 * @throws {CONSOLE_COMMAND_REFUSED} for every other command, option and file
 */
export type RunCommand = (
  words: readonly string[],
  readProgram: ReadProgram,
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;

export interface ConsoleApi extends JobStores, ServiceCaller, AccessOptions {
  readonly jobs: JobStore;
  readonly serving: Serving;
  readonly capacity: CapacityStore;
  readonly account: string;
  readonly command: RunCommand | undefined;
  /** The folder of all clusters; undefined: none are shown. */
  readonly clusters: string | undefined;
}

const MAX_LINES = 5000;
const MAX_COLUMNS = 4000;
const DAYS = 30;
const MAX_MINUTES = 24 * 60;
const MAX_KEYS = 200;
const MAX_PROGRAM_BYTES = 64 * 1024 * 1024;
const MAX_TRIED = 1_000_000;

export function registerApi(app: FastifyInstance, options: ConsoleApi, router: ConsoleRouter): void {
  const { jobs, metrics, logs, objects, serving, now } = options;
  const rows = new JobRows(jobs);
  const streams = new EventStreams({ rows, logs, metrics });
  app.addHook('preClose', async () => streams.close());
  const readProgram: ReadProgram = async (bucket, key) => {
    const { object, bytes } = await objects.read(bucket, key);
    if (object.size > MAX_PROGRAM_BYTES)
      throw new ObjectError('EntityTooLarge', `A program may have at most ${MAX_PROGRAM_BYTES} bytes.`);
    return Buffer.concat(await Array.fromAsync(bytes));
  };
  const jobOf = (name: string): TrainingJob => {
    const job = jobs.training.get(name);
    if (job === undefined) throw new TrenioError('JOB_NOT_FOUND', { name });
    return job;
  };

  router.on(
    'GET session',
    (_request, { role, id }): SessionInfo => ({
      role,
      keyId: id,
      account: options.account,
      region: options.region,
      version,
      nowMs: now(),
      hasCommands: options.command !== undefined,
    }),
  );
  router.on('GET overview', ({ query }) => {
    rows.refresh();
    const { day, month } = checked(z.object({ day: number, month: number }), query);
    return rows.overview(now(), day, month, DAYS, (fromMs, toMs) =>
      otherCosts(options.capacity, serving, fromMs, toMs),
    );
  });
  router.on('GET jobs', (): JobList => {
    rows.refresh();
    return { rows: rows.all(), cursor: formatCursor({ jobsMs: rows.cursorMs, logId: 0 }) };
  });
  router.on('GET jobs/:name', ({ params }) => jobDetail(jobOf(params.name!), options));
  router.on('GET jobs/:name/log', ({ params, query }) => {
    const { before, after, contains, limit } = checked(logQuery, query);
    return logPage(jobOf(params.name!).name, logs, { before, after, contains, limit });
  });
  router.on('GET jobs/:name/series', ({ params, query }): SeriesPage => {
    const { metric, columns, by } = checked(seriesQuery, query);
    const all = metrics.points(jobOf(params.name!).name, metric);
    const kept = downsample(by === 'time' ? all.timesMs : all.steps, all.values, columns);
    const pick = (column: Float64Array): readonly number[] => Array.from(kept, index => column[index]!);
    return {
      name: metric,
      count: all.values.length,
      steps: pick(all.steps),
      timesMs: pick(all.timesMs),
      values: pick(all.values),
    };
  });
  router.on('GET jobs/:name/use', ({ params, query }) => {
    const { columns } = checked(
      z.object({ columns: z.coerce.number().int().min(1).max(MAX_COLUMNS).default(300) }),
      query,
    );
    return hostUse(jobOf(params.name!), options, columns);
  });
  router.on('GET jobs/:name/code', async ({ params }) => {
    const uri = codeUri(jobOf(params.name!));
    if (uri === undefined) return [];
    return codeFiles(objects, uri.bucket, uri.key);
  });
  router.on('GET object', async ({ query }, _key, reply) => {
    const { bucket, key } = checked(z.object({ bucket: z.string(), key: z.string() }), query);
    const { object, bytes } = await objects.read(bucket, key);
    const name = key.slice(key.lastIndexOf('/') + 1).replace(/[^\w.-]/g, '_');
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('content-length', object.size)
      .send(Readable.from(bytes, { objectMode: false }));
  });
  router.on('GET buckets', (): readonly BucketRow[] => objects.buckets());
  router.on('GET objects', ({ query }): ObjectList => {
    const { bucket, prefix, after } = checked(listQuery, query);
    const page = objects.list(bucket, { prefix, after, delimiter: '/', maxKeys: MAX_KEYS });
    return {
      folders: page.commonPrefixes,
      objects: page.objects.map(({ key, size, modifiedMs }) => ({ bucket, key, bytes: size, modifiedMs })),
      next: page.next ?? null,
    };
  });
  router.on('POST object/remove', async ({ body }) => {
    const { bucket, key } = checked(z.strictObject({ bucket: z.string(), key: z.string() }), body);
    await objects.delete(bucket, key);
    return {};
  });
  router.on('GET clusters', () => (options.clusters === undefined ? [] : clusterRows(options.clusters)));
  router.on('GET clusters/:name', ({ params }) => clusterDetail(options.clusters ?? '', params.name!));
  router.on('GET clusters/:name/jobs/:id', ({ params }) =>
    clusterJobLog(options.clusters ?? '', params.name!, checked(z.coerce.number().int().min(1), params.id)),
  );
  router.on('GET endpoints', () => endpointRows(serving, now()));
  router.on('GET endpoints/:name', ({ params, query }) => {
    const { minutes } = checked(
      z.object({ minutes: z.coerce.number().int().min(1).max(MAX_MINUTES).default(60) }),
      query,
    );
    const detail = endpointDetail(serving, params.name!, minutes, now());
    if (detail === undefined) throw new TrenioError('PATH_NOT_FOUND', { path: `endpoints/${params.name}` });
    return detail;
  });
  router.on('GET tunings', () => tuningRows(jobs.tuning));
  router.on('GET tunings/:name', ({ params }) => {
    const detail = tuningDetail(jobs.tuning, params.name!);
    if (detail === undefined) throw new TrenioError('PATH_NOT_FOUND', { path: `tunings/${params.name}` });
    return detail;
  });
  router.on('GET blocks', () => blockRows(options.capacity.list(), now()));
  router.on('GET models', () => modelNames);
  router.on('GET pool', (): readonly PoolRow[] => poolRows(options));
  router.on('GET events', ({ query, headers }, _key, reply) => {
    const header = headers['last-event-id'];
    const cursor = parseCursor(typeof header === 'string' ? header : query.since) ?? { jobsMs: 0, logId: 0 };
    reply.hijack();
    reply.raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    } as Record<string, string>);
    streams.open(reply.raw, cursor, query.job);
  });
  router.on('GET command', async ({ query }) => {
    const { command } = options;
    if (command === undefined) throw new TrenioError('PATH_NOT_FOUND', { path: '/api/command' });
    const { words } = checked(z.object({ words: z.string().max(4000) }), query);
    const { stdout, stderr } = await command(checked(commandWords, parsedWords(words)), readProgram);
    return stdout.trim() === '' ? { problem: stderr.trim() } : (JSON.parse(stdout) as object);
  });

  registerAccess(router, options);

  const ask = (service: 'SageMaker' | 'Trenio') => async (request: ConsoleRequest, key: AccessKey) =>
    hideEnvironments(await callService(options, service, key, request.params.operation!, request.body));
  router.on('POST sagemaker/:operation', ask('SageMaker'));
  router.on('POST trenio/:operation', ask('Trenio'));
  router.on('POST endpoints/:name/try', ({ params, body }, key) =>
    tryEndpoint(options, key, params.name!, checked(tried, body)),
  );
  router.on('POST jobs/:name/run-again', async ({ params, body }, key) => {
    const { spec, request: original } = jobOf(params.name!);
    const changes = checked(runAgain, body) satisfies RunAgain;
    const resources = original.ResourceConfig as object;
    const stopping = original.StoppingCondition as object;
    await callService(options, 'SageMaker', key, 'CreateTrainingJob', {
      ...original,
      TrainingJobName: changes.name,
      HyperParameters: changes.hyperparameters,
      ResourceConfig: { ...resources, InstanceType: changes.instanceType, InstanceCount: changes.instanceCount },
      StoppingCondition: {
        ...stopping,
        MaxRuntimeInSeconds: changes.maxRuntimeSeconds,
        ...(spec.isSpot && spec.maxWaitSeconds !== undefined
          ? { MaxWaitTimeInSeconds: Math.max(spec.maxWaitSeconds, changes.maxRuntimeSeconds) }
          : {}),
      },
    });
    return rowOf(jobOf(changes.name));
  });
}

const number = z.coerce.number();
const listQuery = z.object({ bucket: z.string(), prefix: z.string().default(''), after: z.string().default('') });
const tried = z.strictObject({ contentType: z.string().min(1).max(200), body: z.string().max(MAX_TRIED) });
const logQuery = z.object({
  before: z.coerce.number().int().positive().optional(),
  after: z.coerce.number().int().nonnegative().optional(),
  contains: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LINES).default(1000),
});
const seriesQuery = z.object({
  metric: z.string(),
  columns: z.coerce.number().int().min(1).max(MAX_COLUMNS).default(800),
  by: z.enum(['step', 'time']).default('step'),
});
const runAgain = z.strictObject({
  name: z.string().min(1),
  hyperparameters: z.record(z.string(), z.string()),
  instanceType: z.string().min(1),
  instanceCount: z.number().int().min(1),
  maxRuntimeSeconds: z.number().int().min(1),
});
function parsedWords(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const commandWords = z.array(z.string().max(300)).min(1).max(60);
