// A private view of the file system for a job's host: /opt/ml is the job's, /tmp is private, processes see only each other, and
// the host has a separate name. Made of Linux namespaces with util-linux's `unshare`; no daemon, no image.
//
// If namespaces are not permitted, the program runs without them, and `describeIsolation` reports it in the job's log.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { asFirstProcess, type Signaled } from '../hosts/first-process.ts';
import { inNetworkOf } from '../hosts/network-namespace.ts';

export type Isolation = 'namespaces' | 'user-namespaces' | 'none';

const NAMESPACES = ['--mount', '--pid', '--uts', '--fork', '--kill-child=SIGKILL'];

let detected: Isolation | undefined;

/** The permissions on this machine, tested once. */
export function detectIsolation(): Isolation {
  detected ??= works([]) ? 'namespaces' : works(['--user', '--map-root-user']) ? 'user-namespaces' : 'none';
  return detected;
}

const works = (more: readonly string[]): boolean =>
  spawnSync('unshare', [...more, ...NAMESPACES, 'sh', '-c', 'mount --make-rprivate / && mount -t proc proc /proc'], {
    stdio: 'ignore',
  }).status === 0;

export interface HostView {
  /** On this machine: has the folders `ml` and `tmp`, and the file `hosts`. */
  readonly folder: string;
  readonly hostName: string;
  /** The process whose network the host shares; undefined: the machine's. */
  readonly networkOf: number | undefined;
  /** Further paths that stay visible if they are below /tmp. */
  readonly expose: readonly string[];
}

/** The words that run `command` in the view. */
export function sandboxed(
  view: HostView,
  command: readonly string[],
  isolation: Isolation,
  signaled: Signaled = 'first',
): readonly string[] {
  if (isolation === 'none') return command;
  const network = view.networkOf === undefined ? [] : inNetworkOf(view.networkOf);
  const user = isolation === 'user-namespaces' ? ['--user', '--map-root-user'] : [];
  const exposed = exposedPaths([...view.expose, ...command]);
  return [
    ...network,
    // The whole tree dies with the runner.
    'setpriv',
    '--pdeathsig=KILL',
    'unshare',
    ...user,
    ...NAMESPACES,
    'sh',
    '-euc',
    asFirstProcess(SET_UP, signaled),
    'sh',
    view.folder,
    view.hostName,
    String(exposed.length),
    ...exposed,
    ...command,
  ];
}

// $1 the view's folder, $2 the host name, $3 how many paths below /tmp stay visible, then those, then the command.
const SET_UP = `
view=$1; name=$2; count=$3; shift 3
mount --make-rprivate /
hostname "$name"
# When memory runs out, the system ends the job before the server.
echo 1000 > /proc/self/oom_score_adj || :
mkdir -p "$view/opt"
mount -t tmpfs tmpfs "$view/opt"
for entry in /opt/* ; do
  [ -e "$entry" ] || continue
  target="$view/opt/\${entry##*/}"
  if [ -d "$entry" ]; then mkdir "$target"; else : > "$target"; fi
  mount --rbind "$entry" "$target"
done
mkdir -p "$view/opt/ml" /opt
mount --bind "$view/ml" "$view/opt/ml"
mount --bind "$view/hosts" /etc/hosts
while [ "$count" -gt 0 ]; do
  target="$view/tmp/\${1#/tmp/}"
  mkdir -p "$(dirname "$target")"
  if [ -d "$1" ]; then mkdir -p "$target"; else : > "$target"; fi
  mount --bind "$1" "$target"
  count=$((count - 1)); shift
done
chmod 1777 "$view/tmp"
mount --rbind "$view/opt" /opt
mount --rbind "$view/tmp" /tmp
mount -t proc proc /proc
cd /opt/ml
`;

/** Files below /tmp in the command, with their folders: a private /tmp would hide them. */
function exposedPaths(command: readonly string[]): readonly string[] {
  const paths = command
    .filter(word => isAbsolute(word) && word.startsWith('/tmp/') && existsSync(word))
    .map(word => (statSync(word).isDirectory() || dirname(word) === '/tmp' ? word : dirname(word)));
  const unique = [...new Set(paths)];
  return unique.filter(path => !unique.some(other => other !== path && path.startsWith(`${other}/`)));
}

/** A message to a job about its environment; undefined if there is none. */
export function describeIsolation(isolation: Isolation, wantsNoNetwork: boolean): string | undefined {
  if (isolation !== 'none') return undefined;
  const network = wantsNoNetwork ? ', and it can reach the network although EnableNetworkIsolation is set' : '';
  return `This machine does not allow namespaces (unshare failed): the job sees the files and processes of the machine${network}. Its folders are in the SM_ variables, not in /opt/ml.`;
}
