// The secret that the launchers of a run share: from TRENIO_RDZV_SECRET, from a file that is named, or from a file in the cache
// directory that is created at first use, so that machines with a common home directory need no setup. Never on a command line,
// where other users could see it.
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';

const MIN_LENGTH = 16;

/** For a run that no other machine joins, or whose machines all get it from their starter. */
export const newSecret = (): string => randomBytes(32).toString('hex');

export interface SecretSources {
  readonly variables: Variables;
  /** Named by the user. */
  readonly file: string | undefined;
  /** Where to create one if there is none. */
  readonly defaultFile: string;
}

/** @throws {RENDEZVOUS_SECRET} @throws {BAD_ENVIRONMENT} */
export function findSecret({ variables, file, defaultFile }: SecretSources): string {
  if (file !== undefined) return readSecret(file);
  const given = readVariable('TRENIO_RDZV_SECRET', variables);
  if (given !== undefined) return given;
  makeSecret(defaultFile);
  return readSecret(defaultFile);
}

/** Another process, on this machine or another one with the same directory, may do the same: the first one wins. */
function makeSecret(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  const own = `${file}.${randomBytes(8).toString('hex')}.partial`;
  try {
    makeFolder(dirname(file));
    writeFileSync(own, `${newSecret()}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(own, file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new TrenioError('RENDEZVOUS_SECRET', { source: file, problem: message });
  } finally {
    rmSync(own, { force: true });
  }
}

function readSecret(file: string): string {
  const unusable = (problem: string): TrenioError => new TrenioError('RENDEZVOUS_SECRET', { source: file, problem });
  let secret: string;
  try {
    const { mode, uid } = lstatSync(file);
    const own = process.getuid?.();
    if (own !== undefined && uid !== own && uid !== 0) throw unusable('it belongs to another user');
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw unusable(`others may read or write it (mode ${(mode & 0o777).toString(8)}): chmod 600 ${file}`);
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof TrenioError) throw error;
    throw unusable((error as Error).message);
  }
  if (secret.length < MIN_LENGTH) throw unusable(`it has ${secret.length} characters, fewer than ${MIN_LENGTH}`);
  return secret;
}
