// Observation of this process: a recorder that writes to a ring file from now until the process ends.
import { hostname, userInfo } from 'node:os';
import { threadId } from 'node:worker_threads';
import { readVariable, type Variables } from '../base/environment.ts';
import type { Logger } from '../base/logger.ts';
import { formatIdentity, ownIdentity } from '../base/process-identity.ts';
import { version } from '../base/version.ts';
import { subscribe } from './events.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { liveRings, makeRingDirectory, ringDirectory, ringName } from './ring-directory.ts';
import { type ProcessIdentityCard, RingWriter } from './ring-file.ts';

/** The runtime's information about this process. */
export type RuntimeFacts = Pick<
  ProcessIdentityCard,
  'rank' | 'worldSize' | 'localRank' | 'cpus' | 'threads' | 'peakFlops'
>;

/** Only one recorder writes to the file of a process. */
let isRecording = false;

/**
 * Starts to record. Returns a function that ends it and removes the file; undefined if TRENIO_OBSERVE is 0, if this process is
 * already recording, or if the directory cannot be used: observation must never make a training run fail.
 */
export function observeProcess(
  facts: RuntimeFacts,
  log: Logger,
  options: RecorderOptions & { readonly variables?: Variables | undefined } = {},
): (() => void) | undefined {
  const { variables, ...recording } = options;
  if (isRecording || readVariable('TRENIO_OBSERVE', variables) === false) return undefined;
  const directory = ringDirectory(variables);
  let ring: RingWriter;
  try {
    if (!makeRingDirectory(directory)) {
      log.info(`this process is not shown by trenio top: ${directory} is not a private directory of this user`);
      return undefined;
    }
    liveRings(directory); // removes those of ended processes
    const path = `${directory}/${ringName(formatIdentity(ownIdentity()), threadId)}`;
    ring = new RingWriter(path, identityCard(facts, variables));
  } catch (error) {
    log.info(`this process is not shown by trenio top: ${(error as Error).message}`);
    return undefined;
  }
  isRecording = true;
  const recorder = new Recorder(ring, recording);
  const guarded = whileItWorks(recorder.hear, error => {
    log.info(`this process is no longer shown by trenio top: ${error.message}`);
    end();
  });
  const unsubscribe = subscribe(guarded);
  let isEnded = false;
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    isRecording = false;
    unsubscribe();
    recorder.close();
    ring.remove();
  };
  return end;
}

/** Calls `body` until it fails for the first time, as when the directory's file system is full. */
function whileItWorks<A>(body: (argument: A) => void, failed: (error: Error) => void): (argument: A) => void {
  let works = true;
  return argument => {
    if (!works) return;
    try {
      body(argument);
    } catch (error) {
      works = false;
      failed(error as Error);
    }
  };
}

function identityCard(facts: RuntimeFacts, variables: Variables | undefined): ProcessIdentityCard {
  const [, script = process.execPath, ...args] = process.argv;
  const launcher = readVariable('TRENIO_LAUNCHER_PID', variables);
  return {
    ...facts,
    pid: process.pid,
    parent: process.ppid,
    startedMs: performance.timeOrigin,
    script,
    args,
    user: userName(),
    host: hostname(),
    run: runOf(variables),
    launcher,
    tag: readVariable('NEURON_PROCESS_TAG', variables) ?? '',
    version,
  };
}

/** The name of its run: that of the rendezvous for several machines, else that of the memory that the ranks share. */
function runOf(variables: Variables | undefined): string {
  const table = readVariable('TRENIO_COMM_TABLE', variables);
  const id = readVariable('TORCHELASTIC_RUN_ID', variables);
  const host = readVariable('MASTER_ADDR', variables);
  if (table !== undefined && host !== undefined)
    return `${id ?? 'none'}@${host}:${readVariable('MASTER_PORT', variables) ?? 0}`;
  return readVariable('TRENIO_SHM', variables)?.slice(1) ?? `${process.pid}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `${process.getuid?.()}`; // a user without a name
  }
}
