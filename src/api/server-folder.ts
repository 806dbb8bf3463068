// The folder of a job server: who uses it, where it answers, and the keys that clients sign with.
//
//   DATA/server.lock   held by the server that uses the folder
//   DATA/server.json   where it answers
//   DATA/keys.json     access keys; only their owner may read them
import { randomInt } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { writeError, writeFileAtomically } from '../base/atomic-write.ts';
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { makeFolder } from '../base/make-folder.ts';
import { type AccessKey, roles } from './aws/signature/access-keys.ts';

const stateSchema = z.strictObject({ url: z.url(), pid: z.int().positive(), startedAt: z.iso.datetime() });
export type ServerState = Readonly<z.output<typeof stateSchema>>;
const keysSchema = z.array(z.strictObject({ id: z.string(), secret: z.string(), role: z.enum(roles) }));

/** Where a server keeps everything unless `--data` says otherwise. */
export const defaultServerFolder = (variables?: Variables): string =>
  join(readVariable('XDG_DATA_HOME', variables) ?? join(homedir(), '.local/share'), 'trenio/server');

const [LOCK, STATE, KEYS] = ['server.lock', 'server.json', 'keys.json'];

/**
 * Takes the folder for this process; released when disposed, or when the process ends.
 * @throws {SERVER_RUNS}
 * @throws {WRITE_FAILED}
 */
export function takeServerFolder(data: string): Disposable {
  try {
    makeFolder(data, 0o700);
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

/**
 * The keys of a folder; at the first start an admin's key is made.
 * @param fixed a key that is always accepted, such as that of a test
 */
export async function accessKeysOf(data: string, fixed: AccessKey | undefined): Promise<readonly AccessKey[]> {
  const path = join(data, KEYS);
  const text = textOf(path);
  const stored: readonly AccessKey[] =
    text === undefined ? [{ id: newId(), secret: newSecret(), role: 'admin' }] : parsed(keysSchema, path, text);
  if (text === undefined) await writeFileAtomically(path, [`${JSON.stringify(stored, undefined, 2)}\n`]);
  return fixed === undefined ? stored : [fixed, ...stored.filter(({ id }) => id !== fixed.id)];
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

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** In the form of AWS's own, which some tools check. */
const newId = (): string => `AKIA${pick(`${UPPER}234567`, 16)}`;
const newSecret = (): string => pick(`${UPPER}${UPPER.toLowerCase()}0123456789`, 40);
