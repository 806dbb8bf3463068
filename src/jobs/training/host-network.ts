// The network of a job's hosts: their names and addresses, and a network without an outside.
import { type ChildProcess, spawn } from 'node:child_process';

/** Each host has an address of its own on the loopback interface, so that all may listen on one port. */
export const hostsFile = (names: readonly string[]): string =>
  ['127.0.0.1 localhost', '::1 localhost', ...names.map((name, i) => `127.0.1.${i + 1} ${name}`)]
    .map(line => `${line}\n`)
    .join('');

/** A process in a network of its own, where only the loopback interface is up. */
export async function emptyNetwork(): Promise<ChildProcess> {
  const holder = spawn(
    'setpriv',
    ['--pdeathsig=KILL', 'unshare', '--net', 'sh', '-c', 'ip link set lo up; echo up; exec sleep infinity'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await new Promise<void>((resolve, reject) => {
    holder.stdout!.once('data', () => resolve());
    holder.once('error', reject);
    holder.once('exit', code => reject(new Error(`a network namespace could not be created (exit code ${code})`)));
  });
  return holder;
}
