// Runs Slurm's commands to query and control a cluster.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TrenioError } from '../../base/errors.ts';
import { slurmVariables } from './slurm-programs.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** One record of `scontrol show`: its keys and values. */
export type SlurmRecord = Readonly<Record<string, string>>;

export interface SlurmNode {
  readonly name: string;
  /** In lower case, such as `idle`, `cloud`, `powered_down`, `not_responding`. */
  readonly states: readonly string[];
  readonly address: string;
  readonly reason: string | undefined;
}

export interface SlurmJob {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly partition: string;
  readonly state: string;
  readonly reason: string;
  readonly nodes: string;
  readonly nodeCount: number;
}

/** A job that Slurm still knows, which may have ended. */
export interface SlurmJobDetail {
  readonly name: string;
  readonly user: string;
  readonly state: string;
  /** As Slurm writes them: `a-[1-2]`. */
  readonly nodes: string;
  /** The file with its output; undefined: it has none. */
  readonly output: string | undefined;
}

export interface SlurmReservation {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly nodes: string;
  readonly state: string;
}

export class SlurmClient {
  readonly #variables: NodeJS.ProcessEnv;

  /** @param conf the path of slurm.conf */
  constructor(conf: string) {
    this.#variables = slurmVariables(conf);
  }

  /** @throws {SLURM_FAILED} with the output of the command */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(command, args, {
        env: this.#variables,
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT,
        killSignal: 'SIGKILL',
      });
      return stdout.trim();
    } catch (error) {
      const { stderr, stdout, killed, message } = error as Error & {
        stderr?: string;
        stdout?: string;
        killed?: boolean;
      };
      throw new TrenioError('SLURM_FAILED', {
        command: [command, ...args].join(' '),
        output: killed ? `no answer within ${TIMEOUT_MS / 1000} s` : stderr?.trim() || stdout?.trim() || message,
      });
    }
  }

  /** Whether slurmctld responds. */
  async isUp(): Promise<boolean> {
    return (await this.#orUndefined('scontrol', 'ping'))?.includes(' is UP') ?? false;
  }

  async nodes(): Promise<readonly SlurmNode[]> {
    const text = await this.run('scontrol', '-o', 'show', 'nodes');
    return recordsOf(text).map(({ NodeName = '', State = '', NodeAddr = '', Reason }) => ({
      name: NodeName,
      states: State.replace(/\*$/, '+NOT_RESPONDING').toLowerCase().split('+'),
      address: NodeAddr,
      reason: Reason,
    }));
  }

  /**
   * Resumes drained nodes. Slurm marks those that are switched off as not responding, and would never start them for a job: they
   * are switched off once more.
   */
  async resume(names: readonly string[]): Promise<void> {
    const own = new Set(names);
    try {
      await this.run('scontrol', 'update', `nodename=${names.join(',')}`, 'state=resume');
    } finally {
      // Also if only some of them could be resumed.
      const off = (await this.nodes()).filter(
        ({ name, states }) => own.has(name) && states.includes('powered_down') && states.includes('not_responding'),
      );
      const list = off.map(({ name }) => name).join(',');
      if (list !== '') await this.run('scontrol', 'update', `nodename=${list}`, 'state=power_down_force');
    }
  }

  async reservations(): Promise<readonly SlurmReservation[]> {
    const text = await this.run('scontrol', '-o', 'show', 'reservations');
    return recordsOf(text)
      .filter(({ ReservationName }) => ReservationName !== undefined)
      .map(({ ReservationName = '', StartTime = '', EndTime = '', Nodes = '', State = '' }) => ({
        name: ReservationName,
        startMs: Date.parse(StartTime),
        endMs: Date.parse(EndTime),
        nodes: Nodes,
        state: State,
      }));
  }

  /** Pending and running jobs. */
  async jobs(): Promise<readonly SlurmJob[]> {
    const text = await this.run('squeue', '-h', '-o', '%A|%u|%P|%T|%r|%D|%N|%j');
    return text
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const [id = '', user = '', partition = '', state = '', reason = '', count = '', nodes = '', ...name] =
          line.split('|');
        return {
          id: Number(id),
          name: name.join('|'),
          user,
          partition,
          state,
          reason,
          nodes,
          nodeCount: Number(count),
        };
      });
  }

  /** @throws {SLURM_FAILED} for a job that Slurm does not know */
  async job(id: number): Promise<SlurmJobDetail> {
    const record = recordsOf(await this.run('scontrol', '-o', 'show', 'job', String(id)))[0] ?? {};
    const { JobName = '', UserId = '', JobState = '', NodeList = '', StdOut } = record;
    return {
      name: JobName,
      user: UserId.replace(/\(\d+\)$/, ''),
      state: JobState,
      nodes: NodeList === '(null)' ? '' : NodeList,
      output: StdOut === undefined || StdOut === '' || StdOut === '/dev/null' ? undefined : StdOut,
    };
  }

  /** Returns the id of the job. @param cwd the folder of its output */
  async submit(script: string, cwd: string): Promise<number> {
    const words = ['--parsable', `--chdir=${cwd}`];
    const child = run('sbatch', words, { env: this.#variables, cwd, timeout: TIMEOUT_MS });
    child.child.stdin?.end(script);
    try {
      const { stdout } = await child;
      return Number(stdout.trim().split(';')[0]);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      throw new TrenioError('SLURM_FAILED', { command: 'sbatch', output: stderr?.trim() || message });
    }
  }

  /** The names in a list such as `a-[1-3],b`. */
  async hostNames(list: string): Promise<readonly string[]> {
    return list === '' ? [] : (await this.run('scontrol', 'show', 'hostnames', list)).split('\n');
  }

  async #orUndefined(command: string, ...args: readonly string[]): Promise<string | undefined> {
    try {
      return await this.run(command, ...args);
    } catch (error) {
      if (error instanceof TrenioError) return undefined;
      throw error;
    }
  }
}

/** Lines of `scontrol -o`: KEY=VALUE, where values may contain spaces. */
function recordsOf(text: string): readonly SlurmRecord[] {
  return text
    .split('\n')
    .filter(line => line.includes('='))
    .map(line =>
      Object.fromEntries(
        line.split(/\s+(?=[A-Za-z][\w:/]*=)/).map(word => {
          const at = word.indexOf('=');
          return [word.slice(0, at), word.slice(at + 1)];
        }),
      ),
    );
}
