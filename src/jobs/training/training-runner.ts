// Runs one attempt of a training job, from taking its instances to its end, and writes each step to the job store. It is a
// separate process (runner-main.ts), so a job is not affected when the server stops or restarts.
//
//   download channels, code, checkpoints ─► start a program for each host ─► wait: end, stop, time limit ─► upload ─► final state

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSecret } from '../../distributed/rendezvous/secret.ts';
import { findInstance, valueUnder } from '../../hardware/index.ts';
import { ObjectError } from '../../objects/object-error.ts';
import { ClientFault } from '../client-fault.ts';
import { describeLimits, type HostLimits, limitsOf } from '../hosts/control-group.ts';
import { describeNetwork, networkKind, openNetwork } from '../hosts/host-network.ts';
import { LockLostError } from '../own-job.ts';
import type { RunnerSetting } from '../runner-setting.ts';
import { whenRoom } from '../when-room.ts';
import {
  type Host,
  hostCommand,
  hostCores,
  hostNames,
  hostsOf,
  prepareHost,
  uploadOutput,
  writtenFolder,
} from './attempt-hosts.ts';
import { AttemptRecord } from './attempt-record.ts';
import { diskUse } from './disk-use.ts';
import type { EngineState, HostEngine } from './host-engine.ts';
import { HostProgram, type RunningProgram, watchPrograms } from './host-program.ts';
import { HostUseWatch } from './host-use-watch.ts';
import { FolderUpload } from './job-data.ts';
import { readReports, type StepRecord } from './job-measurement.ts';
import { describeIsolation, detectIsolation } from './sandbox.ts';
import { sharedWithMachine } from './shared-with-machine.ts';
import { isFinal, type SecondaryStatus } from './state-machine.ts';
import { isDistributed } from './training-command.ts';
import { type TrainingJob, withWait } from './training-job.ts';
import { writtenText } from './written-text.ts';

const POLL_MS = 250;
const GB = 2 ** 30;
const DISK_CHECK_MS = 2000;
const CHECKPOINT_SYNC_MS = 5000;
// A checkpoint file that is still being written is uploaded later.
const QUIET_MS = 1000;
const MAX_REASON_CHARACTERS = 1024;

/** Why the programs of a job were ended. */
type Ending = 'stopped' | 'runtime' | 'wait' | 'interrupted' | 'host failed' | 'disk full';

export class TrainingRunner {
  readonly #setting: RunnerSetting;
  readonly #record: AttemptRecord;
  readonly #limits: HostLimits;
  #steps: StepRecord | undefined;
  /** Shows that the runner lives while it waits for space. */
  readonly #wait = (): void => {
    this.#record.showLife(this.#setting.now());
  };

  constructor(setting: RunnerSetting) {
    // Hosts that do not share their home folder start a run of several machines with the secret.
    this.#setting = { ...setting, environment: { ...setting.environment, TRENIO_RDZV_SECRET: newSecret() } };
    this.#record = new AttemptRecord(setting);
    const { coresPerHost, memoryGbPerHost: gb } = setting;
    this.#limits = limitsOf(
      coresPerHost,
      gb === undefined ? instanceMemoryBytes(this.#record.job.spec.instanceType) : gb * GB,
    );
  }

  async run(): Promise<void> {
    const record = this.#record;
    const flusher = setInterval(() => record.flush(), POLL_MS);
    try {
      await this.#attempt(record.job);
    } catch (error) {
      if (error instanceof LockLostError) throw error;
      const isClients = error instanceof ClientFault || error instanceof ObjectError;
      record.fail(error, isClients);
      if (!isClients) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    } finally {
      clearInterval(flusher);
      record.close();
      await this.#setting.engine?.release();
      await rm(this.#setting.folder, { recursive: true, force: true });
    }
    await this.#predict();
  }

  async #attempt(job: TrainingJob): Promise<void> {
    const { spec } = job;
    const { engine, findImage, objects, now } = this.#setting;
    const record = this.#record;
    const isolation = detectIsolation();
    const isContainer = findImage(spec.image)?.kind === 'docker';
    if (engine !== undefined && isContainer)
      throw new ClientFault(`The image '${spec.image}' is a container, which jobs on a cluster cannot have.`);
    // The nodes of an engine have their own network.
    const kind = engine === undefined ? await networkKind(spec, isolation !== 'none') : 'shared';
    using network = await openNetwork(kind, hostNames(job));
    const hosts = hostsOf(job, this.#setting, isolation !== 'none' || isContainer, network);
    record.openStreams(hosts.map(({ stream }) => stream));
    // The remaining times; both are measured with performance.now(), which does not jump.
    const waitMs = performance.now() + (spec.maxWaitSeconds ?? Number.POSITIVE_INFINITY) * 1000 - record.ageMs();
    if (engine !== undefined && !(await this.#acquire(engine, job, hosts))) return;
    const runtimeMs = performance.now() + spec.maxRuntimeSeconds * 1000 - job.billedMs;
    record.move('Downloading');
    if (record.request() === 'stopped') return record.end('Stopped');
    for (const host of hosts) await whenRoom(() => prepareHost(job, host, this.#setting, network), this.#wait);
    const asked = record.request();
    if (asked === 'stopped') return record.end('Stopped');
    if (asked === 'interrupted' && record.interrupt()) return;
    const ignored = (job.withoutEffect ?? []).join(', ');
    for (const note of [
      describeIsolation(isolation, !spec.hasNetwork),
      describeNetwork(network, spec),
      ignored === '' ? undefined : `Without effect on this server: ${ignored}.`,
    ])
      if (note !== undefined) record.log(hosts[0]!.stream, note);
    record.move('Training');
    const { checkpoints, tensorBoard } = spec;
    const uploads = hosts.flatMap(host =>
      [checkpoints && { ...checkpoints, folder: 'checkpoints' }, tensorBoard]
        .filter(one => one !== undefined)
        .map(
          ({ folder, bucket, prefix }) =>
            new FolderUpload(objects, writtenFolder(host, folder), bucket, prefix, line =>
              record.log(host.stream, line),
            ),
        ),
    );
    const programs = hosts.map(host => this.#start(job, host));
    const note = engine === undefined ? describeLimits(programs[0]!.group) : undefined;
    if (note !== undefined) record.log(hosts[0]!.stream, note);
    const hasGroups = engine === undefined ? programs[0]!.group !== undefined : undefined;
    const surroundings = { isolation, isContainer, network: kind, wantsNoNetwork: !spec.hasNetwork };
    record.update(one => ({ ...one, shared: sharedWithMachine({ ...surroundings, hasGroups }) }));
    const outcome = await this.#watch(programs, { runtime: runtimeMs, wait: waitMs }, uploads);
    for (const upload of uploads) await whenRoom(() => upload.sync(0, now()), this.#wait);
    await this.#measure(hosts[0]!);
    const lost = await engine?.state(true);
    if (lost !== undefined && this.#lostTo(lost, spec.isSpot, outcome)) return;
    // The same signal ends the programs, with any exit code.
    const isCanceled = lost?.kind === 'canceled' && (outcome.ending === undefined || outcome.ending === 'host failed');
    if (isCanceled && record.request() === undefined) record.move('Stopping');
    await this.#finish(job, hosts, isCanceled ? { ...outcome, ending: 'stopped' } : outcome);
  }

  /** Waits until an engine has the machines; false if the job ended before that. */
  async #acquire(engine: HostEngine, job: TrainingJob, hosts: readonly Host[]): Promise<boolean> {
    const { folder, now } = this.#setting;
    const { instanceType, isSpot } = job.spec;
    const names = hosts.map(({ place }) => place.name);
    for (const { view } of hosts) await mkdir(view.folder, { recursive: true });
    await engine.request({ job: job.name, attempt: job.attempt, hosts: names, instanceType, isSpot, folder });
    for (; ; await sleep(POLL_MS)) {
      const state = await engine.state();
      // Machines that were preempted immediately: the programs end right after their start.
      if (state.kind === 'ready' || state.kind === 'preempted') return true;
      if (state.kind === 'lost') throw new Error(state.reason);
      if (state.kind === 'canceled' || this.#record.request() === 'stopped') {
        this.#record.end('Stopped');
        return false;
      }
      if (this.#record.endWaiting()) return false;
      this.#record.showLife(now());
      const { reason } = state;
      if (reason !== undefined) this.#record.update(one => withWait(one, { kind: 'engine', text: reason }, now()));
    }
  }

  /** Whether the attempt is over because an engine took its machines. */
  #lostTo(state: EngineState, isSpot: boolean, { ending, failed }: Outcome): boolean {
    if (ending !== undefined && ending !== 'host failed') return false;
    if (state.kind === 'preempted') {
      if (isSpot) return this.#record.interrupt();
      if (failed !== undefined) throw new Error('the instances were taken for a job of a higher priority');
    }
    if (state.kind === 'lost') throw new Error(state.reason);
    return false;
  }

  /** Stores the script's reports about its training steps. */
  async #measure({ ml }: Host): Promise<void> {
    const { jobs, name, findImage } = this.#setting;
    const image = jobs.training.get(name)?.spec.image;
    if (image === undefined || findImage(image)?.kind !== 'trenio') return;
    this.#steps = await readReports(ml);
    if (this.#steps === undefined) return;
    const { steps, stepSeconds, communication } = this.#steps;
    this.#record.update(one => ({
      ...one,
      measured: { steps: steps + (one.measured?.steps ?? 0), stepSeconds, communication },
    }));
  }

  /** After the job has ended and billing has stopped: predicts its training on its instance type. */
  async #predict(): Promise<void> {
    const { jobs, name, coresPerHost } = this.#setting;
    const job = jobs.training.get(name);
    if (job?.measured === undefined || this.#steps === undefined || !isFinal(job.secondary)) return;
    const { predictJob } = await import('./job-prediction.ts');
    const ranks = isDistributed(job.spec) ? job.spec.instanceCount * hostCores(coresPerHost) : 1;
    const predicted = predictJob(job, { ...this.#steps, steps: job.measured.steps }, ranks);
    jobs.training.update(name, one => ({ ...one, predicted }));
  }

  #start(job: TrainingJob, host: Host): RunningProgram<Host> {
    const command = hostCommand(job, host, this.#setting, this.#limits, line => this.#record.log(host.stream, line));
    const { engine } = this.#setting;
    return engine?.start(host, host.place.name, command) ?? HostProgram.start(host, command);
  }

  /** Waits for the programs, and ends them when the job has to end. */
  async #watch(
    programs: readonly RunningProgram<Host>[],
    limits: { readonly runtime: number; readonly wait: number },
    uploads: readonly FolderUpload[],
  ): Promise<Outcome> {
    const { now, graceMs, usage, name } = this.#setting;
    let full: Host | undefined;
    const use = new HostUseWatch(usage, name, now());
    let syncMs = performance.now();
    let diskMs = performance.now();
    const look = async (time: number, isEnding: boolean): Promise<Exclude<Ending, 'host failed'> | undefined> => {
      if (this.#record.showLife(time)) use.measure(programs, time);
      const steady = performance.now();
      if (steady - syncMs >= CHECKPOINT_SYNC_MS) {
        syncMs = steady;
        for (const upload of uploads) await whenRoom(() => upload.sync(QUIET_MS, time), undefined);
      }
      if (isEnding) return undefined;
      const asked = this.#record.request();
      if (asked !== undefined) return asked;
      const over = steady > limits.runtime ? 'runtime' : steady > limits.wait ? 'wait' : undefined;
      if (over !== undefined) {
        this.#record.move('Stopping');
        return over;
      }
      if (steady - diskMs < DISK_CHECK_MS) return undefined;
      diskMs = steady;
      full = await this.#full(programs);
      return full && 'disk full';
    };
    const { ending, failed } = await watchPrograms(programs, { graceMs, now, look });
    use.measure(programs, now());
    const outOfMemory = programs.find(({ group }) => (group?.memoryKills ?? 0) > 0)?.host;
    for (const program of programs) await program.release();
    return { full, ending, outOfMemory, failed: failed && { host: failed.host, exit: failed.exit! } };
  }

  /** A host that has used more than its volume. */
  async #full(programs: readonly RunningProgram<Host>[]): Promise<Host | undefined> {
    const gb = this.#setting.jobs.training.get(this.#setting.name)?.spec.volumeGb;
    if (gb === undefined) return undefined;
    for (const { host } of programs) if ((await diskUse(host.view.folder, gb * GB)) > gb * GB) return host;
    return undefined;
  }

  async #finish(
    job: TrainingJob,
    hosts: readonly Host[],
    { full, ending, failed, outOfMemory }: Outcome,
  ): Promise<void> {
    const { objects } = this.#setting;
    const report = (line: string): void => this.#record.log(hosts[0]!.stream, line);
    if (full !== undefined && ending === 'disk full') {
      const reason = `the host ${full.place.name} has used more than the ${job.spec.volumeGb} GB of its volume (VolumeSizeInGB)`;
      this.#record.end('Failed', `AlgorithmError: ${reason}`);
      return;
    }
    if (ending === 'interrupted' && this.#record.interrupt()) return;
    const isFailure = failed !== undefined && (ending === undefined || ending === 'host failed');
    if (isFailure) {
      await whenRoom(() => uploadOutput(job, hosts, objects, ['output'], report), this.#wait);
      // The job writes the reason of a failure to this file.
      const text = await writtenText(join(failed.host.ml, 'output/failure'), MAX_REASON_CHARACTERS);
      const memory =
        outOfMemory &&
        `the host ${outOfMemory.place.name} had no memory left; it may use ${(this.#limits.memoryBytes / GB).toFixed(1)} GB`;
      const reason = text ?? memory ?? this.#record.failureText;
      this.#record.end('Failed', `AlgorithmError: ${reason}, exit code: ${failed.exit}`);
      return;
    }
    this.#record.move('Uploading');
    await whenRoom(() => uploadOutput(job, hosts, objects, ['model', 'output'], report), this.#wait);
    this.#record.end(finalStates[ending ?? 'host failed']);
  }
}

/** The final state of a job by the reason why its programs were ended. */
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
  /** A host on which the system has killed programs because it was out of memory. */
  readonly outOfMemory: Host | undefined;
  readonly failed: { readonly host: Host; readonly exit: number } | undefined;
}

/** The memory of the real instance; undefined if the catalog does not have its type. */
function instanceMemoryBytes(instanceType: string): number | undefined {
  const instance = findInstance(instanceType);
  return instance && valueUnder(instance.hostMemoryGib, 'docs') * GB;
}
