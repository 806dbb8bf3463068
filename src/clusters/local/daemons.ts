// The daemons of a cluster on this machine: munged, slurmctld and, with accounting, a MariaDB and slurmdbd. Daemons that have
// ended are restarted.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TrenioError } from '../../base/errors.ts';
import {
  formatIdentity,
  identityOf,
  lifeOf,
  type ProcessIdentity,
  parseIdentity,
} from '../../base/process-identity.ts';
import type { ClusterFolder, ClusterProcesses, ClusterState } from '../cluster-folder.ts';
import { databaseServer, databaseSocket, installDatabase } from '../slurm/accounting.ts';
import { SlurmClient } from '../slurm/slurm-client.ts';
import { databasePrograms, slurmPrograms, slurmUser } from '../slurm/slurm-programs.ts';

const run = promisify(execFile);
/** The minimum time between two starts of a daemon that keeps failing. */
const RESTART_MS = 2000;
const START_MS = 60_000;
/**
 * slurmctld saves its state a few seconds after a change: one that was killed may take jobs for running that have ended. It looks
 * for them when a node registers, if they started at least 20 s earlier (BatchStartTimeout and a message), and requeues them;
 * after its start, nodes register at once, and next 20 minutes later.
 */
const REGISTER_MS = 22_000;

const names = ['munged', 'mariadbd', 'slurmdbd', 'slurmctld'] as const;
type Daemon = (typeof names)[number];

export class Daemons {
  readonly #folder: ClusterFolder;
  readonly #state: ClusterState;
  readonly #hasDatabase: boolean;
  readonly #variables: NodeJS.ProcessEnv;
  readonly #log: (line: string) => void;
  readonly #slurm: SlurmClient;
  readonly #programs = slurmPrograms();
  readonly #running = new Map<Daemon, ProcessIdentity>();
  /** When each was last started, to limit restarts of daemons that fail immediately. */
  readonly #attempts = new Map<Daemon, number>();
  /** When the nodes are to register again. */
  #registersAt = Number.POSITIVE_INFINITY;

  constructor(
    folder: ClusterFolder,
    state: ClusterState,
    hasDatabase: boolean,
    variables: NodeJS.ProcessEnv,
    log: (line: string) => void,
  ) {
    this.#folder = folder;
    this.#state = state;
    this.#hasDatabase = hasDatabase;
    this.#variables = variables;
    this.#log = log;
    this.#slurm = new SlurmClient(folder.conf);
  }

  /** Adopts running daemons. */
  adopt(processes: ClusterProcesses): void {
    for (const name of names) {
      const process = parseIdentity(processes[name] ?? '');
      if (process !== undefined && lifeOf(process) !== 'ended') this.#running.set(name, process);
    }
    // It may have been started again a moment ago, by a supervisor that was killed before the nodes registered.
    if (this.#running.has('slurmctld')) this.#registersAt = performance.now() + REGISTER_MS;
  }

  get processes(): readonly ProcessIdentity[] {
    return [...this.#running.values()];
  }

  /** The identities of the daemons, as stored. */
  stored(): Partial<Record<Daemon, string>> {
    return Object.fromEntries([...this.#running].map(([name, process]) => [name, formatIdentity(process)]));
  }

  /** Whether all that have been started are still running. */
  get areRunning(): boolean {
    return this.#running.has('slurmctld') && this.processes.every(process => lifeOf(process) !== 'ended');
  }

  /** Starts munged if it is not running; true if it was started. */
  startMunged(): Promise<boolean> {
    const munge = join(this.#state.runFolder, 'munge');
    return this.#ensureDaemon(
      'munged',
      [
        this.#programs.munged,
        '--foreground',
        '--force',
        `--key-file=${join(this.#folder.path, 'etc/munge.key')}`,
        `--socket=${munge}/munge.sock`,
        `--pid-file=${munge}/munged.pid`,
        `--log-file=${join(this.#folder.path, 'log/munged.log')}`,
        `--seed-file=${munge}/munged.seed`,
        '--num-threads=4',
      ],
      () => Promise.resolve(existsSync(`${munge}/munge.sock`)),
      () => rmSync(`${munge}/munge.sock`, { force: true }),
    );
  }

  /** Starts the other daemons, which need munged, if they are not running; true if any was started. */
  async startSlurm(): Promise<boolean> {
    const started = [...(this.#hasDatabase ? await this.#startDatabase() : []), await this.#startController()];
    return started.includes(true);
  }

  async #startController(): Promise<boolean> {
    const hadJobs = existsSync(join(this.#folder.path, 'state/job_state'));
    const isStarted = await this.#ensureDaemon('slurmctld', [this.#programs.slurmctld, '-D'], () => this.#slurm.isUp());
    if (isStarted && hadJobs) this.#registersAt = performance.now() + REGISTER_MS;
    if (!isStarted && performance.now() > this.#registersAt) {
      this.#registersAt = Number.POSITIVE_INFINITY;
      await this.#slurm.run('scontrol', 'reconfigure');
    }
    return isStarted;
  }

  async #startDatabase(): Promise<readonly boolean[]> {
    const programs = databasePrograms();
    const { runFolder } = this.#state;
    const user = slurmUser();
    const data = join(this.#folder.path, 'db');
    const socket = databaseSocket(runFolder);
    if (!existsSync(join(data, 'mysql'))) {
      const [command, ...args] = installDatabase(programs['mariadb-install-db'], data, user);
      await run(command!, args);
    }
    const hasServer = await this.#ensureDaemon(
      'mariadbd',
      databaseServer(programs.mariadbd, data, runFolder, user),
      () => Promise.resolve(existsSync(socket)),
      () => rmSync(socket, { force: true }),
    );
    const hasDaemon = await this.#ensureDaemon('slurmdbd', [programs.slurmdbd, '-D'], () =>
      this.#slurm.run('sacctmgr', '-n', 'show', 'cluster').then(
        () => true,
        () => false,
      ),
    );
    // slurmctld's jobs are stored under the name of the cluster, which may already exist.
    if (hasDaemon)
      await this.#slurm.run('sacctmgr', '-i', 'add', 'cluster', this.#state.name).catch((error: Error) => {
        if (!/nothing (?:new )?added|already exists/i.test(error.message)) throw error;
      });
    return [hasServer, hasDaemon];
  }

  /** Starts a daemon if it is not running, and waits until it responds. True if it was started. */
  async #ensureDaemon(
    name: Daemon,
    words: readonly string[],
    answers: () => Promise<boolean>,
    cleanUp: () => void = () => {},
  ): Promise<boolean> {
    const running = this.#running.get(name);
    if (running !== undefined && lifeOf(running) !== 'ended') return false;
    if (performance.now() - (this.#attempts.get(name) ?? Number.NEGATIVE_INFINITY) < RESTART_MS) return false;
    this.#attempts.set(name, performance.now());
    if (running !== undefined) this.#log(`${name} has ended; starting it again`);
    cleanUp();
    const output = openSync(join(this.#folder.path, `log/${name}.out`), 'a');
    const child = spawn(words[0]!, words.slice(1), {
      detached: true,
      env: this.#variables,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    await spawned(child);
    child.unref();
    this.#running.set(name, identityOf(child.pid!));
    for (const until = performance.now() + START_MS; !(await answers()); ) {
      if (child.exitCode !== null || performance.now() > until)
        throw new TrenioError('SLURM_FAILED', { command: name, output: this.#lastLines(`log/${name}.out`) });
      await new Promise(done => setTimeout(done, 20));
    }
    return true;
  }

  /** The last errors of a daemon. */
  #lastLines(name: string): string {
    const text = readFileSync(join(this.#folder.path, name), 'utf8');
    const lines = text.split('\n').filter(line => /error|fatal/i.test(line));
    return lines.slice(-2).join('; ') || `no answer; its output is in ${join(this.#folder.path, name)}`;
  }
}

const spawned = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
