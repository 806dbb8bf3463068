// The folder of a job server: which process uses it, and its address.
//
//   DATA/server.lock   held by the server that uses the folder
//   DATA/server.json   the address of the server
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { writeError, writeFileAtomically } from '../base/atomic-write.ts';
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { makeFolder } from '../base/make-folder.ts';
import { unreadable } from '../base/read-file.ts';

const stateSchema = z.strictObject({ url: z.url(), pid: z.int().positive(), startedAt: z.iso.datetime() });
export type ServerState = Readonly<z.output<typeof stateSchema>>;

/** The default of `--data`, the folder with all data of a server. */
export const defaultServerFolder = (variables?: Variables): string =>
  join(readVariable('XDG_DATA_HOME', variables) ?? join(homedir(), '.local/share'), 'trenio/server');

/**
 * The folder that a command uses: the given one, or the default.
 * @throws {INVALID_OPTION} if no server has used it
 */
export function existingServerFolder(named: string | undefined, cwd: string, variables?: Variables): string {
  const data = named === undefined ? defaultServerFolder(variables) : resolve(cwd, named);
  if (existsSync(join(data, 'keys.json'))) return data;
  throw new TrenioError('INVALID_OPTION', {
    what: 'trenio server',
    option: '--data',
    got: data,
    expected: 'the folder of a server',
  });
}

const [LOCK, STATE] = ['server.lock', 'server.json'];

/**
 * Locks the folder for this process; released when disposed, or when the process ends.
 * @throws {SERVER_RUNS}
 * @throws {WRITE_FAILED}
 */
export function takeServerFolder(data: string): Disposable {
  try {
    makeFolder(data, 0o700);
    // An existing folder may be accessible to other users of the machine.
    chmodSync(data, 0o700);
  } catch (cause) {
    throw writeError(data, 0, cause as NodeJS.ErrnoException);
  }
  const lock = takeFileLock(join(data, LOCK));
  if ('heldBy' in lock) throw new TrenioError('SERVER_RUNS', { data, pid: String(lock.heldBy?.pid ?? 'unknown') });
  return {
    [Symbol.dispose]: () => {
      rmSync(join(data, STATE), { force: true });
      lock.release();
    },
  };
}

export async function writeServerState(data: string, state: ServerState): Promise<void> {
  await writeFileAtomically(join(data, STATE), [`${JSON.stringify(state)}\n`]);
}

/** The address of the server of a folder; undefined if none is running. */
export function runningServer(data: string): ServerState | undefined {
  const text = textOf(join(data, STATE));
  if (text === undefined) return undefined;
  const lock = takeFileLock(join(data, LOCK));
  if (!('heldBy' in lock)) {
    // The server was killed and left the file behind.
    lock.release();
    return undefined;
  }
  return parsed(stateSchema, join(data, STATE), text);
}

/** @throws {DATABASE_DAMAGED} */
function parsed<T>(schema: z.ZodType<T>, file: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new TrenioError('DATABASE_DAMAGED', { file, reason }, { cause });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}
