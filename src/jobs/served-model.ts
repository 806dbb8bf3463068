// The interface between an endpoint and a model: requests in, parts of responses out. A classifier returns one part, text generation
// a stream of parts. Transport (HTTP, JSON) is not part of it, and the
// server does not depend on models.
//
//   JSON value ─▶ parse ─▶ Request ─▶ run ─▶ one part │ part, part, part …

/** A stream is read at the speed of its client: `run` is advanced when the previous part has been consumed. */
export type Answer = Promise<unknown> | AsyncIterable<unknown>;

/** A model that an endpoint serves: how a request is read, how large it is, and how it is answered. */
export interface ServedModel<Request = unknown> {
  /** Additional fields of `GET /endpoints` besides name and state, such as the labels of a classifier. */
  readonly description: Readonly<Record<string, unknown>>;
  /** What is counted where a request is refused, in the plural: `texts`, `requests`. */
  readonly unit: string;
  /** How busy it is. Undefined: the requests that are being answered count, each as one unit. */
  readonly load?: ModelLoad;
  /** From a JSON value, checked. A request of more than `most` units is refused. @throws REQUEST_INVALID */
  parse(body: unknown, most: number): Request;
  /** Units of work in a request: the texts of a classifier. Default: 1. */
  sizeOf?(request: Request): number;
  /**
   * One part or a stream; each part is a value that JSON can hold. When `signal` is aborted the client has gone: what was not
   * begun need not be, and a stream should end.
   */
  run(request: Request, signal: AbortSignal): Answer;
  /** Resolves when nothing runs, not even for clients that have gone. */
  whenIdle?(): Promise<void>;
}

/** Of a model with a queue, in its units. */
export interface ModelLoad {
  /** Units that wait. */
  readonly waiting: number;
  /** The maximum number of waiting units: a batch. */
  readonly batch: number;
  /** How long a unit that came now would wait for its end. */
  readonly expectedMs: number;
}
