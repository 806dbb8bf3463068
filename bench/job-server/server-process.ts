// `trenio server` in a separate process, on given cores, with a store that a benchmark has filled.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const key = { id: 'BENCH', secret: 'a secret of the benchmark' } as const;
export const region = 'us-east-1';
const root = join(import.meta.dirname, '../..');

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** For a client's process. */
  readonly variables: NodeJS.ProcessEnv;
}

/** @param more further options of `trenio server` */
export async function startServer(
  data: string,
  more: readonly string[] = [],
  cores?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ServerProcess> {
  const command = [
    ...(cores === undefined ? [] : ['taskset', '-c', cores]),
    ...[process.execPath, join(root, 'src/cli/main.ts'), 'server', '--data', data, '--port', '0', '--json'],
    ...['--access-key-id', key.id, '--secret-access-key', key.secret, ...more],
  ];
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  const ready = await firstLine(child);
  const { url } = JSON.parse(ready) as { url: string };
  return {
    url,
    pid: child.pid!,
    variables: {
      ...environment,
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
      AWS_DEFAULT_REGION: region,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await new Promise(done => child.once('exit', done));
    },
  };
}

/** The first line that a process prints. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', code => reject(new Error(`it ended with exit code ${code}`)));
  });
}

/** Restricts this process to these cores. */
export function pinTo(cores: string): void {
  spawnSync('taskset', ['-acp', cores, String(process.pid)], { stdio: 'ignore' });
}

/** CPU seconds that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The peak memory of a process, in MB. */
export function peakMemoryMb(pid: number): number {
  const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(match?.[1]) * 1024) / 1e6;
}
