// Sessions of the console. The server prints one-time tokens; these, or access keys, are exchanged for sessions. A
// session belongs to an access key: it has its role, and ends with it. Sessions survive restarts; only hashes are stored.
//
// A session is a pair of secrets. Browsers send the cookie to every port of a host, so servers on other ports receive it, and
// their pages can send requests with it. The proof is stored by the console's page, for its own origin, and sent as a header. A
// download, which is a navigation, has a ticket instead: for one address, once.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../base/database.ts';
import type { Action } from '../aws/attempt.ts';
import type { AccessKey, FindAccessKey } from '../aws/signature/access-keys.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS proven_sessions (
    hash TEXT PRIMARY KEY, proof TEXT NOT NULL, key_id TEXT NOT NULL, expires_ms INTEGER NOT NULL) STRICT;
  -- Of versions without a proof.
  DROP TABLE IF EXISTS sessions;
`;

/** The key of the session that a request belongs to. @throws {NOT_SIGNED_IN} @throws {ROLE_NOT_ALLOWED} */
export type Signed = (request: FastifyRequest, action: Action) => AccessKey;

/** The secrets that a browser sends with a request. */
export interface SessionParts {
  readonly cookie: string | undefined;
  readonly proof: string | undefined;
  /** Instead of the proof. */
  readonly ticket: string | undefined;
  /** The path and query, without the ticket. */
  readonly address: string;
}

export interface OpenedSession {
  readonly cookie: string;
  readonly proof: string;
}

export interface FoundSession {
  readonly key: AccessKey;
  /** False if the request may come from another port: it must not be answered. */
  readonly isProven: boolean;
}

/** The address with a token may stay in a terminal or a log. */
const TOKEN_MS = 3_600_000;
const TICKET_MS = 60_000;
export const SESSION_SECONDS = 7 * 24 * 3600;

export class ConsoleSessions {
  readonly #database: Database;
  readonly #findKey: FindAccessKey;
  readonly #now: () => number;
  /** Hashes of unused tokens, with their keys. */
  readonly #tokens = new Map<string, { readonly keyId: string; readonly endMs: number }>();
  /** Hashes of unused tickets. */
  readonly #tickets = new Map<string, { readonly session: string; readonly address: string; readonly endMs: number }>();

  constructor(folder: string, findKey: FindAccessKey, now: () => number) {
    this.#database = new Database(join(folder, 'console.sqlite'), SCHEMA, 'NORMAL');
    this.#findKey = findKey;
    this.#now = now;
  }

  close(): void {
    this.#database.close();
  }

  /** A token that opens one session, within an hour. */
  createToken(keyId: string): string {
    const token = secret();
    this.#tokens.set(hashOf(token), { keyId, endMs: this.#now() + TOKEN_MS });
    return token;
  }

  /** Exchanges a token for a session; undefined if the token is invalid, too old or was already used. */
  useToken(token: string): OpenedSession | undefined {
    const hash = hashOf(token);
    const found = this.#tokens.get(hash);
    this.#tokens.delete(hash);
    return found === undefined || found.endMs < this.#now() ? undefined : this.#open(found.keyId);
  }

  /** The session of an access key; undefined if the key is unknown or the secret is wrong. */
  useKey(id: string, given: string): OpenedSession | undefined {
    const key = this.#findKey(id);
    // The comparison takes the same time for an unknown key.
    const matches = isSame(given, key?.secret ?? secret());
    return key === undefined || !matches ? undefined : this.#open(id);
  }

  #open(keyId: string): OpenedSession {
    const opened = { cookie: secret(), proof: secret() };
    const now = this.#now();
    this.#database.prepare('DELETE FROM proven_sessions WHERE expires_ms < ?').run(now);
    this.#database
      .prepare('INSERT INTO proven_sessions (hash, proof, key_id, expires_ms) VALUES (?, ?, ?, ?)')
      .run(hashOf(opened.cookie), hashOf(opened.proof), keyId, now + SESSION_SECONDS * 1000);
    return opened;
  }

  /** A ticket for one request of an address, soon. */
  createTicket(cookie: string, address: string): string {
    const ticket = secret();
    const now = this.#now();
    for (const [hash, { endMs }] of this.#tickets) if (endMs < now) this.#tickets.delete(hash);
    this.#tickets.set(hashOf(ticket), { session: hashOf(cookie), address, endMs: now + TICKET_MS });
    return ticket;
  }

  /** The session of a cookie; undefined if there is none, or if it has ended. */
  find({ cookie, proof, ticket, address }: SessionParts): FoundSession | undefined {
    if (cookie === undefined) return undefined;
    const row = this.#database
      .prepare('SELECT proof, key_id FROM proven_sessions WHERE hash = ? AND expires_ms >= ?')
      .get(hashOf(cookie), this.#now());
    const key = row && this.#findKey(row.key_id as string);
    if (key === undefined) return undefined;
    const isProven =
      proof !== undefined
        ? hashOf(proof) === row!.proof
        : ticket !== undefined && this.#useTicket(ticket, cookie, address);
    return { key, isProven };
  }

  #useTicket(ticket: string, cookie: string, address: string): boolean {
    const hash = hashOf(ticket);
    const found = this.#tickets.get(hash);
    this.#tickets.delete(hash);
    return (
      found !== undefined && found.session === hashOf(cookie) && found.address === address && found.endMs >= this.#now()
    );
  }

  end(cookie: string): void {
    this.#database.prepare('DELETE FROM proven_sessions WHERE hash = ?').run(hashOf(cookie));
  }
}

const secret = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
