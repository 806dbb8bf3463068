// The network of a job's hosts. If possible, several hosts have separate networks, connected by a private bridge:
// names, ports and addresses then work as on separate machines. All of it disappears with its processes.
//
//   bridge (holder) ─┬─ algo-1  10.77.0.1, eth0
//                    └─ algo-2  10.77.0.2, eth0
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { canMakeNetworks, connectToBridge, inNetworkOf, networkHolder } from './network-namespace.ts';

const run = promisify(execFile);
const BRIDGE = 'hosts';
const addressOf = (index: number): string => `10.77.${Math.floor((index + 1) / 256)}.${(index + 1) % 256}`;

export type NetworkKind =
  /** The machine's network; each host has its own loopback address, so that all can listen on the same port. */
  | 'shared'
  /** One network for all hosts, without access to the outside. */
  | 'isolated'
  /** A separate network for each host, without access to the outside. */
  | 'own';

export interface HostNetwork extends Disposable {
  readonly kind: NetworkKind;
  /** The interface through which hosts reach each other. */
  readonly interfaceName: string;
  /** The file /etc/hosts. */
  readonly hostsFile: string;
  /** The process whose network a host shares; undefined: the machine's. */
  networkOf(index: number): number | undefined;
}

/** An environment variable of jobs: `machine` for hosts that need access to the outside. */
const HOST_NETWORK = 'TRENIO_HOST_NETWORK';

export interface NetworkWish {
  readonly instanceCount: number;
  /** False if nothing outside of the job may be reachable. */
  readonly hasNetwork: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** The network of a job's hosts on this machine. @param canIsolate whether programs can run in namespaces */
export async function networkKind(
  { instanceCount, hasNetwork, environment }: NetworkWish,
  canIsolate: boolean,
): Promise<NetworkKind> {
  if (!canIsolate) return 'shared';
  if (hasNetwork && (instanceCount === 1 || environment[HOST_NETWORK] === 'machine')) return 'shared';
  if (instanceCount > 1 && (await canMakeNetworks())) return 'own';
  return hasNetwork ? 'shared' : 'isolated';
}

/** A message to a job about its network; undefined if there is none. */
export const describeNetwork = ({ kind }: HostNetwork, { hasNetwork }: NetworkWish): string | undefined =>
  kind === 'own' && hasNetwork
    ? `The hosts of this job have a separate network, and can only reach each other. With ${HOST_NETWORK}=machine in its Environment they share the network of this machine.`
    : undefined;

export async function openNetwork(kind: NetworkKind, names: readonly string[]): Promise<HostNetwork> {
  switch (kind) {
    case 'shared':
      return network(kind, names, []);
    case 'isolated': {
      const { pid } = await networkHolder();
      return network(kind, names, [pid], () => pid);
    }
    case 'own':
      return ownNetworks(names);
  }
}

async function ownNetworks(names: readonly string[]): Promise<HostNetwork> {
  const pids: number[] = [];
  try {
    const bridge = await networkHolder(`ip link add ${BRIDGE} type bridge; ip link set ${BRIDGE} up`);
    pids.push(bridge.pid);
    for (const index of names.keys()) {
      const { pid } = await networkHolder();
      pids.push(pid);
      await connectToBridge(pid, BRIDGE, bridge.pid);
      const setUp = `ip addr add ${addressOf(index)}/16 dev eth0; ip link set eth0 up; ip route add default dev eth0`;
      const [command, ...args] = [...inNetworkOf(pid), 'sh', '-euc', setUp];
      await run(command!, args);
    }
    return network('own', names, pids, index => pids[index + 1]);
  } catch (error) {
    end(pids);
    throw error;
  }
}

function network(
  kind: NetworkKind,
  names: readonly string[],
  pids: readonly number[],
  networkOf: (index: number) => number | undefined = () => undefined,
): HostNetwork {
  const address = (index: number): string => (kind === 'own' ? addressOf(index) : `127.0.1.${index + 1}`);
  const lines = ['127.0.0.1 localhost', '::1 localhost', ...names.map((name, i) => `${address(i)} ${name}`)];
  return {
    kind,
    interfaceName: kind === 'own' ? 'eth0' : 'lo',
    hostsFile: lines.map(line => `${line}\n`).join(''),
    networkOf,
    [Symbol.dispose]: () => end(pids),
  };
}

function end(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
