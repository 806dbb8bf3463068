// Encrypts secrets that are stored in files, under a key in another folder: who reads or copies the files alone does not have the
// secrets. AES-256-GCM; the text is bound to a name, so that sealed texts cannot be exchanged.
//
//   TRENIO_KEY_FILE, or ~/.config/trenio/server.key    32 bytes as base64, readable only by its owner; made on first use
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeError } from './atomic-write.ts';
import { readVariable } from './environment.ts';
import { readIfThere } from './file-error.ts';
import { makeFolder } from './make-folder.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Where the key is. */
export const sealFile = (): string =>
  readVariable('TRENIO_KEY_FILE') ??
  join(readVariable('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'trenio/server.key');

/** The folder of this user with what Trenio keeps: job servers and clusters. */
export const trenioFolder = (): string =>
  join(readVariable('XDG_DATA_HOME') ?? join(homedir(), '.local/share'), 'trenio');

export class SecretSeal {
  readonly file: string;
  /** Identifies the key; says nothing about it. */
  readonly id: string;
  readonly #key: Buffer;

  private constructor(file: string, key: Buffer) {
    this.file = file;
    this.#key = key;
    this.id = createHash('sha256').update('trenio seal').update(key).digest('hex').slice(0, 16);
  }

  /** The key in a file; undefined if there is none. */
  static read(file: string): SecretSeal | undefined {
    const key = Buffer.from(readIfThere(file) ?? '', 'base64');
    return key.length === KEY_BYTES ? new SecretSeal(file, key) : undefined;
  }

  /** The key of this user, made if there is none. @throws {WRITE_FAILED} */
  static own(): SecretSeal {
    const file = sealFile();
    const found = SecretSeal.read(file);
    if (found !== undefined) return found;
    const made = `${file}.${process.pid}`;
    try {
      makeFolder(dirname(file), 0o700);
      writeFileSync(made, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600 });
      chmodSync(made, 0o600);
      // Unlike a rename, this keeps the key of a process that was faster.
      linkSync(made, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeError(file, 0, error as NodeJS.ErrnoException);
    } finally {
      rmSync(made, { force: true });
    }
    const seal = SecretSeal.read(file);
    if (seal === undefined)
      throw writeError(file, 0, Object.assign(new Error('the file is not a key'), { code: 'EEXIST' }));
    return seal;
  }

  seal(text: string, name: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Undefined if the text was not sealed with this key and name. */
  open(sealed: string, name: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
