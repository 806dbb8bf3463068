// The keys that may use a server. They are compared as hashes, in a time that does not depend on them.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { OpenAiError } from './openai-error.ts';

export class ApiKeys {
  readonly #hashes: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.#hashes = keys.map(digest);
  }

  /**
   * The tenant of a request: a name for its key, the same for all requests without keys.
   * @throws {OpenAiError} 401
   */
  tenantOf({ authorization, 'x-api-key': named }: IncomingHttpHeaders): string {
    if (this.#hashes.length === 0) return '';
    const [, bearer] = /^bearer +(.+)$/i.exec(authorization ?? '') ?? [];
    const given = digest(bearer ?? String(named ?? ''));
    let tenant: string | undefined;
    for (const known of this.#hashes) if (timingSafeEqual(known, given)) tenant = known.toString('hex').slice(0, 16);
    if (tenant !== undefined) return tenant;
    throw new OpenAiError(401, 'no valid API key: send one as Authorization: Bearer KEY', {
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
}

const digest = (key: string): Buffer => hash('sha256', key, 'buffer');
