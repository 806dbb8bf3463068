// The answer to one request while it is generated: events in order, in a buffer between the engine and its reader.
import { TrenioError } from '../../base/errors.ts';
import type { LoadedAdapter } from './adapters.ts';
import type { FinishReason } from './engine-metrics.ts';
import type { SamplingParameters } from './sampling-parameters.ts';
import type { Chosen } from './step-model.ts';
import type { DecodeIds } from './text-stream.ts';

export interface GenerationRequest {
  readonly id: string;
  readonly prompt: readonly number[];
  readonly sampling: SamplingParameters;
  /** The text of ids; undefined: events have no texts, and there are no stop strings. */
  readonly decode?: DecodeIds | undefined;
  /** Lower ones first. */
  readonly priority?: number | undefined;
  /** Sequences of different tenants get equal shares. */
  readonly tenant?: string | undefined;
  /** One of `PagedEngine.adapters`, held until the generation is over. */
  readonly adapter?: LoadedAdapter | undefined;
  /** Beginnings are found only among requests with the same salt. */
  readonly salt?: string | undefined;
  /** The request is aborted after this time. */
  readonly deadlineMs?: number | undefined;
  /** Called with each event when it is generated. */
  readonly onEvent?: ((event: GenerationEvent) => void) | undefined;
}

/** The tokens that a step adds to one of the sequences of a request. */
export interface GenerationEvent {
  /** The index of the sequence. */
  readonly choice: number;
  readonly tokens: readonly Chosen[];
  /** Complete characters; they may be of earlier tokens. */
  readonly text: string;
  /** With the last event of a sequence. */
  readonly finish?: FinishReason | undefined;
  /** The stop string or id that ended it, unless it was the model's own. */
  readonly stopReason?: string | number | undefined;
}

/** In milliseconds, on the clock of `performance.now()`. */
export interface GenerationTimes {
  readonly arrivalMs: number;
  admittedMs?: number;
  firstTokenMs?: number;
  lastTokenMs?: number;
}

/** A reader may be this number of events behind: then its request is aborted. */
const MOST_UNREAD = 4096;

export class Generation implements AsyncIterable<GenerationEvent> {
  readonly id: string;
  readonly promptTokens: number;
  readonly times: GenerationTimes;
  /** Tokens of the prompt that did not have to be computed. */
  cachedTokens = 0;
  /** With `promptLogprobs`: the tokens of the prompt from the second on, when the first is generated. */
  readonly promptLogprobs: Chosen[] = [];
  readonly #stop: (error: TrenioError) => void;
  #events: GenerationEvent[] = [];
  #read = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};
  readonly #over = Promise.withResolvers<void>();

  /** @param stop ends the request in the engine, which then calls `close` */
  constructor(id: string, promptTokens: number, arrivalMs: number, stop: (error: TrenioError) => void) {
    this.id = id;
    this.promptTokens = promptTokens;
    this.times = { arrivalMs };
    this.#stop = stop;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }
  /** Resolves when it has ended, in any way. */
  get whenOver(): Promise<void> {
    return this.#over.promise;
  }

  /** Ends the request: no step after the current one computes it. */
  abort(reason: string): void {
    if (!this.isOver) this.#stop(new TrenioError('GENERATION_STOPPED', { reason }));
  }

  push(event: GenerationEvent): void {
    if (this.isOver) return;
    this.#events.push(event);
    if (this.#events.length - this.#read > MOST_UNREAD) {
      this.abort('its reader is too slow');
      return;
    }
    this.#wake();
  }

  close(error?: unknown): void {
    if (this.isOver) return;
    this.#end = error === undefined ? {} : { error };
    this.#over.resolve();
    this.#wake();
  }

  /** @throws {GENERATION_STOPPED} @throws {GENERATION_FAILED} */
  async *[Symbol.asyncIterator](): AsyncGenerator<GenerationEvent, void, undefined> {
    try {
      for (;;) {
        const event = this.#events[this.#read];
        if (event !== undefined) {
          this.#read++;
          if (this.#read === this.#events.length) {
            this.#events = [];
            this.#read = 0;
          }
          yield event;
        } else if (this.#end !== undefined) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        } else
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
      }
    } finally {
      this.abort('its reader has left');
    }
  }
}
