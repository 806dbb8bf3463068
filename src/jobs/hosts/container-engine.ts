// Docker or Podman, if one of them is installed, for images of kind `docker`. The contract is SageMaker's: `run IMAGE train`
// or `run IMAGE serve` with /opt/ml.
//
// Podman has no daemon: its containers share the network namespace, the control group and the termination of the job's other
// programs. Docker's daemon starts containers itself: it gets limits and the network as options, and containers are removed by
// name.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { HostLimits } from './control-group.ts';
import { asFirstProcess } from './first-process.ts';
import { inNetworkOf } from './network-namespace.ts';

export type ContainerEngine = 'podman' | 'docker';

export interface Container {
  readonly engine: ContainerEngine;
  readonly image: string;
  /** A unique name on this machine. */
  readonly name: string;
  readonly hostName: string;
  /** The folder that is mounted as /opt/ml. */
  readonly ml: string;
  /** The file that is mounted as /etc/hosts. */
  readonly hosts: string;
  /** The first word of the command replaces the entrypoint of the image. */
  readonly hasEntrypoint: boolean;
  /** Names of environment variables to pass. Values come from the process that starts it, so they are not in the command line. */
  readonly variables: readonly string[];
  /** The process whose network it shares; undefined: the machine's. */
  readonly networkOf: number | undefined;
  readonly hasNetwork: boolean;
  readonly limits: HostLimits | undefined;
}

const ASK_MS = 20_000;
/** How long results about images are cached. */
const KNOWN_MS = 10_000;
const REMOVE_ATTEMPTS = 2;
/** The kernel may reject the default options of engines. */
const MOST_PROCESSES = 32_768;
const MOST_FILES = 65_536;

let engine: { readonly found: ContainerEngine | undefined; readonly timeMs: number } | undefined;
const images = new Map<string, { readonly isThere: boolean; readonly timeMs: number }>();

const succeeds = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore', timeout: ASK_MS }).status === 0;

/** The engine of this machine; undefined if none works. */
export function findEngine(): ContainerEngine | undefined {
  if (engine !== undefined && performance.now() - engine.timeMs < KNOWN_MS) return engine.found;
  const found = succeeds('podman', 'version') ? 'podman' : succeeds('docker', 'version') ? 'docker' : undefined;
  engine = { found, timeMs: performance.now() };
  return found;
}

/** Whether an engine has an image. Images are not pulled, because jobs would have to wait for a registry. */
export function hasImage(which: ContainerEngine, image: string): boolean {
  const known = images.get(image);
  if (known !== undefined && performance.now() - known.timeMs < KNOWN_MS) return known.isThere;
  const isThere = succeeds(which, 'image', 'inspect', image);
  images.set(image, { isThere, timeMs: performance.now() });
  return isThere;
}

/** The words that run a command of an image. */
export function containerWords(container: Container, command: readonly string[]): readonly string[] {
  const { engine: which, networkOf } = container;
  if (which === 'docker') return ['docker', ...runWords(container, command)];
  const network = networkOf === undefined ? [] : inNetworkOf(networkOf);
  const podman = ['podman', '--cgroup-manager=cgroupfs', ...runWords(container, command)];
  if (process.getuid?.() !== 0) return [...network, 'setpriv', '--pdeathsig=KILL', ...podman];
  // Podman leaves a monitor process behind; in a PID namespace it ends with the runner.
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  const first = ['sh', '-euc', asFirstProcess(SET_UP), 'sh'];
  return [...network, 'setpriv', '--pdeathsig=KILL', ...namespaces, ...first, ...podman];
}

const SET_UP = `
mount --make-rprivate /
mount -t proc proc /proc
# crun rejects machines on which both versions of control groups are mounted.
if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
`;

function runWords(container: Container, command: readonly string[]): readonly string[] {
  const { engine: which, image, name, hostName, ml, hosts, hasEntrypoint, variables, hasNetwork, limits } = container;
  const [first, ...rest] = command;
  const own =
    which === 'podman'
      ? // The control group and the network are inherited from the process that starts it.
        ['--cgroups=disabled', '--network=host', '--replace', ...ulimits()]
      : [
          `--network=${hasNetwork ? 'host' : 'none'}`,
          ...(limits === undefined ? [] : [`--memory=${limits.memoryBytes}`, `--pids-limit=${limits.tasks}`]),
          ...(limits?.cores === undefined ? [] : [`--cpus=${limits.cores}`]),
        ];
  return [
    ...['run', '--rm', '--pull=never', `--name=${name}`, `--hostname=${hostName}`, ...own],
    ...['--cap-drop=all', '--security-opt=no-new-privileges'],
    ...['-v', `${ml}:/opt/ml`, '-v', `${hosts}:/etc/hosts:ro`],
    ...variables.flatMap(variable => ['-e', variable]),
    ...(hasEntrypoint && first !== undefined ? ['--entrypoint', first, image, ...rest] : [image, ...command]),
  ];
}

/** By default, Podman requests limits that this process may not set. */
function ulimits(): readonly string[] {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const hard = (name: string, most: number): number => {
    const number = Number(new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(limits)?.[1] ?? most);
    return Math.min(number, most);
  };
  const [files, processes] = [hard('Max open files', MOST_FILES), hard('Max processes', MOST_PROCESSES)];
  return [`--ulimit=nofile=${files}:${files}`, `--ulimit=nproc=${processes}:${processes}`];
}

/** Removes a container that may be left because its client was killed, or its daemon continues without one. */
export function removeContainer({ engine: which, name }: Pick<Container, 'engine' | 'name'>): void {
  const ignore = which === 'podman' ? ['--ignore'] : [];
  // If the monitor of a container was killed with it, Podman fails once, and then records that the container has ended.
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++)
    if (succeeds(which, 'rm', '--force', ...ignore, name)) return;
}
