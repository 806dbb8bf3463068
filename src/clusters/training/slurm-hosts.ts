// The hosts of a training job of the job server as tasks of one Slurm job:
//
//   runner ─ sbatch ─▶ PENDING ─▶ RUNNING: a task on each node waits for the file `go` while the runner downloads the data
//          ─ algo-N/start.sh, go ─▶ the host's program, in its sandbox; its output and exit code are files of the attempt
//
// Slurm itself never requeues the job: the server starts another attempt, which resumes from the checkpoints of this one.
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrenioError } from '../../base/errors.ts';
import { readIfThere } from '../../base/file-error.ts';
import { ENDED_CODE } from '../../jobs/hosts/first-process.ts';
import type { EngineState, HostEngine, HostRequest } from '../../jobs/training/host-engine.ts';
import type { HostCommand, RunningProgram } from '../../jobs/training/host-program.ts';
import { detectIsolation, sandboxed } from '../../jobs/training/sandbox.ts';
import type { ClusterPlan } from '../cluster-plan.ts';
import { describeReason } from '../slurm/pending-reasons.ts';
import { SlurmClient } from '../slurm/slurm-client.ts';

const POLL_MS = 100;
const ASK_MS = 1000;
/** How long Slurm may be unavailable, for example during a restart. */
const PATIENCE_MS = 60_000;

/** The name of the Slurm job of an attempt, by which it is found if its runner has died. */
export const slurmName = (job: string, attempt: number): string => `sagemaker-${job}-${attempt}`;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export class SlurmHosts implements HostEngine {
  readonly #conf: string;
  readonly #slurm: SlurmClient;
  readonly #plan: ClusterPlan;
  #folder = '';
  #id: number | undefined;
  #state: EngineState = { kind: 'waiting' };
  #isOver = false;
  #asking: Promise<void> | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** When Slurm last reported the job. */
  #answeredMs = 0;
  readonly #programs: SlurmProgram<unknown>[] = [];
  readonly #sent = new Set<'SIGTERM' | 'SIGKILL'>();
  #timer: NodeJS.Timeout | undefined;

  /** @param conf the cluster's slurm.conf */
  constructor(conf: string, plan: ClusterPlan) {
    this.#conf = conf;
    this.#slurm = new SlurmClient(conf);
    this.#plan = plan;
  }

  async request({ job, attempt, hosts, instanceType, isSpot, folder }: HostRequest): Promise<void> {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'task.sh'), taskScript(folder));
    const queue = queueOf(this.#plan, instanceType, isSpot);
    const script = [
      '#!/bin/sh',
      `#SBATCH --job-name=${slurmName(job, attempt)} --nodes=${hosts.length} --ntasks-per-node=1 --exclusive --no-requeue`,
      `#SBATCH --partition=${queue} --constraint=${featureOf(instanceType)} --output=${join(folder, 'slurm.out')}`,
      // The runner ends the other hosts when one fails.
      `srun --kill-on-bad-exit=0 sh ${quoted(join(folder, 'task.sh'))}`,
      '',
    ].join('\n');
    this.#id = await this.#slurm.submit(script, folder);
    this.#answeredMs = performance.now();
  }

  /** Queries Slurm at most once per second, unless the answer has to be fresh: then unless the job is over. */
  async state(isFresh = false): Promise<EngineState> {
    if (this.#id === undefined) return this.#state;
    if (!isFresh) {
      if (performance.now() - this.#askedMs >= ASK_MS) await this.#ask(this.#id);
      return this.#state;
    }
    for (
      const until = performance.now() + PATIENCE_MS;
      !this.#isOver && performance.now() < until;
      await sleep(POLL_MS)
    )
      await this.#ask(this.#id);
    return this.#state;
  }

  /** One query at a time. */
  #ask(id: number): Promise<void> {
    this.#asking ??= this.#askSlurm(id).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askSlurm(id: number): Promise<void> {
    try {
      const record = await this.#slurm.run('scontrol', '-o', 'show', 'job', String(id));
      this.#answeredMs = performance.now();
      this.#become(stateOf(record), isOver(record), `Slurm ended the job: ${describeEnd(record)}`);
    } catch (error) {
      if (!isTrenioError(error, 'SLURM_FAILED')) throw error;
      // Running jobs continue while slurmctld is restarted.
      const isGone = !existsSync(this.#conf) || /Invalid job id/i.test(error.message);
      const isAway = this.#state.kind === 'waiting' && performance.now() - this.#answeredMs > PATIENCE_MS;
      if (isGone || isAway) this.#become({ kind: 'lost', reason: error.message }, true, error.message);
    }
    this.#askedMs = performance.now();
  }

  #become(state: EngineState, isJobOver: boolean, reason: string): void {
    this.#state = state;
    this.#isOver = isJobOver;
    if (!isJobOver) return;
    for (const program of this.#programs) program.look();
    const lost = this.#programs.filter(({ exit }) => exit === undefined);
    for (const program of lost) program.lose();
    if (lost.length > 0 && state.kind === 'ready') this.#state = { kind: 'lost', reason };
  }

  start<Host>(host: Host, name: string, { view, command, environment, onLine }: HostCommand): RunningProgram<Host> {
    const folder = join(this.#folder, name);
    const variables = Object.entries(environment).flatMap(([key, value]) =>
      value === undefined ? [] : [quoted(`${key}=${value}`)],
    );
    const words = sandboxed({ ...view, networkOf: undefined }, command, detectIsolation(), 'each').map(quoted);
    writeFileSync(join(folder, 'start.new'), `exec env -i ${variables.join(' ')} ${words.join(' ')}\n`, {
      mode: 0o600,
    });
    renameSync(join(folder, 'start.new'), join(folder, 'start.sh'));
    const program = new SlurmProgram(host, folder, onLine, signal => void this.#signal(signal));
    this.#programs.push(program);
    writeFileSync(join(folder, 'go'), '');
    this.#timer ??= setInterval(() => {
      for (const one of this.#programs) one.look();
      void this.state();
    }, POLL_MS);
    return program;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#id !== undefined && !this.#isOver) await this.#cancel(this.#id);
  }

  /** Sends a signal to all processes of all hosts once, repeated until Slurm accepts it. */
  async #signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#id === undefined || this.#sent.has(signal)) return;
    this.#sent.add(signal);
    // SIGKILL ends the job: its processes are killed after the cluster's KillWait.
    const words = signal === 'SIGTERM' ? ['--signal=TERM'] : [];
    while (!this.#isOver && !(await this.#cancel(this.#id, ...words))) await sleep(ASK_MS);
  }

  /** False if Slurm did not answer. */
  async #cancel(id: number, ...words: readonly string[]): Promise<boolean> {
    try {
      await this.#slurm.run('scancel', '--quiet', ...words, String(id));
      return true;
    } catch (error) {
      if (!isTrenioError(error, 'SLURM_FAILED')) throw error;
      return /Invalid job id/i.test(error.message);
    }
  }
}

class SlurmProgram<Host> implements RunningProgram<Host> {
  readonly host: Host;
  readonly ended: Promise<void>;
  exit: number | undefined;
  /** The nodes of a cluster set no limits. */
  readonly group = undefined;
  readonly #folder: string;
  readonly #onLine: (line: string) => void;
  readonly #resolve: () => void;
  readonly #signal: (signal: 'SIGTERM' | 'SIGKILL') => void;
  #read = 0;
  #rest = Buffer.alloc(0);

  constructor(
    host: Host,
    folder: string,
    onLine: (line: string) => void,
    signal: (signal: 'SIGTERM' | 'SIGKILL') => void,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.host = host;
    this.ended = promise;
    this.#folder = folder;
    this.#onLine = onLine;
    this.#resolve = resolve;
    this.#signal = signal;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.exit === undefined) this.#signal(signal);
  }

  async release(): Promise<void> {
    // Its files are removed with the folder of the attempt.
  }

  /** Reads its new output, and whether it has ended. */
  look(): void {
    if (this.exit !== undefined) return;
    const code = readIfThere(join(this.#folder, 'exit'));
    this.#readOutput();
    if (code !== undefined) this.#end(Number(code));
  }

  /** The Slurm job has ended without the program. */
  lose(): void {
    this.#end(143);
  }

  #end(code: number): void {
    this.exit = code;
    if (this.#rest.length > 0) this.#onLine(this.#rest.toString());
    this.#resolve();
  }

  #readOutput(): void {
    const path = join(this.#folder, 'output.log');
    if (!existsSync(path)) return;
    const file = openSync(path, 'r');
    try {
      const chunk = Buffer.alloc(65_536);
      for (let n = readSync(file, chunk, 0, chunk.length, this.#read); n > 0; ) {
        this.#read += n;
        this.#rest = Buffer.concat([this.#rest, chunk.subarray(0, n)]);
        n = readSync(file, chunk, 0, chunk.length, this.#read);
      }
    } finally {
      closeSync(file);
    }
    for (let at = this.#rest.indexOf(10); at >= 0; at = this.#rest.indexOf(10)) {
      this.#onLine(this.#rest.toString('utf8', 0, at).replace(/\r$/, ''));
      this.#rest = this.#rest.subarray(at + 1);
    }
  }
}

/** Runs as a task on each node. Slurm sends SIGTERM to all of its processes, so the shell waits for its child. */
const taskScript = (folder: string): string => `
name=algo-$((SLURM_PROCID + 1))
cd ${quoted(folder)}/"$name" || exit 1
asked=
trap 'asked=yes' TERM
while [ ! -e go ]; do sleep 0.1; done
# The hosts of the job by the addresses of their nodes, if each has its own.
n=0
for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
  n=$((n + 1))
  address=$(scontrol -o show node "$node" | sed -n 's/.* NodeAddr=\\([^ ]*\\) .*/\\1/p')
  address=$(getent ahostsv4 "$address" | awk 'NR == 1 { print $1 }')
  case "$address" in ''|127.*) ;; *) sed -i "s/^[0-9.]* algo-$n\\$/$address algo-$n/" hosts ;; esac
done
code=${ENDED_CODE}
if [ -z "$asked" ]; then
  sh start.sh > output.log 2>&1 < /dev/null & child=$!
  while :; do
    wait "$child"; code=$?
    kill -0 "$child" 2>/dev/null || break
  done
fi
echo "$code" > exit.new && mv exit.new exit
`;

const fieldOf = (record: string, name: string): string => new RegExp(`\\b${name}=(\\S+)`).exec(record)?.[1] ?? '';

const goesOn: ReadonlySet<string> = new Set([
  ...['PENDING', 'CONFIGURING', 'REQUEUED', 'RESIZING', 'RUNNING', 'SUSPENDED', 'STOPPED', 'SIGNALING'],
  ...['STAGE_OUT', 'COMPLETING'],
]);
/** Its last process has ended. */
export const isOver = (record: string): boolean => !goesOn.has(fieldOf(record, 'JobState'));

const describeEnd = (record: string): string => `${fieldOf(record, 'JobState')} on ${fieldOf(record, 'NodeList')}`;

/** In Slurm's format. */
export const CANCELED = `CANCEL${'LED'}`;

/** Translates Slurm's states to those of an engine. */
export function stateOf(record: string): EngineState {
  const state = fieldOf(record, 'JobState');
  const isPreempted = !['', 'None'].includes(fieldOf(record, 'PreemptTime'));
  switch (state) {
    case 'CONFIGURING':
      return { kind: 'waiting', reason: 'its nodes in the cluster are starting' };
    case 'PENDING':
    case 'REQUEUED':
    case 'RESIZING':
      return { kind: 'waiting', reason: `in the cluster's queue: ${describeReason(fieldOf(record, 'Reason'))}` };
    case 'RUNNING':
    case 'SUSPENDED':
    case 'STOPPED':
    case 'SIGNALING':
    case 'STAGE_OUT':
    case 'COMPLETING':
    case 'COMPLETED':
    case 'FAILED':
    case 'OUT_OF_MEMORY':
      return { kind: isPreempted ? 'preempted' : 'ready' };
    case 'PREEMPTED':
      return { kind: 'preempted' };
    case CANCELED:
      return { kind: isPreempted ? 'preempted' : 'canceled' };
    default:
      return { kind: 'lost', reason: `Slurm ended the job: ${describeEnd(record)}` };
  }
}

const featureOf = (instanceType: string): string => instanceType.replace(/^ml\./, '').replaceAll(/[^\w.-]/g, '_');

/** Spot jobs run in a spot queue if there is one, other jobs in a queue that is not spot. */
function queueOf({ groups, partitions }: ClusterPlan, instanceType: string, isSpot: boolean): string {
  const queues = groups.filter(one => `ml.${one.instanceType}` === instanceType).map(({ queue }) => queue);
  const wanted = partitions.filter(
    ({ name, capacityType }) => queues.includes(name) && (capacityType === 'SPOT') === isSpot,
  );
  return wanted[0]?.name ?? queues[0] ?? partitions[0]!.name;
}
