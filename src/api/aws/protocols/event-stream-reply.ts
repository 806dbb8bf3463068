// The answer of an operation that is a stream of events.
import type { AwsReply } from '../aws-request.ts';

export class EventStreamReply {
  readonly #events: AsyncIterable<Uint8Array>;

  /** @param events messages of `event-stream.ts` */
  constructor(events: AsyncIterable<Uint8Array>) {
    this.#events = events;
  }

  toReply(): AwsReply {
    return { status: 200, headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body: this.#events };
  }
}
