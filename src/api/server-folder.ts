// The folder of a job server: who uses it, and where it answers.
//
//   DATA/server.lock   held by the server that uses the folder
//   DATA/server.json   where it answers
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { writeError, writeFileAtomically } from '../base/atomic-write.ts';
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { makeFolder } from '../base/make-folder.ts';

const stateSchema = z.strictObject({ url: z.url(), pid: z.int().positive(), startedAt: z.iso.datetime() });
export type ServerState = Readonly<z.output<typeof stateSchema>>;

/** Where a server keeps everything unless `--data` says otherwise. */
export const defaultServerFolder = (variables?: Variables): string =>
  join(readVariable('XDG_DATA_HOME', variables) ?? join(homedir(), '.local/share'), 'trenio/server');

/**
 * The folder that a command works on: the one that it names, or the default.
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
 * Takes the folder for this process; released when disposed, or when the process ends.
 * @throws {SERVER_RUNS}
 * @throws {WRITE_FAILED}
 */
export function takeServerFolder(data: string): Disposable {
  try {
    makeFolder(data, 0o700);
    // One that was there may be open to other users of the machine.
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

/** Where the server of a folder answers; undefined if none runs. */
export function runningServer(data: string): ServerState | undefined {
  const text = textOf(join(data, STATE));
  if (text === undefined) return undefined;
  const lock = takeFileLock(join(data, LOCK));
  if (!('heldBy' in lock)) {
    // It was killed: the file is left from it.
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
    throw error;
  }
}
