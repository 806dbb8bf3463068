// A private view of the machine for a job's host: /opt/ml is the job's, /tmp and /dev/shm are private, the folders of the server
// are not visible, processes see only each other, and the host has a separate name. Programs have no capabilities, and, if the
// server is root, another user. Made of Linux namespaces with util-linux's `unshare`; no daemon, no image.
//
// If namespaces are not permitted, the program runs without them, and `describeIsolation` reports it in the job's log.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { jobVariables, type Variables } from '../../base/environment.ts';
import { sealFile, trenioFolder } from '../../base/secret-seal.ts';
import { asFirstProcess, type Signaled } from '../hosts/first-process.ts';
import { inNetworkOf } from '../hosts/network-namespace.ts';

export type Isolation = 'namespaces' | 'user-namespaces' | 'none';

const NAMESPACES = ['--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child=SIGKILL'];

/** The user and group of jobs of a server that is root, with the name that it has on all systems. */
const UNPRIVILEGED = 65_534;
const UNPRIVILEGED_NAME = `no${'body'}`;
const AS_UNPRIVILEGED = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'];
const NO_CAPABILITIES = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];

/** The user of the programs of jobs; undefined: that of the server. */
export const jobUser = (isolation = detectIsolation()): number | undefined =>
  isolation === 'namespaces' ? UNPRIVILEGED : undefined;

let detected: Isolation | undefined;

/** The permissions on this machine, tested once. */
export function detectIsolation(): Isolation {
  detected ??= works([], AS_UNPRIVILEGED)
    ? 'namespaces'
    : works(['--user', '--map-root-user'], [])
      ? 'user-namespaces'
      : 'none';
  return detected;
}

const works = (more: readonly string[], user: readonly string[]): boolean =>
  spawnSync(
    'unshare',
    [
      ...[...more, ...NAMESPACES, 'sh', '-euc'],
      `mount --make-rprivate /; mount -t proc proc /proc; setpriv ${[...user, ...NO_CAPABILITIES].join(' ')} true`,
    ],
    { stdio: 'ignore' },
  ).status === 0;

/** The variables that a program of a job gets from the server. Another user has its home in its private /tmp. */
export const programVariables = (): Variables =>
  jobUser() === undefined
    ? jobVariables()
    : { ...jobVariables(), HOME: '/tmp', USER: UNPRIVILEGED_NAME, LOGNAME: UNPRIVILEGED_NAME };

export interface HostView {
  /** On this machine: has the folders `ml` and `tmp`, and the file `hosts`. */
  readonly folder: string;
  readonly hostName: string;
  /** The process whose network the host shares; undefined: the machine's. */
  readonly networkOf: number | undefined;
  /** Further paths that stay visible if they are below /tmp, or in a folder that the job's user cannot enter. */
  readonly expose: readonly string[];
  /** Folders and files that are not visible, such as the server's. */
  readonly hidden: readonly string[];
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
  const owner = jobUser(isolation);
  const { exposed, closed } = visiblePaths(view, command, owner);
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
    owner === undefined ? '' : `${owner}:${owner}`,
    ...[closed, exposed.flatMap(({ path, at }) => [path, at]), closed, view.hidden].flatMap(list => [
      String(list.length),
      ...list,
    ]),
    ...['setpriv', ...(owner === undefined ? [] : AS_UNPRIVILEGED), ...NO_CAPABILITIES],
    ...command,
  ];
}

// $1 the view's folder, $2 the host name, $3 the owner of the job's files; then four lists, each after its length: folders that
// are replaced, paths with their places in the view's folder, the same folders again, and what is hidden; then the command. The
// view's folder may be in a folder that is replaced: from then on it is only the working directory.
const SET_UP = `
view=$1; name=$2; owner=$3; shift 3
mount --make-rprivate /
hostname "$name"
# When memory runs out, the system ends the job before the server.
echo 1000 > /proc/self/oom_score_adj || :
[ -z "$owner" ] || chown -Rh "$owner" "$view/ml"
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
n=0; length=$1; shift
while [ "$n" -lt "$length" ]; do
  mkdir -p "$view/open/$n"
  mount -t tmpfs -o mode=755 tmpfs "$view/open/$n"
  n=$((n + 1)); shift
done
length=$1; shift
while [ "$length" -gt 0 ]; do
  target="$view/$2"
  mkdir -p "$(dirname "$target")"
  if [ -d "$1" ]; then mkdir -p "$target"; elif [ ! -e "$target" ]; then : > "$target"; fi
  mount --bind "$1" "$target"
  length=$((length - 2)); shift 2
done
chmod 1777 "$view/tmp"
cd "$view"
mount --no-canonicalize --rbind opt /opt
n=0; length=$1; shift
while [ "$n" -lt "$length" ]; do
  mount --no-canonicalize --rbind "open/$n" "$1"
  n=$((n + 1)); shift
done
mount --no-canonicalize --rbind tmp /tmp
[ ! -d /dev/shm ] || mount -t tmpfs -o mode=1777 tmpfs /dev/shm
length=$1; shift
while [ "$length" -gt 0 ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o mode=000 tmpfs "$1"; elif [ -e "$1" ]; then mount --bind /dev/null "$1"; fi
  length=$((length - 1)); shift
done
mount -t proc proc /proc
cd /opt/ml
`;

interface VisiblePaths {
  /** Folders that the job's user cannot enter, but that have paths it needs: replaced by folders with nothing else. */
  readonly closed: readonly string[];
  /** `at`: the place in the view's folder. */
  readonly exposed: readonly { readonly path: string; readonly at: string }[];
}

/** The paths in hidden folders that a program needs: the folders of its files, and those that the view names. */
function visiblePaths({ expose }: HostView, command: readonly string[], owner: number | undefined): VisiblePaths {
  const words = [...expose, dirname(process.execPath), ...command].filter(word => isAbsolute(word) && existsSync(word));
  const closed: string[] = [];
  const exposed = new Map<string, string>();
  for (const path of new Set(words.map(folderOf))) {
    const above = path.startsWith('/tmp/') ? '/tmp' : foldersAbove(path).find(one => !canEnter(one, owner));
    if (above === undefined) continue;
    if (above !== '/tmp' && !closed.includes(above)) closed.push(above);
    const root = above === '/tmp' ? 'tmp' : join('open', String(closed.indexOf(above)));
    // The job's user may enter what is in a folder, if not the folder itself.
    const parts = canEnter(path, owner) ? [path] : readdirSync(path).map(name => join(path, name));
    for (const part of parts) exposed.set(part, join(root, part.slice(above.length)));
  }
  return {
    closed,
    exposed: [...exposed]
      .filter(([path]) => ![...exposed.keys()].some(other => path.startsWith(`${other}/`)))
      .map(([path, at]) => ({ path, at })),
  };
}

/** The folder of a file, or all of what is installed with a program: `/root/venv` for `/root/venv/bin/python`. */
function folderOf(path: string): string {
  if (statSync(path).isDirectory() && basename(path) !== 'bin') return path;
  const folder = basename(path) === 'bin' ? path : dirname(path);
  if (folder === '/tmp') return path;
  return basename(folder) === 'bin' ? dirname(folder) : folder;
}

/** From the root; the path itself is the last. */
const foldersAbove = (path: string): readonly string[] => (path === '/' ? [] : [...foldersAbove(dirname(path)), path]);

function canEnter(path: string, owner: number | undefined): boolean {
  if (owner === undefined) return true;
  const found = statSync(path);
  const needed = found.uid === owner ? 0o500 : 0o005;
  return !found.isDirectory() || (found.mode & needed) === needed;
}

/**
 * The paths that jobs do not see: the server's folder, in which each of them has a part, the key that encrypts its secrets, and
 * the folders of other servers and of clusters.
 */
export const hiddenFromJobs = (data: string): readonly string[] =>
  [data, sealFile(), trenioFolder()].filter(path => existsSync(path)).map(path => realpathSync(path));

/** A message to a job about its environment; undefined if there is none. */
export function describeIsolation(isolation: Isolation, wantsNoNetwork: boolean): string | undefined {
  if (isolation !== 'none') return undefined;
  const network = wantsNoNetwork ? ', and it can reach the network although EnableNetworkIsolation is set' : '';
  return `This machine does not allow namespaces (unshare failed): the job sees the files and processes of the machine${network}. Its folders are in the SM_ variables, not in /opt/ml.`;
}
