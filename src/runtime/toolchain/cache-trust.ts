// Whether machine code from a directory may be run: only if no one except the user and root could have written it. That
// depends on the file, its directory and every parent directory, in which another user could replace a directory by
// renaming. (In a directory with the sticky bit, such as /tmp, only the owner of a file can do that to it.)
//
// Files that only the user can write need no signature; the hash next to a file only detects accidental damage.
import * as fs from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';

/** Who else may write the cache: no one, or the group of its directory. */
export type Sharing = 'none' | 'group';

const writableByGroup = 0o020;
const writableByOthers = 0o002;
const sticky = 0o1000;
/** Systems without user ids (Windows) count as one user. */
const userId = process.getuid?.();

/** The problem and its fix. */
export interface Distrust {
  readonly reason: string;
  readonly fix: string;
}

/**
 * Why compiled code in this directory may not be run; undefined if it may. A directory that does not exist yet is judged by those
 * above.
 */
export function distrustOfDirectory(directory: string, sharing: Sharing): Distrust | undefined {
  const path = resolve(directory);
  const own = fs.statSync(path, { throwIfNoEntry: false });
  const real = own === undefined ? path : fs.realpathSync(path);
  // Both the path with links and the resolved path must be closed to others.
  for (const way of new Set([path, real])) {
    for (let at = way; ; at = dirname(at)) {
      const found = distrustOf(
        at,
        fs.lstatSync(at, { throwIfNoEntry: false }),
        sharing,
        own,
        at !== real && at !== path,
      );
      if (found !== undefined) return found;
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

/** Why this file (or directory of files) in a trusted directory may not be used; undefined if it may, or does not exist. */
export function distrustOfEntry(entry: string, sharing: Sharing, files: readonly string[] = []): Distrust | undefined {
  const kind = files.length === 0 ? 'file' : 'directory';
  for (const path of [entry, ...files.map(name => join(entry, name))]) {
    const status = fs.lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) continue;
    const isFit = path === entry && kind === 'directory' ? status.isDirectory() : status.isFile();
    if (!isFit) return { reason: `${path} is not a ${path === entry ? kind : 'file'}`, fix: `remove ${path}` };
    const found = distrustOf(path, status, sharing, sharing === 'group' ? status : undefined, false);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `own`: the cache directory, whose owner and group a shared cache trusts. */
function distrustOf(
  path: string,
  status: fs.Stats | undefined,
  sharing: Sharing,
  own: fs.Stats | undefined,
  isAbove: boolean,
): Distrust | undefined {
  if (status === undefined || userId === undefined) return undefined;
  const { uid, gid, mode } = status;
  const isShared = sharing === 'group' && own !== undefined;
  if (uid !== userId && uid !== 0 && !(isAbove && isUnmapped(uid)) && !(isShared && (uid === own.uid || !isAbove))) {
    const reason = `${path} belongs to another user (${uid})`;
    return { reason, fix: `use a directory of your own (TRENIO_CACHE_DIR)${hint(sharing)}` };
  }
  // A link has no permissions: those of its directory count. And what lies in a sticky directory only its owner can replace.
  if (status.isSymbolicLink() || (isAbove && (mode & sticky) !== 0)) return undefined;
  const rights = `(mode ${(mode & 0o7777).toString(8).padStart(4, '0')})`;
  if ((mode & writableByOthers) !== 0)
    return { reason: `everybody can write ${path} ${rights}`, fix: `chmod o-w '${path}'` };
  if ((mode & writableByGroup) === 0 || (isShared && gid === own.gid) || isOwnGroup(gid)) return undefined;
  return { reason: `the group ${gid} can write ${path} ${rights}`, fix: `chmod g-w '${path}'${hint(sharing)}` };
}
const hint = (sharing: Sharing): string =>
  sharing === 'none' ? ', or set TRENIO_CACHE_SHARED=group if a group shares it on purpose' : '';

/** In a user namespace, such as a rootless container, files of all outside users belong to one user, including those of root. */
function isUnmapped(uid: number): boolean {
  const read = (path: string): string => fs.readFileSync(path, 'utf8').trim();
  try {
    return (
      uid === Number(read('/proc/sys/kernel/overflowuid')) && !/^0\s+0\s+4294967295$/.test(read('/proc/self/uid_map'))
    );
  } catch (error) {
    expectFileError(error);
    return false;
  }
}

let ownGroup: number | undefined;
/** Whether this user is the only one in the group: many systems create one per user, and make files group-writable. */
function isOwnGroup(gid: number): boolean {
  ownGroup ??= findOwnGroup() ?? -1;
  return gid === ownGroup;
}
function findOwnGroup(): number | undefined {
  try {
    const { username, gid } = userInfo();
    const rows = (path: string): string[][] =>
      fs
        .readFileSync(path, 'utf8')
        .split('\n')
        .map(line => line.split(':'));
    const [name, , , members = ''] = rows('/etc/group').find(row => row[2] === `${gid}`) ?? [];
    const others = rows('/etc/passwd').filter(row => row[3] === `${gid}` && row[0] !== username);
    const isAlone = members.split(',').every(member => member === '' || member === username) && others.length === 0;
    return name === username && isAlone ? gid : undefined;
  } catch (error) {
    expectFileError(error);
    return undefined; // the user has no name, or these files do not exist
  }
}

/** Modes of new files and directories: of the cache directory, of directories in it, and of files. */
export const modesFor = (sharing: Sharing): { readonly directory: number; readonly file: number } =>
  sharing === 'group' ? { directory: 0o2770, file: 0o660 } : { directory: 0o700, file: 0o600 };

/** Sets permissions that pass the checks above on something about to be stored in `directory`, independent of the umask. */
export function settleRights(path: string, directory: string, sharing: Sharing): void {
  const { directory: directoryMode, file } = modesFor(sharing);
  const settle = (at: string): void => {
    const status = fs.lstatSync(at);
    if (status.isSymbolicLink()) return;
    fs.chmodSync(at, status.isDirectory() ? directoryMode : file);
    if (sharing === 'group') giveToGroup(at, directory);
    if (status.isDirectory()) for (const name of fs.readdirSync(at)) settle(join(at, name));
  };
  settle(path);
}
function giveToGroup(path: string, directory: string): void {
  try {
    fs.chownSync(path, -1, fs.statSync(directory).gid);
  } catch (error) {
    expectFileError(error);
    // This user is not a member of the group: its members create what they need themselves.
  }
}
