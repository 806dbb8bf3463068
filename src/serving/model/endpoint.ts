// An endpoint: a name, a model, and a life cycle. Decides which requests are accepted and when they are answered,
// for any model. The transport (HTTP) is elsewhere.
//
//   loading ──▶ ready ──▶ stopping ──▶ stopped
//      └──▶ failed           (finishes pending requests, accepts no new ones)
import { TrenioError } from '../../base/errors.ts';
import { followStream } from './answer-stream.ts';
import type { ModelRuns, ServedModel } from './served-model.ts';

const endpointStates = ['loading', 'ready', 'stopping', 'stopped', 'failed'] as const;
/** The states of an endpoint. */
export type EndpointState = (typeof endpointStates)[number];

/** Options of `Endpoint`. */
export interface EndpointOptions {
  /** The maximum of queued work, in units of the model (texts of a classifier); more is rejected. */
  readonly maxWaiting?: number | undefined;
  /** Requests with a longer expected wait are rejected. One batch may always wait. */
  readonly maxWaitMs?: number | undefined;
}

const DEFAULT_MAX_WAITING = 1024;
const DEFAULT_MAX_WAIT_MS = 2000;

/** One part, or a stream in which each part is produced when the previous one was consumed. */
export type EndpointAnswer =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'whole';
      /** The answer. */
      readonly part: Promise<unknown>;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'stream';
      /** The parts of the answer in order. */
      readonly parts: AsyncGenerator<unknown, void, undefined>;
    };

/**
 * Answers requests with a model: batches them, limits the queue, and finishes pending requests when it closes. HTTP is in
 * `deploy`.
 * @example
 * const endpoint = new Endpoint('echo');
 * await endpoint.start(async () => ({
 *   description: {},
 *   unit: 'requests',
 *   parse: body => body,
 *   run: async request => request,
 * }));
 * endpoint.state // 'ready'
 * await endpoint.stop();
 */
export class Endpoint {
  /** The name in the URL. */
  readonly name: string;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  #state: EndpointState = 'loading';
  #model: ServedModel | undefined;
  /** Requests whose last part has not been produced yet. */
  #answering = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /** @throws {ENDPOINT_NAME_INVALID} */
  constructor(name: string, options: EndpointOptions = {}) {
    this.name = checkEndpointName(name);
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
  }

  /** Its current state. */
  get state(): EndpointState {
    return this.#state;
  }

  /** Metadata of the model; empty until it is loaded. */
  get description(): ServedModel['description'] {
    return this.#model?.description ?? {};
  }

  /** Loads the model; ready when it resolves. @throws the errors of `load`, after which the endpoint has failed */
  async start(load: () => Promise<ServedModel>): Promise<void> {
    try {
      const model = await load();
      // It was stopped while loading, and stays stopped.
      if (this.#state !== 'loading') return;
      this.#model = model;
      this.#state = 'ready';
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  /**
   * For servers: call it before reading a request.
   * @throws {ENDPOINT_NOT_READY}
   * @throws {ENDPOINT_OVERLOADED}
   */
  admit(): void {
    this.#admit(this.#ready(), 1);
  }

  /**
   * Answers a request, a JSON value. Errors of the model are rethrown.
   * @throws ENDPOINT_NOT_READY, ENDPOINT_OVERLOADED, REQUEST_INVALID
   */
  answer(body: unknown, signal: AbortSignal = NEVER): EndpointAnswer {
    signal.throwIfAborted();
    const model = this.#ready();
    const request = model.parse(body, this.#maxWaiting);
    this.#admit(model, model.sizeOf?.(request) ?? 1);
    this.#answering++;
    try {
      const answer = model.run(request, signal);
      if (!(Symbol.asyncIterator in answer)) return { kind: 'whole', part: answer.finally(this.#settle) };
      return { kind: 'stream', parts: followStream(answer, signal, this.#settle) };
    } catch (error) {
      this.#settle();
      throw error;
    }
  }

  /** The model's runs since the last call; undefined if it does not report them. */
  takeRuns(): ModelRuns | undefined {
    return this.#model?.load?.takeRuns?.();
  }

  /** Accepts no new requests from now on; resolves when pending ones are answered. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped' || this.#state === 'failed') return;
    this.#state = 'stopping';
    if (this.#answering > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
    await this.#model?.whenIdle?.();
    this.#state = 'stopped';
  }

  #ready(): ServedModel {
    if (this.#state === 'ready' && this.#model !== undefined) return this.#model;
    throw new TrenioError('ENDPOINT_NOT_READY', { name: this.name, state: this.#state });
  }

  /** @throws ENDPOINT_OVERLOADED if this number of additional units would be rejected now. */
  #admit({ load, unit }: ServedModel, units: number): void {
    const waiting = load?.waiting ?? this.#answering;
    const fits = waiting + units <= this.#maxWaiting;
    if (fits && (load === undefined || waiting < load.batch || load.expectedMs <= this.#maxWaitMs)) return;
    const expectedMs = load?.expectedMs ?? 0;
    throw new TrenioError('ENDPOINT_OVERLOADED', {
      name: this.name,
      waiting,
      unit,
      expectedMs: Math.ceil(expectedMs),
      limit: fits ? `${this.#maxWaitMs} ms` : `${this.#maxWaiting} ${unit}`,
      retryAfterSeconds: Math.max(1, Math.ceil(expectedMs / 1000)),
    });
  }

  readonly #settle = (): void => {
    this.#answering--;
    if (this.#answering > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  };
}

const NEVER = new AbortController().signal;

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

function checkEndpointName(name: string): string {
  if (!NAME.test(name)) throw new TrenioError('ENDPOINT_NAME_INVALID', { name });
  return name;
}

/**
 * A name derived from a folder: `runs/Review polarity_2/` → `Review-polarity-2`; 'model' if nothing is left of it.
 * @example
 * endpointNameOf('runs/polarity/final/') // 'final'
 */
export function endpointNameOf(folder: string): string {
  const last =
    folder
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const name = last
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'model' : name;
}
