// Own hosts as nodes: slurmd is started by ssh, whose process runs as long as slurmd. If the connection is lost, slurmd
// continues, and the next connection finds it.
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, lifeOf, type ProcessIdentity } from '../../base/process-identity.ts';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import { endProcess } from '../local/end-process.ts';
import type { NodeActions, NodeProvider, NodeStart } from '../node-provider.ts';
import type { OwnHost } from './host-check.ts';
import { ACTION_FAILED } from './host-scripts.ts';
import { addressOfHost, programsState, pushFiles } from './own-hosts.ts';
import { quoted, runOnHost, SshError, sshWords } from './ssh-client.ts';

export class SshNodes implements NodeProvider {
  readonly endsWithProcess = false;
  readonly restartMs = 5000;
  readonly #folder: ClusterFolder;
  readonly #state: ClusterState;
  readonly #variables: NodeJS.ProcessEnv;
  readonly #log: (line: string) => void;
  /** The state of the user's programs that each node has. */
  readonly #programs = new Map<string, string>();

  constructor(folder: ClusterFolder, state: ClusterState, variables: NodeJS.ProcessEnv, log: (line: string) => void) {
    this.#folder = folder;
    this.#state = state;
    this.#variables = variables;
    this.#log = log;
  }

  async open(): Promise<void> {
    // Nothing to prepare on this machine.
  }

  async start({ name, isResumed, actions }: NodeStart): Promise<ProcessIdentity> {
    const { path } = this.#folder;
    const host = this.#hostOf(name);
    const address = addressOfHost(host, this.#state);
    // If it fails, ssh reports it again below, in the log of the node, and the start is retried.
    await this.#push(name);
    const { start = '', configured = '', failure, log } = actions;
    const words = [name, start, configured, failure, log, ...(isResumed ? ['-b'] : [])];
    const command = ['sh', join(path, 'bin/host-node.sh'), ...words].map(quoted).join(' ');
    const output = openSync(join(path, `log/node.${name}.out`), 'a');
    const [program, ...args] = sshWords(address, command);
    const child = spawn(program!, args, {
      env: this.#variables,
      detached: true,
      stdio: ['ignore', 'ignore', output],
    });
    closeSync(output);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.once('exit', code => {
      if (code === ACTION_FAILED) void this.#fetchFailure(name, host, actions);
    });
    child.unref();
    return identityOf(child.pid!);
  }

  async refresh(names: readonly string[]): Promise<void> {
    const now = programsState(this.#folder.path);
    await Promise.all(names.filter(name => this.#programs.get(name) !== now).map(name => this.#push(name)));
  }

  async #push(name: string): Promise<void> {
    const { path } = this.#folder;
    const host = this.#hostOf(name);
    // What changes during the copy is copied by the next one.
    const programs = programsState(path);
    try {
      await pushFiles(addressOfHost(host, this.#state), path);
      this.#programs.set(name, programs);
    } catch (error) {
      if (!(error instanceof SshError)) throw error;
      this.#log(`${name}: ${host.target}: ${error.message}`);
    }
  }

  async stop(name: string, process: ProcessIdentity): Promise<void> {
    if (lifeOf(process) !== 'ended') endProcess(process, 'SIGKILL');
    const host = this.#hostOf(name);
    const script = join(this.#folder.path, 'bin/host-stop.sh');
    try {
      await runOnHost(addressOfHost(host, this.#state), `sh ${quoted(script)}`);
    } catch (error) {
      if (!(error instanceof SshError)) throw error;
      this.#log(`${name} could not be stopped: ${host.target}: ${error.message}`);
    }
  }

  /** Copies the message and output of a failed custom action to the files in which virtual nodes leave them. */
  async #fetchFailure(name: string, host: OwnHost, { failure, log }: NodeActions): Promise<void> {
    const address = addressOfHost(host, this.#state);
    const read = (path: string): Promise<string> => runOnHost(address, `cat ${quoted(path)}`);
    try {
      writeFileSync(log, await read(log));
      writeFileSync(failure, await read(failure));
    } catch (error) {
      if (!(error instanceof SshError)) throw error;
      this.#log(`${name}: ${host.target}: ${error.message}`);
    }
  }

  #hostOf(name: string): OwnHost {
    const host = this.#state.hosts[name];
    if (host === undefined) throw new Error(`Trenio bug: the node ${name} has no host.`);
    return host;
  }
}
