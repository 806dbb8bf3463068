// Runs commands on a host of a cluster with this machine's ssh: without passwords, with the keys and settings of its
// configuration.
import { type ChildProcess, spawn } from 'node:child_process';

export interface SshAddress {
  readonly target: string;
  readonly port?: number | undefined;
  /** A configuration file of ssh; undefined: the user's. */
  readonly config?: string | undefined;
}

const CONNECT_SECONDS = 10;
const ALIVE_SECONDS = 10;
const TIMEOUT_MS = 60_000;

/** The arguments of a command line that runs a shell command on the host. */
export const sshWords = ({ target, port, config }: SshAddress, command: string): readonly string[] => [
  'ssh',
  ...(config === undefined ? [] : ['-F', config]),
  ...['-T', '-o', 'BatchMode=yes', '-o', `ConnectTimeout=${CONNECT_SECONDS}`],
  ...['-o', `ServerAliveInterval=${ALIVE_SECONDS}`, '-o', 'ServerAliveCountMax=3'],
  ...(port === undefined ? [] : ['-p', String(port)]),
  '--',
  target,
  command,
];

/** A command failed on a host, or the host could not be reached. */
export class SshError extends Error {}

/**
 * Runs a shell command on the host. Resolves with its output.
 * @param input its standard input
 * @throws {SshError}
 */
export function runOnHost(address: SshAddress, command: string, input?: Buffer): Promise<string> {
  const [program, ...args] = sshWords(address, command);
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  const output = collect(child);
  // An unreachable host does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new SshError(error.message)));
    child.once('close', code => {
      const { stdout, stderr } = output();
      if (code === 0) resolve(stdout);
      else reject(new SshError(lastLines(stderr) || `the command ended with exit code ${code}`));
    });
  });
}

function collect({ stdout, stderr }: ChildProcess): () => { readonly stdout: string; readonly stderr: string } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  stdout!.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  stderr!.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  return () => ({ stdout: String(Buffer.concat(chunks.stdout)), stderr: String(Buffer.concat(chunks.stderr)) });
}

/** Without the prefix `ssh:`, because callers add the name of the host. */
const lastLines = (text: string): string =>
  text
    .trim()
    .split('\n')
    .slice(-2)
    .map(line => line.replace(/^ssh: /, ''))
    .join('; ')
    .replaceAll('\r', '');

/** Quotes a word for a shell command. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
