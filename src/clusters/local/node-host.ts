// A virtual node: the processes of one slurmd and its jobs. With namespaces it has separate processes, network, host name and
// spool, and ends as a whole, like a host that is switched off; its network disappears with its last process.
// Without them (no root), nodes share the machine's network and use different ports.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { identityOf, type ProcessIdentity } from '../../base/process-identity.ts';
import { connectToBridge, leftOurNetwork } from '../../jobs/hosts/network-namespace.ts';
import type { NodeStart } from '../node-provider.ts';
import { MOUNT_ALL } from '../storage/shared-view.ts';

export interface NodeSite {
  readonly runFolder: string;
  readonly logFolder: string;
  readonly slurmd: string;
  readonly variables: NodeJS.ProcessEnv;
  /** The `mountTable` of the shared storage. */
  readonly mounts: string;
  /** Undefined: nodes share the machine's network. */
  readonly network: { readonly bridge: string; readonly gateway: string; readonly hostsFile: string } | undefined;
}

/** Custom actions: if one fails, the node ends. */
const ACTIONS = `
start=$1 configured=$2 failure=$3 log=$4
shift 4
act() { [ -z "$1" ] || "$1" "$node" "$failure" >> "$log" 2>&1; }
`;
/** Without namespaces. */
const PLAIN_INIT = `
node=$1
shift
${ACTIONS}
act "$start"
act "$configured"
exec "$@"
`;
/** Runs as process 1 of the node: sets up the node, and ends when slurmd does. */
const INIT = `
node=$1 address=$2 hosts=$3 spool=$4 gateway=$5 mounts=$6
shift 6
${ACTIONS}
mount --make-rprivate / && mount -t proc proc /proc
hostname "$node"
until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
ip link set lo up && ip addr add "$address/16" dev eth0 && ip link set eth0 up && ip route add default via "$gateway"
mount --bind "$hosts" /etc/hosts && mount --bind "$spool/$node" "$spool"
act "$start"
${MOUNT_ALL}
act "$configured"
"$@" &
wait $!
`;

/** @param address the node's own; undefined without a separate network */
export async function startNode(
  site: NodeSite,
  { name, isResumed, actions }: NodeStart,
  address: string | undefined,
): Promise<ProcessIdentity> {
  const { runFolder, logFolder, slurmd, variables, network } = site;
  await mkdir(`${runFolder}/t/${name}`, { recursive: true, mode: 0o1777 });
  await mkdir(`${runFolder}/s/${name}`, { recursive: true });
  const output = openSync(`${logFolder}/node.${name}.out`, 'a');
  const daemon = [slurmd, '-D', '-N', name, ...(isResumed ? ['-b'] : [])];
  const { start, configured, failure, log } = actions;
  const actionWords = [start ?? '', configured ?? '', failure, log];
  const hasActions = start !== undefined || configured !== undefined;
  const [command, ...args] =
    network === undefined || address === undefined
      ? hasActions
        ? ['bash', '-euc', PLAIN_INIT, 'node', name, ...actionWords, ...daemon]
        : daemon
      : [
          'unshare',
          ...['--net', '--uts', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'],
          ...['bash', '-euc', INIT, 'node', name, address],
          ...[network.hostsFile, `${runFolder}/s`, network.gateway, site.mounts],
          ...actionWords,
          ...daemon,
        ];
  const child = spawn(command!, args, { env: variables, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const process = identityOf(child.pid!);
  if (network !== undefined && address !== undefined) {
    // `unshare` enters the new network immediately after its start.
    await leftOurNetwork(child);
    await connectToBridge(child.pid!, network.bridge);
  }
  return process;
}
