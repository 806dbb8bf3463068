// Runs one processing job and stores its outcome. It is a separate process (runner-main.ts), so a job is not affected when
// the server ends or is restarted.
//
//   download inputs ─► start a program for each host ─► wait: end, stop, time limit, full disk ─► upload outputs ─► final status

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInstance, valueUnder } from '../../hardware/index.ts';
import { ObjectError } from '../../objects/object-error.ts';
import { ClientFault } from '../client-fault.ts';
import { describeLimits, type HostLimits, limitsOf } from '../hosts/control-group.ts';
import { describeNetwork, type HostNetwork, networkKind, openNetwork } from '../hosts/host-network.ts';
import type { Image } from '../images.ts';
import { LogLines } from '../logs/log-lines.ts';
import { ended, INTERNAL_ERROR, type Outcome } from '../one-attempt.ts';
import { OwnJob } from '../own-job.ts';
import type { RunnerSetting } from '../runner-setting.ts';
import { SecretMask } from '../secrets.ts';
import { DiskBudget } from '../training/disk-budget.ts';
import { diskUse } from '../training/disk-use.ts';
import { FailureLine } from '../training/failure-line.ts';
import { HostProgram, linkPackage, watchPrograms } from '../training/host-program.ts';
import { FolderUpload } from '../training/job-data.ts';
import { describeIsolation, detectIsolation } from '../training/sandbox.ts';
import { packageRoot, withDependencies } from '../training/training-command.ts';
import { writtenText } from '../training/written-text.ts';
import { whenRoom } from '../when-room.ts';
import { inputFolder, localized, type ProcessingHost, writeProcessingContract } from './processing-contract.ts';
import { downloadInput } from './processing-data.ts';
import type { ProcessingJob, ProcessingOutput } from './processing-job.ts';

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
  readonly #setting: RunnerSetting;
  readonly #own: OwnJob<ProcessingJob>;
  readonly #job: ProcessingJob;
  readonly #failureLine = new FailureLine();
  readonly #limits: HostLimits;
  readonly #secrets: SecretMask;
  #hosts: readonly Host[] = [];

  constructor(setting: RunnerSetting) {
    this.#setting = setting;
    this.#own = new OwnJob(setting.jobs.processing, setting);
    this.#job = this.#own.begin();
    const { instanceType, environment } = this.#job.spec;
    const instance = findInstance(instanceType);
    this.#limits = limitsOf(setting.coresPerHost, instance && valueUnder(instance.hostMemoryGib, 'docs') * GB);
    this.#secrets = new SecretMask(environment);
  }

  async run(): Promise<void> {
    const { folder, now } = this.#setting;
    let outcome: Outcome;
    try {
      outcome = await this.#attempt();
    } catch (error) {
      outcome = this.#failure(error);
    }
    const message = await this.#exitMessage();
    await rm(folder, { recursive: true, force: true });
    // Before the outcome is stored, because clients that wait for it then read the lines.
    for (const { lines } of this.#hosts) lines.close();
    const told = message === undefined || isText(message) ? outcome : notText;
    this.#own.update(job => ({ ...ended(job, told, now()), exitMessage: message }));
  }

  async #attempt(): Promise<Outcome> {
    const { objects, now, findImage } = this.#setting;
    const { spec } = this.#job;
    const image = findImage(spec.image);
    if (image === undefined) throw new ClientFault(`The image '${spec.image}' is not known to this server.`);
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
      if (output.isContinuous || !isFailure)
        await whenRoom(
          () => sync.sync(0, now()),
          () => this.#own.showLife(),
        );
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
    const { logs, folder, now } = this.#setting;
    const { name, spec } = this.#job;
    const names = Array.from({ length: spec.instanceCount }, (_, i) => `algo-${i + 1}`);
    return names.map(host => {
      const view = join(folder, host);
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
      await downloadInput(this.#setting.objects, input, inputFolder(host, input.path), place, budget);
    if (image.kind === 'trenio') await linkPackage(join(ml, 'node_modules'));
  }

  #start(host: Host, image: Image, networkOf: number | undefined): HostProgram<Host> {
    const { spec, name } = this.#job;
    const command = spec.entrypoint ?? (image.kind === 'command' ? image.process : undefined);
    if (command === undefined)
      throw new ClientFault(
        `The image '${spec.image}' has no command for processing: name one in AppSpecification.ContainerEntrypoint.`,
      );
    return HostProgram.start(host, {
      folder: host.ml,
      view: {
        ...{ folder: host.view, hostName: host.name, networkOf, hidden: this.#setting.hidden },
        expose: [withDependencies(packageRoot())],
      },
      command: [...command, ...spec.arguments].map(word => localized(word, host)),
      environment: {
        ...this.#setting.environment,
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
    const { now, graceMs } = this.#setting;
    const { startMs, spec } = this.#job;
    const usedMs = now() - (startMs ?? now());
    const endMs = performance.now() + spec.maxRuntimeSeconds * 1000 - usedMs;
    let diskMs = performance.now();
    let syncMs = performance.now();
    return watchPrograms<HostProgram<Host>, Why>(programs, {
      graceMs,
      now,
      look: async timeMs => {
        this.#own.showLife(timeMs);
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
    return this.#own.read()?.status !== 'InProgress';
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
    if (error instanceof ClientFault || error instanceof ObjectError) return failure(`ClientError: ${message}`);
    process.stderr.write(`${error instanceof Error ? error.stack : message}\n`);
    return failure(INTERNAL_ERROR);
  }
}

const failure = (reason: string): Outcome => ({ status: 'Failed', reason });
const notText = failure('ClientError: the file /opt/ml/output/message is not encoded as UTF-8');
/** Bytes that are not UTF-8 have been read as the replacement character. */
const isText = (text: string): boolean => !text.includes('\uFFFD');
