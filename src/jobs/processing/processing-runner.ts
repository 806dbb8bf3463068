// Runs one processing job and stores its outcome. It is a separate process (processing-main.ts), so a job is not affected when
// the server ends or is restarted.
//
//   download inputs ─► start a program for each host ─► wait: end, stop, time limit, full disk ─► upload outputs ─► final status
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '../../base/process-identity.ts';
import { findInstance, valueUnder } from '../../hardware/index.ts';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { describeLimits, type HostLimits, limitsOf } from '../hosts/control-group.ts';
import { describeNetwork, type HostNetwork, networkKind, openNetwork } from '../hosts/host-network.ts';
import type { FindImage, Image } from '../images.ts';
import { LogLines } from '../logs/log-lines.ts';
import type { LogStore } from '../logs/log-store.ts';
import { type OneAttemptStatus, touchRunner } from '../runner-scheduler.ts';
import { SecretMask } from '../secrets.ts';
import type { JobStore } from '../store/job-store.ts';
import { DiskBudget } from '../training/disk-budget.ts';
import { diskUse } from '../training/disk-use.ts';
import { FailureLine } from '../training/failure-line.ts';
import { HostProgram, linkPackage, watchPrograms } from '../training/host-program.ts';
import { FolderUpload, JobDataError } from '../training/job-data.ts';
import { describeIsolation, detectIsolation } from '../training/sandbox.ts';
import { packageRoot, withDependencies } from '../training/training-command.ts';
import { writtenText } from '../training/written-text.ts';
import { whenRoom } from '../when-room.ts';
import { inputFolder, localized, type ProcessingHost, writeProcessingContract } from './processing-contract.ts';
import { downloadInput } from './processing-data.ts';
import type { ProcessingJob, ProcessingOutput } from './processing-job.ts';

export interface ProcessingRunnerOptions {
  readonly jobs: JobStore;
  readonly objects: ObjectStore;
  readonly logs: LogStore;
  readonly findImage: FindImage;
  /** The folder of all runners; this one's is removed at its end. */
  readonly folder: string;
  readonly coresPerHost: number;
  /** Variables that a program inherits, such as PATH. */
  readonly environment: NodeJS.ProcessEnv;
  /** Paths that its programs do not see (sandbox.ts). */
  readonly hidden: readonly string[];
  readonly now: () => number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number | undefined;
}

export const LOG_GROUP = '/aws/sagemaker/ProcessingJobs';
const GB = 2 ** 30;
const DISK_CHECK_MS = 2000;
const SYNC_MS = 2000;
// A file that is still being written is uploaded later.
const QUIET_MS = 1000;
const MAX_MESSAGE_CHARACTERS = 1024;

/** Why the programs were ended. */
type Why = 'stopped' | 'runtime' | 'disk full';

interface Host extends ProcessingHost {
  readonly view: string;
  readonly lines: LogLines;
}

interface Upload {
  readonly output: ProcessingOutput;
  readonly sync: FolderUpload;
}

export class ProcessingRunner {
  readonly #options: ProcessingRunnerOptions;
  readonly #job: ProcessingJob;
  readonly #failureLine = new FailureLine();
  readonly #limits: HostLimits;
  readonly #secrets: SecretMask;
  /** Shows that the runner lives while it waits for space. */
  readonly #wait = (): void => touchRunner(this.#options.folder, this.#job.name, this.#options.now());
  #hosts: readonly Host[] = [];

  constructor(options: ProcessingRunnerOptions, job: ProcessingJob) {
    this.#options = options;
    this.#job = job;
    const instance = findInstance(job.spec.instanceType);
    this.#limits = limitsOf(options.coresPerHost, instance && valueUnder(instance.hostMemoryGib, 'docs') * GB);
    this.#secrets = new SecretMask(job.spec.environment);
  }

  /** Returns when the outcome is stored; leaves no processes or files behind. */
  async run(): Promise<void> {
    const { jobs, folder } = this.#options;
    const { name } = this.#job;
    const begin = (): void => {
      jobs.processing.update(name, job => job.runner && { ...job, runner: { ...job.runner, process: ownIdentity() } });
    };
    await whenRoom(begin, this.#wait);
    let outcome: Outcome;
    try {
      outcome = await this.#attempt();
    } catch (error) {
      outcome = this.#failure(error);
    }
    const message = await this.#exitMessage();
    await rm(join(folder, name), { recursive: true, force: true });
    // Before the outcome is stored, because clients that wait for it then read the lines.
    for (const { lines } of this.#hosts) lines.close();
    await whenRoom(() => this.#end(message === undefined || isText(message) ? outcome : notText, message), this.#wait);
  }

  async #attempt(): Promise<Outcome> {
    const { objects, now, findImage } = this.#options;
    const { spec } = this.#job;
    const image = findImage(spec.image);
    if (image === undefined) throw new JobDataError(`The image '${spec.image}' is not known to this server.`);
    for (const { bucket } of spec.outputs) objects.checkBucket(bucket);
    const isolation = detectIsolation();
    this.#hosts = this.#makeHosts(isolation !== 'none');
    using network = await openNetwork(
      await networkKind(spec, isolation !== 'none'),
      this.#hosts.map(({ name }) => name),
    );
    for (const note of [describeIsolation(isolation, !spec.hasNetwork), describeNetwork(network, spec)])
      if (note !== undefined) this.#hosts[0]!.lines.add(note);
    for (const host of this.#hosts) {
      if (this.#isStopped()) return { status: 'Stopped' };
      await this.#prepare(host, image, network);
    }
    if (this.#isStopped()) return { status: 'Stopped' };
    const uploads = this.#hosts.flatMap(host =>
      spec.outputs.map(output => ({
        output,
        sync: new FolderUpload(
          objects,
          { path: inputFolder(host, output.path), seenAs: output.path },
          output.bucket,
          output.prefix,
          line => host.lines.add(line),
        ),
      })),
    );
    const programs = this.#hosts.map((host, i) => this.#start(host, image, network.networkOf(i)));
    const limited = describeLimits(programs[0]!.group);
    if (limited !== undefined) this.#hosts[0]!.lines.add(limited);
    const { ending: why, failed } = await this.#watch(programs, uploads);
    const outOfMemory = programs.find(({ group }) => (group?.memoryKills ?? 0) > 0)?.host;
    for (const program of programs) await program.release();
    const isFailure = why === 'disk full' || why === 'host failed' || (why === undefined && failed !== undefined);
    for (const { output, sync } of uploads)
      if (output.isContinuous || !isFailure) await whenRoom(() => sync.sync(0, now()), this.#wait);
    if (why === 'disk full')
      return failure(
        `AlgorithmError: a host has used more than the ${spec.volumeGb} GB of its volume (VolumeSizeInGB)`,
      );
    if (isFailure) {
      const memory = outOfMemory && `the host ${outOfMemory.name} had no memory left`;
      return failure(`AlgorithmError: ${memory ?? this.#failureLine.text}, exit code: ${failed?.exit}`);
    }
    switch (why) {
      case 'stopped':
        return { status: 'Stopped' };
      case 'runtime':
        return {
          status: 'Stopped',
          reason: `The job ran longer than MaxRuntimeInSeconds (${spec.maxRuntimeSeconds}).`,
        };
      default:
        return { status: 'Completed' };
    }
  }

  #makeHosts(hasView: boolean): readonly Host[] {
    const { logs, folder, now } = this.#options;
    const { name, spec } = this.#job;
    const names = Array.from({ length: spec.instanceCount }, (_, i) => `algo-${i + 1}`);
    return names.map(host => {
      const view = join(folder, name, host);
      const lines = new LogLines(logs, LOG_GROUP, `${name}/${host}-${Math.floor(now() / 1000)}`);
      return { name: host, names, view, ml: join(view, 'ml'), hasView, lines };
    });
  }

  async #prepare(host: Host, image: Image, { hostsFile }: HostNetwork): Promise<void> {
    const { names, view, ml } = host;
    await mkdir(join(view, 'tmp'), { recursive: true });
    await writeFile(join(view, 'hosts'), hostsFile);
    await writeProcessingContract(this.#job, host);
    const place = { index: names.indexOf(host.name), count: names.length };
    const budget = new DiskBudget(this.#job.spec.volumeGb);
    for (const input of this.#job.spec.inputs)
      await downloadInput(this.#options.objects, input, inputFolder(host, input.path), place, budget);
    if (image.kind === 'trenio') await linkPackage(join(ml, 'node_modules'));
  }

  #start(host: Host, image: Image, networkOf: number | undefined): HostProgram<Host> {
    const { spec, name } = this.#job;
    const command = spec.entrypoint ?? (image.kind === 'command' ? image.process : undefined);
    if (command === undefined)
      throw new JobDataError(
        `The image '${spec.image}' has no command for processing: name one in AppSpecification.ContainerEntrypoint.`,
      );
    return HostProgram.start(host, {
      folder: host.ml,
      view: {
        ...{ folder: host.view, hostName: host.name, networkOf, hidden: this.#options.hidden },
        expose: [withDependencies(packageRoot())],
      },
      command: [...command, ...spec.arguments].map(word => localized(word, host)),
      environment: {
        ...this.#options.environment,
        ...(image.kind === 'command' ? image.environment : {}),
        ...spec.environment,
      },
      limits: this.#limits,
      groupName: `processing-${name}-${host.name}`,
      onLine: text => {
        const line = this.#secrets.mask(text);
        this.#failureLine.add(line);
        host.lines.add(line);
      },
    });
  }

  #watch(programs: readonly HostProgram<Host>[], uploads: readonly Upload[]) {
    const { now, graceMs, folder } = this.#options;
    const { name, startMs, spec } = this.#job;
    const usedMs = now() - (startMs ?? now());
    const endMs = performance.now() + spec.maxRuntimeSeconds * 1000 - usedMs;
    let diskMs = performance.now();
    let syncMs = performance.now();
    return watchPrograms<HostProgram<Host>, Why>(programs, {
      graceMs,
      now,
      look: async timeMs => {
        touchRunner(folder, name, timeMs);
        const steadyMs = performance.now();
        if (steadyMs - syncMs >= SYNC_MS) {
          syncMs = steadyMs;
          for (const { output, sync } of uploads)
            if (output.isContinuous) await whenRoom(() => sync.sync(QUIET_MS, timeMs), undefined);
        }
        if (this.#isStopped()) return 'stopped';
        if (steadyMs > endMs) return 'runtime';
        if (steadyMs - diskMs < DISK_CHECK_MS) return undefined;
        diskMs = steadyMs;
        for (const { view } of this.#hosts)
          if ((await diskUse(view, spec.volumeGb * GB)) > spec.volumeGb * GB) return 'disk full';
        return undefined;
      },
    });
  }

  #isStopped(): boolean {
    return this.#options.jobs.processing.get(this.#job.name)?.status !== 'InProgress';
  }

  /** The concatenated messages of all hosts. */
  async #exitMessage(): Promise<string | undefined> {
    let all = '';
    for (const { ml } of this.#hosts)
      all += (await writtenText(join(ml, 'output/message'), MAX_MESSAGE_CHARACTERS)) ?? '';
    return all === '' ? undefined : this.#secrets.mask(all).slice(0, MAX_MESSAGE_CHARACTERS);
  }

  #failure(error: unknown): Outcome {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof JobDataError || error instanceof ObjectError) return failure(`ClientError: ${message}`);
    process.stderr.write(`${error instanceof Error ? error.stack : message}\n`);
    return failure('InternalServerError: We encountered an internal error. Please try again.');
  }

  #end({ status, reason }: Outcome, exitMessage: string | undefined): void {
    const { jobs, now } = this.#options;
    jobs.processing.update(this.#job.name, job => ({
      ...job,
      // The stop request came after its programs had ended.
      status: status === 'Completed' && job.status === 'Stopping' ? 'Stopped' : status,
      failureReason: reason?.slice(0, MAX_MESSAGE_CHARACTERS),
      exitMessage,
      endMs: now(),
      modifiedMs: now(),
      runner: undefined,
    }));
  }
}

interface Outcome {
  readonly status: OneAttemptStatus;
  readonly reason?: string;
}

const failure = (reason: string): Outcome => ({ status: 'Failed', reason });
const notText = failure('ClientError: the file /opt/ml/output/message is not encoded as UTF-8');
/** Bytes that are not UTF-8 have been read as the replacement character. */
const isText = (text: string): boolean => !text.includes('\uFFFD');
