// Sessions of the console. The server prints one-time tokens; these, or access keys, are exchanged for sessions. A
// session belongs to an access key: it has its role, and ends with it. Sessions survive restarts; only their hashes are stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../base/database.ts';
import type { Action } from '../aws/attempt.ts';
import type { AccessKey, FindAccessKey } from '../aws/signature/access-keys.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (
    hash TEXT PRIMARY KEY, key_id TEXT NOT NULL, expires_ms INTEGER NOT NULL) STRICT;
`;

/** The key of the session that a request belongs to. @throws {NOT_SIGNED_IN} @throws {ROLE_NOT_ALLOWED} */
export type Signed = (request: FastifyRequest, action: Action) => AccessKey;

export const SESSION_SECONDS = 7 * 24 * 3600;

export class ConsoleSessions {
  readonly #database: Database;
  readonly #findKey: FindAccessKey;
  readonly #now: () => number;
  /** Hashes of unused tokens, with their keys. */
  readonly #tokens = new Map<string, string>();

  constructor(folder: string, findKey: FindAccessKey, now: () => number) {
    this.#database = new Database(join(folder, 'console.sqlite'), SCHEMA, 'NORMAL');
    this.#findKey = findKey;
    this.#now = now;
  }

  close(): void {
    this.#database.close();
  }

  /** A token that opens one session. */
  createToken(keyId: string): string {
    const token = secret();
    this.#tokens.set(hashOf(token), keyId);
    return token;
  }

  /** Exchanges a token for a session; undefined if the token is invalid or was already used. */
  useToken(token: string): string | undefined {
    const hash = hashOf(token);
    const keyId = this.#tokens.get(hash);
    if (keyId === undefined || !this.#tokens.delete(hash)) return undefined;
    return this.#open(keyId);
  }

  /** The session of an access key; undefined if the key is unknown or the secret is wrong. */
  useKey(id: string, given: string): string | undefined {
    const key = this.#findKey(id);
    // The comparison takes the same time for an unknown key.
    const matches = isSame(given, key?.secret ?? secret());
    return key === undefined || !matches ? undefined : this.#open(id);
  }

  #open(keyId: string): string {
    const session = secret();
    const now = this.#now();
    this.#database.prepare('DELETE FROM sessions WHERE expires_ms < ?').run(now);
    this.#database
      .prepare('INSERT INTO sessions (hash, key_id, expires_ms) VALUES (?, ?, ?)')
      .run(hashOf(session), keyId, now + SESSION_SECONDS * 1000);
    return session;
  }

  /** The key of a session that is open. */
  find(session: string): AccessKey | undefined {
    const row = this.#database
      .prepare('SELECT key_id FROM sessions WHERE hash = ? AND expires_ms >= ?')
      .get(hashOf(session), this.#now());
    return row === undefined ? undefined : this.#findKey(row.key_id as string);
  }

  end(session: string): void {
    this.#database.prepare('DELETE FROM sessions WHERE hash = ?').run(hashOf(session));
  }
}

const secret = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
