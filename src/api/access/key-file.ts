// The access keys of a server, in DATA/keys.json, which only its owner can read. Its secrets are encrypted under a key outside of
// the folder (base/secret-seal.ts), so that copies of the folder do not give them away. `trenio server keys` changes the file
// while the server runs; the server checks for changes each time it needs a key, so a disabled key is rejected at once.
//
//   created ─► usable ─► disabled ◄─► usable      rotated: a new key with the same rights; the old one ends some time later
import { randomInt } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { takeFileLock } from '../../base/file-lock.ts';
import { SecretSeal, sealFile } from '../../base/secret-seal.ts';
import { type AccessKey, type Role, roles } from '../aws/signature/access-keys.ts';

const rights = {
  id: z.string(),
  role: z.enum(roles),
  /** A human-readable name. */
  name: z.string().optional(),
  actions: z.array(z.string()).optional(),
  createdAt: z.iso.datetime().optional(),
  isDisabled: z.boolean().optional(),
  /** The key is rejected from this time on. */
  expiresAt: z.iso.datetime().optional(),
  /** The key that this one replaces. */
  replaces: z.string().optional(),
};
const keySchema = z.strictObject({ ...rights, secret: z.string() });
export type StoredKey = Readonly<z.output<typeof keySchema>>;
const fileSchema = z.strictObject({
  /** The key that has encrypted the secrets, and where it was. */
  sealedBy: z.strictObject({ id: z.string(), file: z.string() }),
  keys: z.array(z.strictObject({ ...rights, sealed: z.string() })),
});

const FILE = 'keys.json';

export interface NewKey {
  readonly role: Role;
  readonly name?: string | undefined;
  readonly actions?: readonly string[] | undefined;
}

export class KeyFile {
  readonly #data: string;
  readonly #now: () => number;
  #version = '';
  #keys: readonly StoredKey[] = [];
  /** The key of the file; undefined: its secrets are not encrypted yet. */
  #seal: SecretSeal | undefined;

  private constructor(data: string, now: () => number) {
    this.#data = data;
    this.#now = now;
  }

  /**
   * The keys of a folder. On first use, an admin key is created. A file of an earlier version is encrypted.
   * @throws {ACCESS_KEYS_SEALED}
   * @throws {DATABASE_DAMAGED}
   * @throws {WRITE_FAILED}
   */
  static async open(data: string, now: () => number = Date.now): Promise<KeyFile> {
    const file = new KeyFile(data, now);
    if (file.#stamp() === undefined) await file.#write([newKey({ role: 'admin' }, now())]);
    else if (file.list() !== undefined && file.#seal === undefined) await file.#change(keys => keys);
    return file;
  }

  /** All keys, in the order of their creation. @throws {ACCESS_KEYS_SEALED} @throws {DATABASE_DAMAGED} */
  list(): readonly StoredKey[] {
    const version = this.#stamp() ?? '';
    if (version !== this.#version) {
      ({ keys: this.#keys, seal: this.#seal } = opened(join(this.#data, FILE)));
      this.#version = version;
    }
    return this.#keys;
  }

  /** A key that is currently usable. */
  find(id: string): AccessKey | undefined {
    return this.list().find(key => key.id === id && isUsable(key, this.#now()));
  }

  /** The first currently usable key, preferably an admin key. */
  first(): StoredKey | undefined {
    const usable = this.list().filter(key => isUsable(key, this.#now()));
    return usable.find(({ role, actions }) => role === 'admin' && actions === undefined) ?? usable[0];
  }

  async create(key: NewKey): Promise<StoredKey> {
    const created = newKey(key, this.#now());
    await this.#change(keys => [...keys, created]);
    return created;
  }

  /**
   * A new key with the rights of another, which may be used for `overlapMs` more, unless it ends earlier.
   * @throws {ACCESS_KEY_NOT_FOUND}
   * @throws {ACCESS_KEYS_LOCKED}
   */
  async rotate(id: string, overlapMs: number): Promise<StoredKey> {
    const { role, name, actions } = this.#known(id);
    const created = { ...newKey({ role, name, actions }, this.#now()), replaces: id };
    const expiresAt = new Date(this.#now() + overlapMs).toISOString();
    const ending = (key: StoredKey): StoredKey =>
      key.expiresAt !== undefined && key.expiresAt < expiresAt ? key : { ...key, expiresAt };
    await this.#change(keys => [...keys.map(key => (key.id === id ? ending(key) : key)), created]);
    return created;
  }

  /** @throws {ACCESS_KEY_NOT_FOUND} @throws {LAST_ADMIN_KEY} @throws {ACCESS_KEYS_LOCKED} */
  async setDisabled(id: string, isDisabled: boolean): Promise<undefined> {
    this.#known(id);
    await this.#change(keys => keys.map(key => (key.id === id ? { ...key, isDisabled } : key)));
    return undefined;
  }

  /** @throws {ACCESS_KEY_NOT_FOUND} @throws {LAST_ADMIN_KEY} @throws {ACCESS_KEYS_LOCKED} */
  async remove(id: string): Promise<undefined> {
    this.#known(id);
    await this.#change(keys => keys.filter(key => key.id !== id));
    return undefined;
  }

  #known(id: string): StoredKey {
    const key = this.list().find(one => one.id === id);
    if (key === undefined) throw new TrenioError('ACCESS_KEY_NOT_FOUND', { id });
    return key;
  }

  async #change(change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void> {
    const lock = takeFileLock(join(this.#data, 'keys.lock'));
    if ('heldBy' in lock) throw new TrenioError('ACCESS_KEYS_LOCKED', { folder: this.#data });
    try {
      const after = change(this.list());
      if (!after.some(isLasting)) throw new TrenioError('LAST_ADMIN_KEY', {});
      await this.#write(after);
    } finally {
      lock.release();
    }
  }

  async #write(keys: readonly StoredKey[]): Promise<void> {
    const seal = this.#seal ?? SecretSeal.own();
    const content: z.output<typeof fileSchema> = {
      sealedBy: { id: seal.id, file: seal.file },
      keys: keys.map(({ secret, ...key }) => ({ ...key, sealed: seal.seal(secret, key.id) })),
    };
    await writeFileAtomically(join(this.#data, FILE), [`${JSON.stringify(content, undefined, 2)}\n`], 0o600);
  }

  /** Differs after each change, because the file is replaced. Undefined if there is no file. */
  #stamp(): string | undefined {
    const found = statSync(join(this.#data, FILE), { throwIfNoEntry: false });
    return found && `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}`;
  }
}

export const isUsable = ({ isDisabled, expiresAt }: StoredKey, nowMs: number): boolean =>
  isDisabled !== true && (expiresAt === undefined || nowMs < Date.parse(expiresAt));

/** Whether this is a permanent admin key: without one, no other key could be created. */
export const isLasting = ({ role, actions, isDisabled, expiresAt }: StoredKey): boolean =>
  role === 'admin' && actions === undefined && isDisabled !== true && expiresAt === undefined;

/** @throws {ACCESS_KEYS_SEALED} @throws {DATABASE_DAMAGED} */
function opened(file: string): { readonly keys: readonly StoredKey[]; readonly seal: SecretSeal | undefined } {
  const content = parsed(file);
  if (!('sealedBy' in content)) return { keys: content, seal: undefined };
  const { sealedBy, keys } = content;
  // The folder may come from another machine, or be used by another user, such as root.
  const places = [...new Set([sealFile(), sealedBy.file])];
  const seal = places.map(place => SecretSeal.read(place)).find(one => one?.id === sealedBy.id);
  if (seal === undefined) throw new TrenioError('ACCESS_KEYS_SEALED', { file, id: sealedBy.id, places });
  const unsealed = keys.map(({ sealed, ...key }): StoredKey => {
    const secret = seal.open(sealed, key.id);
    if (secret !== undefined) return { ...key, secret };
    throw new TrenioError('DATABASE_DAMAGED', { file, reason: `the secret of ${key.id} cannot be decrypted` });
  });
  return { keys: unsealed, seal };
}

function parsed(file: string): z.output<typeof fileSchema> | readonly StoredKey[] {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    // Earlier versions stored the secrets themselves.
    return Array.isArray(json) ? z.array(keySchema).parse(json) : fileSchema.parse(json);
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new TrenioError('DATABASE_DAMAGED', { file, reason }, { cause });
  }
}

const newKey = ({ role, name, actions }: NewKey, nowMs: number): StoredKey => ({
  id: `AKIA${pick(`${UPPER}234567`, 16)}`,
  secret: pick(`${UPPER}${UPPER.toLowerCase()}0123456789`, 40),
  role,
  ...(name === undefined ? {} : { name }),
  ...(actions === undefined ? {} : { actions: [...actions] }),
  createdAt: new Date(nowMs).toISOString(),
});

/** In the format of AWS keys, which some tools check. */
const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
