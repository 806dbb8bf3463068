// Separate networks for processes on this machine: Linux namespaces, connected by a bridge. A network disappears with its last
// process, and so do its virtual interfaces, so nothing is left behind.
//
//   bridge ─── veth ─┊─ eth0 (host 1)
//          └── veth ─┊─ eth0 (host 2)
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SET_UP_MS = 10_000;
/** Makes interface names unique; they have at most 15 characters. */
let made = 0;

let allowed: Promise<boolean> | undefined;

/** Whether this process may create network namespaces; tested once. */
export function canMakeNetworks(): Promise<boolean> {
  allowed ??= tryNetwork();
  return allowed;
}

async function tryNetwork(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  try {
    await run('unshare', [
      ...['--net', '--uts', '--mount', '--pid', '--fork', 'sh', '-c'],
      // The kernel may not support bridges.
      'ip link add bridge0 type bridge && ip link add veth1 type veth peer name veth2',
    ]);
    return true;
  } catch {
    // Not permitted or not installed: hosts share the machine's network.
    return false;
  }
}

/** A process in a new network, in which only the loopback interface is up. @param setUp additional shell commands */
export async function networkHolder(setUp = ':'): Promise<ChildProcess & { readonly pid: number }> {
  const holder = spawn(
    'setpriv',
    [
      ...['--pdeathsig=KILL', 'unshare', '--net', 'sh', '-euc'],
      `ip link set lo up || :; ${setUp}; echo up; exec sleep infinity`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await new Promise<void>((resolve, reject) => {
    holder.stdout!.once('data', () => resolve());
    holder.once('error', reject);
    holder.once('exit', code => reject(new Error(`a network namespace could not be created (exit code ${code})`)));
  });
  return holder as ChildProcess & { readonly pid: number };
}

/** A command prefix that runs a command in the network of a process. */
export const inNetworkOf = (pid: number): readonly string[] => ['nsenter', `--net=/proc/${pid}/ns/net`];

/**
 * Connects the network of a process to a bridge, as the interface eth0.
 * @param bridgeOf the process whose network has the bridge; undefined: the machine's
 */
export async function connectToBridge(pid: number, bridge: string, bridgeOf?: number): Promise<void> {
  const link = `tv${pid % 1_000_000}-${made++ % 10_000}`;
  const where = bridgeOf === undefined ? [] : inNetworkOf(bridgeOf);
  const ip = (...words: readonly string[]): Promise<unknown> => {
    const [command, ...args] = [...where, 'ip', ...words];
    return run(command!, args);
  };
  await ip('link', 'add', link, 'master', bridge, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  await ip('link', 'set', link, 'up');
}

/** Waits until a process that was started as `unshare --net …` has left the machine's network. */
export async function leftOurNetwork(child: ChildProcess): Promise<void> {
  const here = readlinkSync('/proc/self/ns/net');
  const until = performance.now() + SET_UP_MS;
  while (namespaceOf(child.pid!) === here) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error('the process ended before it had a network');
    await new Promise(done => setTimeout(done, 5));
  }
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // The process has ended; its exit code is the error.
    return undefined;
  }
}
