// Runs one attempt of a training job, from taking its instances to its end, and writes each step into the job store. It is a
// process of its own (runner-main.ts): a job does not notice that the server ends or is started again.
//
//   download channels, code, checkpoints ─► start a program for each host ─► wait: end, stop, time limit ─► upload ─► final state
import { utimesSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '../../base/process-identity.ts';
import { findInstance, valueUnder } from '../../hardware/index.ts';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { type Container, findEngine } from '../hosts/container-engine.ts';
import { describeLimits, type HostLimits, limitsOf } from '../hosts/control-group.ts';
import { describeNetwork, type HostNetwork, networkKind, openNetwork } from '../hosts/host-network.ts';
import type { DockerImage, FindImage } from '../images.ts';
import type { LogStore } from '../logs/log-store.ts';
import type { MetricStore } from '../metrics/metric-store.ts';
import { SecretMask } from '../secrets.ts';
import { contractVariables, type HostPlace, sdkHyperparameter, writeContract } from './container-contract.ts';
import { DiskBudget } from './disk-budget.ts';
import { diskUse } from './disk-use.ts';
import { FailureLine } from './failure-line.ts';
import { HostProgram, linkPackage, watchPrograms } from './host-program.ts';
import { HostUseWatch } from './host-use-watch.ts';
import { afterInternalError } from './internal-error.ts';
import {
  downloadChannel,
  downloadFolder,
  FolderUpload,
  hasFiles,
  JobDataError,
  unpackArchive,
  uploadArchive,
  uploadFiles,
} from './job-data.ts';
import { readReports, reportVariables, type StepRecord } from './job-measurement.ts';
import { type JobStore, LockLostError } from './job-store.ts';
import { MetricWatch } from './metric-watch.ts';
import { describeIsolation, detectIsolation, type HostView } from './sandbox.ts';
import { isFinal, type SecondaryStatus } from './state-machine.ts';
import { isDistributed, packageRoot, trainingCommand } from './training-command.ts';
import { moved, type TrainingJob } from './training-job.ts';
import { writtenText } from './written-text.ts';

export interface RunnerOptions {
  readonly jobs: JobStore;
  readonly logs: LogStore;
  readonly metrics: MetricStore;
  /** The cores and memory that its hosts use, over time. */
  readonly usage: MetricStore;
  readonly objects: ObjectStore;
  readonly findImage: FindImage;
  /** The folder of this attempt; removed at its end. */
  readonly folder: string;
  /** The file with what the runner itself prints; its time of change says that the runner lives. */
  readonly output: string;
  readonly name: string;
  readonly token: string;
  readonly coresPerHost: number;
  /** Undefined: that of the instance type, as far as this machine has it. */
  readonly memoryGbPerHost: number | undefined;
  /** Variables that a program inherits, such as PATH. */
  readonly environment: NodeJS.ProcessEnv;
  readonly now: () => number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number | undefined;
}

export const LOG_GROUP = '/aws/sagemaker/TrainingJobs';
const POLL_MS = 250;
const HEARTBEAT_MS = 2000;
const GB = 2 ** 30;
const DISK_CHECK_MS = 2000;
const CHECKPOINT_SYNC_MS = 5000;
// A checkpoint file that is still being written is uploaded later.
const QUIET_MS = 1000;
const MAX_REASON_CHARACTERS = 1024;

/** Why the programs of a job were ended. */
type Ending = 'stopped' | 'runtime' | 'wait' | 'interrupted' | 'host failed' | 'disk full';

interface Host {
  readonly place: HostPlace;
  /** The job's tree on this machine. */
  readonly ml: string;
  readonly view: HostView;
  readonly stream: string;
}

/** An error that the client has to fix: a `ClientError` in the failure reason. */
class ClientFault extends Error {}

export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #metrics: MetricWatch;
  readonly #lines = new Map<string, { timeMs: number; message: string }[]>();
  readonly #failureLine = new FailureLine();
  readonly #secrets: SecretMask;
  #record: StepRecord | undefined;
  readonly #limits: HostLimits;

  constructor(options: RunnerOptions, job: TrainingJob) {
    this.#options = options;
    this.#metrics = new MetricWatch(job.spec.metrics);
    this.#limits = limitsOf(
      options.coresPerHost,
      options.memoryGbPerHost === undefined ? instanceMemoryBytes(job.spec.instanceType) : options.memoryGbPerHost * GB,
    );
    this.#secrets = new SecretMask(job.spec.environment);
  }

  /** Runs the attempt. Returns when its outcome is stored; leaves no process and no file. */
  async run(): Promise<void> {
    const { name, token, jobs, now, folder } = this.#options;
    const flusher = setInterval(() => this.#flush(), POLL_MS);
    try {
      const job = jobs.update(
        name,
        one => one.runner && { ...one, runner: { ...one.runner, process: ownIdentity(), heartbeatMs: now() } },
        token,
      )!;
      await this.#attempt(job);
    } catch (error) {
      if (error instanceof LockLostError) return;
      this.#fail(error);
    } finally {
      clearInterval(flusher);
      this.#flush();
      await rm(folder, { recursive: true, force: true });
    }
    await this.#predict();
  }

  async #attempt(job: TrainingJob): Promise<void> {
    const { spec } = job;
    const isolation = detectIsolation();
    const isContainer = this.#options.findImage(spec.image)?.kind === 'docker';
    const kind = await networkKind(job.spec, isolation !== 'none');
    using network = await openNetwork(kind, hostNames(job));
    const hosts = hostsOf(job, this.#options, isolation !== 'none' || isContainer, network);
    for (const { stream } of hosts) this.#options.logs.createStream(LOG_GROUP, stream, this.#options.now());
    const runtimeMs = this.#options.now() + spec.maxRuntimeSeconds * 1000 - job.billedMs;
    const waitMs = job.createdMs + (spec.maxWaitSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    this.#move('Downloading');
    if (this.#request() === 'stopped') return this.#end('Stopped');
    for (const host of hosts) await this.#prepare(job, host, network);
    const asked = this.#request();
    if (asked === 'stopped') return this.#end('Stopped');
    if (asked === 'interrupted' && this.#interrupt()) return;
    for (const note of [describeIsolation(isolation, !spec.hasNetwork), describeNetwork(network, spec)])
      if (note !== undefined) this.#log(hosts[0]!, note);
    this.#move('Training');
    const uploads = hosts.map(({ ml }) =>
      spec.checkpoints === undefined
        ? undefined
        : new FolderUpload(
            this.#options.objects,
            join(ml, 'checkpoints'),
            spec.checkpoints.bucket,
            spec.checkpoints.prefix,
          ),
    );
    const programs = hosts.map(host => this.#start(job, host));
    const note = describeLimits(programs[0]!.group);
    if (note !== undefined) this.#log(hosts[0]!, note);
    const outcome = await this.#watch(programs, { runtime: runtimeMs, wait: waitMs }, uploads);
    for (const upload of uploads) await upload?.sync(0, this.#options.now());
    await this.#measure(hosts[0]!);
    await this.#finish(job, hosts, outcome);
  }

  /** Keeps what the script reported of its training steps. */
  async #measure({ ml }: Host): Promise<void> {
    const { jobs, name, token, findImage } = this.#options;
    const image = jobs.get(name)?.spec.image;
    if (image === undefined || findImage(image)?.kind !== 'trenio') return;
    this.#record = await readReports(ml);
    if (this.#record === undefined) return;
    const { steps, stepSeconds } = this.#record;
    jobs.update(name, one => ({ ...one, measured: { steps: steps + (one.measured?.steps ?? 0), stepSeconds } }), token);
  }

  /** When the job has ended, and is not billed any more: what its training would take on the instances that it names. */
  async #predict(): Promise<void> {
    const { jobs, name, coresPerHost } = this.#options;
    const job = jobs.get(name);
    if (job?.measured === undefined || this.#record === undefined || !isFinal(job.secondary)) return;
    const { predictJob } = await import('./job-prediction.ts');
    const ranks = isDistributed(job.spec) ? job.spec.instanceCount * hostCores(coresPerHost) : 1;
    const predicted = predictJob(job, { ...this.#record, steps: job.measured.steps }, ranks);
    jobs.update(name, one => ({ ...one, predicted }));
  }

  async #prepare(job: TrainingJob, { ml, place, view }: Host, { hostsFile }: HostNetwork): Promise<void> {
    const { objects } = this.#options;
    const { spec } = job;
    await mkdir(join(view.folder, 'tmp'), { recursive: true });
    await writeFile(join(view.folder, 'hosts'), hostsFile);
    writeContract(ml, job, place);
    const index = place.names.indexOf(place.name);
    const budget = new DiskBudget(spec.volumeGb);
    for (const channel of spec.channels)
      await downloadChannel(
        objects,
        channel,
        join(ml, 'input/data', channel.name),
        { index, count: place.names.length },
        budget,
      );
    const code = sdkHyperparameter(spec.hyperparameters, 'sagemaker_submit_directory');
    const source = /^s3:\/\/([^/]+)\/(.+)$/.exec(code ?? '');
    if (source !== null) await unpackArchive(objects, source[1]!, source[2]!, join(ml, 'code'));
    if (this.#options.findImage(spec.image)?.kind === 'trenio') await linkPackage(join(ml, 'code/node_modules'));
    if (spec.checkpoints !== undefined)
      await downloadFolder(objects, spec.checkpoints.bucket, spec.checkpoints.prefix, join(ml, 'checkpoints'), budget);
  }

  #start(job: TrainingJob, host: Host): HostProgram<Host> {
    const image = this.#options.findImage(job.spec.image);
    if (image === undefined) throw new ClientFault(`The image '${job.spec.image}' is not known to this server.`);
    const command = trainingCommand(image, job, host.place);
    if (command === undefined) throw new ClientFault(`The image '${job.spec.image}' has no command for training.`);
    return HostProgram.start(host, {
      folder: host.ml,
      view: host.view,
      command,
      environment: {
        ...this.#options.environment,
        ...(image.kind === 'trenio' ? {} : image.environment),
        ...(image.kind === 'trenio' && host.place.name === host.place.names[0] ? reportVariables(host.place.root) : {}),
        ...contractVariables(job, host.place),
      },
      container: image.kind === 'docker' ? this.#container(job, host, image) : undefined,
      limits: this.#limits,
      groupName: `${job.name}-${job.attempt}-${host.place.name}`,
      onLine: line => this.#log(host, line),
    });
  }

  /** @throws {ClientFault} */
  #container(job: TrainingJob, { ml, view, place }: Host, image: DockerImage): Container {
    const { name, attempt, spec } = job;
    const engine = findEngine();
    if (engine === undefined) throw new ClientFault('Neither Docker nor Podman works on this machine.');
    return {
      ...{ engine, image: image.image, name: `trenio-${name}-${attempt}-${place.name}`, ml, limits: this.#limits },
      ...{ hostName: view.hostName, networkOf: view.networkOf, hosts: join(view.folder, 'hosts') },
      hasEntrypoint: spec.entrypoint !== undefined,
      hasNetwork: spec.hasNetwork,
      variables: Object.keys({ ...image.environment, ...contractVariables(job, place) }),
    };
  }

  /** Waits for the programs, and ends them when the job is to end. */
  async #watch(
    programs: readonly HostProgram<Host>[],
    limits: { readonly runtime: number; readonly wait: number },
    uploads: readonly (FolderUpload | undefined)[],
  ): Promise<Outcome> {
    const { now, graceMs, output } = this.#options;
    let full: Host | undefined;
    let heartbeatMs = 0;
    const use = new HostUseWatch(this.#options.usage, this.#options.name, now());
    let syncMs = now();
    let diskMs = now();
    const look = async (time: number, isEnding: boolean): Promise<Exclude<Ending, 'host failed'> | undefined> => {
      if (time - heartbeatMs >= HEARTBEAT_MS) {
        heartbeatMs = time;
        this.#heartbeat(time);
        use.measure(programs, time);
      }
      utimesSync(output, time / 1000, time / 1000);
      if (time - syncMs >= CHECKPOINT_SYNC_MS) {
        syncMs = time;
        for (const upload of uploads) await upload?.sync(QUIET_MS, time);
      }
      if (isEnding) return undefined;
      const asked = this.#request();
      if (asked !== undefined) return asked;
      const over = time > limits.runtime ? 'runtime' : time > limits.wait ? 'wait' : undefined;
      if (over !== undefined) {
        this.#move('Stopping');
        return over;
      }
      if (time - diskMs < DISK_CHECK_MS) return undefined;
      diskMs = time;
      full = await this.#full(programs);
      return full && 'disk full';
    };
    const ending = await watchPrograms(programs, { graceMs, now, look });
    use.measure(programs, now());
    const failed = programs.find(({ exit }) => exit !== 0);
    const outOfMemory = programs.find(({ group }) => (group?.memoryKills ?? 0) > 0)?.host;
    for (const program of programs) await program.release();
    return { full, ending, outOfMemory, failed: failed && { host: failed.host, exit: failed.exit! } };
  }

  /** A host that has used more than its volume. */
  async #full(programs: readonly HostProgram<Host>[]): Promise<Host | undefined> {
    const gb = this.#options.jobs.get(this.#options.name)?.spec.volumeGb;
    if (gb === undefined) return undefined;
    for (const { host } of programs) if ((await diskUse(host.view.folder, gb * GB)) > gb * GB) return host;
    return undefined;
  }

  async #finish(
    job: TrainingJob,
    hosts: readonly Host[],
    { full, ending, failed, outOfMemory }: Outcome,
  ): Promise<void> {
    if (full !== undefined && ending === 'disk full') {
      const reason = `the host ${full.place.name} has used more than the ${job.spec.volumeGb} GB of its volume (VolumeSizeInGB)`;
      this.#end('Failed', `AlgorithmError: ${reason}`);
      return;
    }
    if (ending === 'interrupted' && this.#interrupt()) return;
    const isFailure = failed !== undefined && (ending === undefined || ending === 'host failed');
    if (isFailure) {
      await this.#upload(job, hosts, ['output']);
      const text = await failureText(failed.host.ml);
      const memory =
        outOfMemory &&
        `the host ${outOfMemory.place.name} had no memory left; it may use ${(this.#limits.memoryBytes / GB).toFixed(1)} GB`;
      const reason = text ?? memory ?? this.#failureLine.text;
      this.#end('Failed', `AlgorithmError: ${reason}, exit code: ${failed.exit}`);
      return;
    }
    this.#move('Uploading');
    await this.#upload(job, hosts, ['model', 'output']);
    this.#end(finalStates[ending ?? 'host failed']);
  }

  async #upload(job: TrainingJob, hosts: readonly Host[], what: readonly ('model' | 'output')[]): Promise<void> {
    const { bucket, prefix, compressed } = job.spec.output;
    const { objects } = this.#options;
    const base = `${prefix}${job.name}/output`;
    const folders = {
      model: hosts.map(({ ml }) => join(ml, 'model')),
      output: hosts.map(({ ml }) => join(ml, 'output/data')),
    };
    for (const name of what) {
      // An archive of the model is always there; one of other output only if there is any.
      if (name === 'output' && !(await anyFiles(folders.output))) continue;
      if (compressed) await uploadArchive(objects, folders[name], bucket, `${base}/${name}.tar.gz`);
      else await uploadFiles(objects, folders[name], bucket, `${base}/${name}/`);
    }
  }

  #move(to: SecondaryStatus): void {
    const { jobs, name, token, now } = this.#options;
    jobs.update(
      name,
      // A stop was asked for meanwhile: the job is Stopping, and stays so until it is uploaded.
      job =>
        job.secondary === 'Stopping' && (to === 'Downloading' || to === 'Training')
          ? undefined
          : moved(job, to, 'runner', now()),
      token,
    );
  }

  /** Gives the instances back, and the job up; false if a client has asked for a stop meanwhile. */
  #interrupt(): boolean {
    const { jobs, name, token, now } = this.#options;
    this.#flush();
    const job = jobs.update(
      name,
      one => (one.secondary === 'Stopping' ? undefined : moved(one, 'Interrupted', 'runner', now())),
      token,
    );
    return job?.secondary === 'Interrupted';
  }

  #end(to: SecondaryStatus, failureReason?: string): void {
    const { jobs, name, token, now } = this.#options;
    this.#flush();
    jobs.update(
      name,
      job => ({
        ...moved(
          job.secondary === 'Downloading' && to === 'Stopped' ? moved(job, 'Stopping', 'client', now()) : job,
          to,
          'runner',
          now(),
        ),
        finalMetrics: this.#metrics.values(),
        failureReason: failureReason && this.#secrets.mask(failureReason).slice(0, MAX_REASON_CHARACTERS),
      }),
      token,
    );
  }

  #fail(error: unknown): void {
    const isClients = error instanceof ClientFault || error instanceof JobDataError || error instanceof ObjectError;
    const message = error instanceof Error ? error.message : String(error);
    const { jobs, name, token, now } = this.#options;
    try {
      if (isClients) this.#end('Failed', `ClientError: ${message}`);
      else {
        this.#flush();
        jobs.update(name, job => afterInternalError(job, 'runner', now(), message), token);
      }
    } catch (second) {
      if (!(second instanceof LockLostError)) throw second;
    }
    if (!isClients) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }

  #heartbeat(nowMs: number): void {
    const { jobs, name, token } = this.#options;
    jobs.update(
      name,
      job =>
        job.runner && { ...job, finalMetrics: this.#metrics.values(), runner: { ...job.runner, heartbeatMs: nowMs } },
      token,
    );
  }

  /** The request made since the attempt began; a stop takes precedence over an interruption. */
  #request(): 'stopped' | 'interrupted' | undefined {
    const job = this.#options.jobs.get(this.#options.name);
    if (job?.stopRequestedMs !== undefined) return 'stopped';
    return job?.interruptRequestedMs === undefined ? undefined : 'interrupted';
  }

  #log({ stream }: Host, line: string): void {
    const message = this.#secrets.mask(line);
    const timeMs = this.#options.now();
    this.#metrics.line(message, timeMs);
    this.#failureLine.add(message);
    const lines = this.#lines.get(stream) ?? [];
    lines.push({ timeMs, message });
    this.#lines.set(stream, lines);
  }

  #flush(): void {
    for (const [stream, lines] of this.#lines) this.#options.logs.append(LOG_GROUP, stream, lines, this.#options.now());
    this.#lines.clear();
    for (const [metric, values] of this.#metrics.takeFresh())
      this.#options.metrics.append(this.#options.name, metric, values);
  }
}

/** Where a job ends; one whose programs ended by themselves, or of an interruption that became a stop. */
const finalStates = {
  stopped: 'Stopped',
  interrupted: 'Stopped',
  runtime: 'MaxRuntimeExceeded',
  wait: 'MaxWaitTimeExceeded',
  'host failed': 'Completed',
  'disk full': 'Failed',
} as const satisfies Record<Ending, SecondaryStatus>;

interface Outcome {
  /** The host that has used more than its volume. */
  readonly full: Host | undefined;
  readonly ending: Ending | undefined;
  /** A host on which the system has ended programs, since it had no memory left. */
  readonly outOfMemory: Host | undefined;
  readonly failed: { readonly host: Host; readonly exit: number } | undefined;
}

/** The memory of the real instance; undefined if the catalog does not have its type. */
function instanceMemoryBytes(instanceType: string): number | undefined {
  const instance = findInstance(instanceType);
  return instance && valueUnder(instance.hostMemoryGib, 'docs') * GB;
}

const hostCores = (cores: number): number => Math.max(1, Math.floor(cores));

const hostNames = ({ spec }: TrainingJob): readonly string[] =>
  Array.from({ length: spec.instanceCount }, (_, i) => `algo-${i + 1}`);

function hostsOf(
  job: TrainingJob,
  { folder, coresPerHost, now }: RunnerOptions,
  hasView: boolean,
  network: HostNetwork,
): readonly Host[] {
  const names = hostNames(job);
  return names.map((name, index) => {
    const view = join(folder, name);
    const ml = join(view, 'ml');
    return {
      ml,
      stream: `${job.name}/${name}-${Math.floor(now() / 1000)}`,
      view: { folder: view, hostName: name, networkOf: network.networkOf(index), expose: [packageRoot()] },
      place: {
        name,
        names,
        root: hasView ? '/opt/ml' : ml,
        cores: hostCores(coresPerHost),
        neuronCores: 0,
        interfaceName: network.interfaceName,
      },
    };
  });
}

/** The failure file: why the job failed. */
const failureText = (ml: string): Promise<string | undefined> =>
  writtenText(join(ml, 'output/failure'), MAX_REASON_CHARACTERS);

async function anyFiles(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if (await hasFiles(folder)) return true;
  return false;
}
