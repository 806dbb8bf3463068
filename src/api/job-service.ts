// The job service: store, scheduler and AWS services of one folder, on one port. `trenio server` runs it.
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guarded } from '../base/guarded.ts';
import { neighbor } from '../base/neighbor.ts';
import { orIfFull } from '../base/or-if-full.ts';
import { CalendarClock } from '../jobs/capacity/calendar-clock.ts';
import { CapacityStore } from '../jobs/capacity/capacity-store.ts';
import type { Clocks } from '../jobs/clocks.ts';
import { ExperimentStore } from '../jobs/experiments/experiment-store.ts';
import { type FindImage, readImages } from '../jobs/images.ts';
import { InstancePool } from '../jobs/instance-pool.ts';
import { processingKind, transformKind } from '../jobs/kinds.ts';
import { LogStore } from '../jobs/logs/log-store.ts';
import { startLoops } from '../jobs/loops.ts';
import { MetricStore, USAGE_FOLDER } from '../jobs/metrics/metric-store.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { adoptEarlierLayout } from '../jobs/store/earlier-layout.ts';
import { JobStore } from '../jobs/store/job-store.ts';
import type { EngineOfServer } from '../jobs/training/host-engine.ts';
import { TrainingKind } from '../jobs/training/training-kind.ts';
import { Tuner } from '../jobs/tuning/tuner.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { Serving } from '../serving/fleet/serving.ts';
import { AuditLog, DEFAULT_AUDIT_DAYS } from './access/audit-log.ts';
import type { KeyFile } from './access/key-file.ts';
import { KeyUse } from './access/key-use.ts';
import { AllowedHosts } from './allowed-hosts.ts';
import { autoscalingService } from './aws/autoscaling/autoscaling-service.ts';
import { AwsFront } from './aws/aws-front.ts';
import { Ec2Service } from './aws/ec2/ec2-service.ts';
import { logsService } from './aws/logs/logs-service.ts';
import { metricsService } from './aws/metrics/metrics-service.ts';
import { ReplayGuard } from './aws/replay-guard.ts';
import { RuntimeService } from './aws/runtime/runtime-service.ts';
import { S3Service } from './aws/s3/s3-service.ts';
import { SagemakerPaths } from './aws/sagemaker/sagemaker-paths.ts';
import { sagemakerService } from './aws/sagemaker/sagemaker-service.ts';
import { trialLauncher } from './aws/sagemaker/tuning-jobs.ts';
import type { AccessKey, FindAccessKey } from './aws/signature/access-keys.ts';
import { StsService } from './aws/sts-service.ts';
import { trenioService } from './aws/trenio/trenio-service.ts';
import type { RunCommand } from './console/console-api.ts';
import { consoleFolder } from './console/console-build.ts';
import { CONSOLE_PATH, consolePlugin } from './console/console-routes.ts';
import { ConsoleSessions } from './console/console-sessions.ts';
import { JobServer } from './job-server.ts';
import { StartReserve } from './start-reserve.ts';

/** An upload that has written nothing for this long is considered abandoned. */
const BROKEN_UPLOAD_MS = 600_000;
/** The interval at which expired log lines are removed. */
const RETENTION_CHECK_MS = 60_000;
/** The interval at which the reserve is taken, if it was given up; the start has written what it has to by then. */
const RESERVE_MS = 1000;
/** The default quota of logs, as a share of the disk. */
const LOG_SHARE = 1 / 10;
const MAX_LOG_BYTES = 10 * 1024 ** 3;

export interface JobServiceOptions {
  /** The folder with all data. */
  readonly data: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly account: string;
  readonly region: string;
  /** Access keys; changes to the file count at once. */
  readonly keys: KeyFile;
  /** Keys of this start only. */
  readonly fixedKeys?: readonly AccessKey[];
  /** How long the audit log is kept. Default: 90 days. */
  readonly auditDays?: number;
  /** The bytes of all log lines, of which the oldest are removed beyond it. Default: a tenth of the disk, at most 10 GiB. */
  readonly logBytes?: number | undefined;
  /** The bytes of all objects. Default: no limit but the disk. */
  readonly objectBytes?: number | undefined;
  /** How long a body may take to arrive, except for objects. Default: a minute. */
  readonly bodyTimeoutMs?: number;
  /** JSON files; undefined: only the built-in image, and any instance type. */
  readonly images: string | undefined;
  readonly pool: string | undefined;
  /** Where training jobs run; undefined: on this machine. */
  readonly engine?: EngineOfServer | undefined;
  /** The folder of clusters that the console shows; undefined: none. */
  readonly clusters?: string | undefined;
  /** Logs an internal error. */
  readonly log: (line: string) => void;
  /** Between SIGTERM and SIGKILL of a job's programs. Default: two minutes. */
  readonly graceMs?: number;
  /** Commands whose results the console shows; without it, their pages are not available. */
  readonly command?: RunCommand;
  readonly now?: () => number;
  /** A clock that does not jump when the wall clock is set. */
  readonly steadyNow?: () => number;
}

export interface JobService {
  readonly url: string;
  /** An address of the console that can sign in once, with the rights of this key. */
  consoleUrl(keyId: string): string;
  readonly objects: ObjectStore;
  readonly jobs: JobStore;
  readonly logs: LogStore;
  readonly metrics: MetricStore;
  readonly capacity: CapacityStore;
  /** Endpoints and their traffic. */
  readonly serving: Serving;
  /** Stops serving and scheduling. Running jobs and endpoint replicas continue, for the next server. */
  close(): Promise<void>;
}

function defaultLogBytes(data: string): number {
  const { blocks, bsize } = statfsSync(data);
  return Math.min(MAX_LOG_BYTES, Math.floor(blocks * bsize * LOG_SHARE));
}

/** The program that serves models in the image `trenio`. */
const serveProgram = fileURLToPath(neighbor(import.meta.url, './model-server-main.ts'));

/**
 * @throws {INVALID_OPTION} for files of images or instances that are not valid
 * @throws {PORT_IN_USE}
 * @throws {CANNOT_LISTEN}
 */
export async function startJobService(options: JobServiceOptions): Promise<JobService> {
  const { data, host, port, account, region, log, now = Date.now, steadyNow = () => performance.now() } = options;
  const findImage: FindImage = readImages(options.images);
  const { engine } = options;
  const pool = engine === undefined ? InstancePool.fromFile(options.pool) : InstancePool.ofEngine(engine);
  const reserve = new StartReserve(data);
  reserve.release();
  const objects = new ObjectStore(join(data, 'objects'), now);
  adoptEarlierLayout(data);
  const jobs = new JobStore(data);
  const logs = new LogStore(data);
  objects.setQuota(options.objectBytes);
  orIfFull(() => logs.setQuota(options.logBytes ?? defaultLogBytes(data)));
  const metrics = new MetricStore(data);
  const usage = new MetricStore(join(data, USAGE_FOLDER));
  const capacity = new CapacityStore({
    folder: data,
    limitOf: instanceType => pool.reservableOf(`ml.${instanceType}`),
    service: 'sagemaker',
    zone: `${region}a`,
    now,
  });
  const clocks: Clocks = { wall: now, steady: steadyNow };
  const calendar = new CalendarClock(log, clocks);
  const { graceMs, images } = options;
  const ledger = { jobs, pool, capacity, now: () => calendar.now() };
  const scheduling = { ...ledger, data, images, clocks, log };
  const schedulers = [
    new Scheduler(new TrainingKind({ ...ledger, graceMs, engine, clocks }), scheduling),
    new Scheduler(transformKind(jobs, now, serveProgram), scheduling),
    new Scheduler(processingKind(jobs, now, graceMs), scheduling),
  ];
  const serving = new Serving({ data, objects, pool, images, serveProgram, clocks, log });
  const experiments = new ExperimentStore(data);
  const shared = { account, region, jobs, objects, metrics, usage, now };
  const trainingOptions = { ...shared, findImage, pool, capacity, experiments };
  const tuner = new Tuner({ jobs, metrics, launcher: trialLauncher(trainingOptions), clocks, log });
  const { keys, fixedKeys = [], auditDays = DEFAULT_AUDIT_DAYS, bodyTimeoutMs = 60_000 } = options;
  const findKey: FindAccessKey = id => fixedKeys.find(key => key.id === id) ?? keys.find(id);
  const keyUse = new KeyUse({ data, now, log });
  const audit = new AuditLog({ data, days: auditDays, now, log });
  const sagemaker = new SagemakerPaths(
    sagemakerService({ ...trainingOptions, serving }),
    new RuntimeService({ serving, account, region }),
    metricsService({ account, jobs, metrics }),
  );
  const trenio = trenioService({ account, jobs, now });
  const closing = new AbortController();
  const aws = new AwsFront({
    services: {
      s3: new S3Service(objects, account, now),
      sts: new StsService(account),
      sagemaker,
      logs: logsService({ store: logs, account, region, closing: closing.signal, now }),
      trenio,
      'application-autoscaling': autoscalingService({
        store: serving.store,
        onChange: () => serving.scaleNow(),
        ...{ account, region, now },
      }),
      ec2: new Ec2Service({ account, region, capacity, now }),
    },
    findKey,
    keyUse,
    replays: new ReplayGuard(),
    audit,
    region,
    bodyTimeoutMs,
    now,
    log,
  });
  const sessions = new ConsoleSessions(data, findKey, now);
  const hosts = new AllowedHosts({});
  const plugin = consolePlugin({
    ...{ account, region, jobs, logs, metrics, usage, objects, pool, serving, capacity, sagemaker, trenio },
    ...{ sessions, hosts, audit, keys, fixedKeys, keyUse, data, bodyTimeoutMs, now, log },
    command: options.command,
    clusters: options.clusters,
    folder: consoleFolder,
  });
  const server = new JobServer({ host, port, aws, console: { plugin, hosts } });
  const closeStores = async (): Promise<void> => {
    await serving.close();
    experiments.close();
    objects.close();
    jobs.close();
    logs.close();
    metrics.close();
    usage.close();
    capacity.close();
    sessions.close();
    audit.close();
    await keyUse.close();
  };
  let url: string;
  try {
    url = await server.listen();
  } catch (error) {
    await closeStores();
    throw error;
  }
  for (const scheduler of schedulers) scheduler.sweep();
  const stopLoops = startLoops([...schedulers, tuner], log);
  serving.start();
  const tidy = guarded(
    'retention',
    () => {
      logs.expire(now());
      logs.trim();
    },
    log,
  );
  const retention = setInterval(tidy, RETENTION_CHECK_MS).unref();
  setImmediate(tidy);
  const reserving = setInterval(
    guarded('the reserve', () => reserve.take(), log),
    RESERVE_MS,
  ).unref();
  // Uploads that were interrupted when the server was killed.
  const swept = objects.sweep(BROKEN_UPLOAD_MS).catch((error: Error) => log(`sweep of objects: ${error.message}`));
  return {
    url,
    consoleUrl: keyId => `${url}${CONSOLE_PATH}/#token=${sessions.createToken(keyId)}`,
    objects,
    jobs,
    logs,
    metrics,
    capacity,
    serving,
    close: async () => {
      clearInterval(retention);
      clearInterval(reserving);
      closing.abort();
      stopLoops();
      await server.close();
      await swept;
      await closeStores();
    },
  };
}
