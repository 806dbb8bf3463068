// Responses to changes, for clients that retry a request because its response was lost. The request and its retries have the same
// amz-sdk-invocation-id, and get the first response again. Kept in memory; ids that must survive a restart are stored with the
// resource.
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { header } from '../signature/request-head.ts';

/** Clients give up before this time. */
const KEEP_MS = 5 * 60_000;
const MAX_ANSWERS = 10_000;

export class RecentAnswers {
  /** Oldest first. */
  readonly #answers = new Map<string, { readonly reply: Promise<AwsReply>; readonly timeMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * The response to a request, or to the one that it retries. Errors are not kept, because the client retries to get another
   * response.
   */
  async answer({ head, key }: AwsRequest, target: string, make: () => Promise<AwsReply>): Promise<AwsReply> {
    const id = header(head, 'amz-sdk-invocation-id');
    if (id === undefined) return make();
    this.#forget();
    const name = `${key.id} ${target} ${id}`;
    const before = this.#answers.get(name);
    if (before !== undefined) return before.reply;
    const reply = make();
    this.#answers.set(name, { reply, timeMs: this.#now() });
    try {
      return await reply;
    } catch (error) {
      this.#answers.delete(name);
      throw error;
    }
  }

  #forget(): void {
    const oldest = this.#now() - KEEP_MS;
    for (const [name, { timeMs }] of this.#answers) {
      if (timeMs >= oldest && this.#answers.size <= MAX_ANSWERS) break;
      this.#answers.delete(name);
    }
  }
}
