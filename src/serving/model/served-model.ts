// The interface between an endpoint and a model: requests in, parts of responses out. A classifier returns one part, text
// generation a stream of parts. Transport (HTTP, JSON) is not part of it, and the server does not depend on
// models.
//
//   JSON value ─▶ parse ─▶ Request ─▶ run ─▶ one part │ part, part, part …

/** A stream is read at the speed of its client: `run` is advanced when the previous part has been consumed. */
export type Answer = Promise<unknown> | AsyncIterable<unknown>;

/** A model behind an endpoint: parses requests, measures their size, and answers them. */
export interface ServedModel<Request = unknown> {
  /** Additional fields of `GET /endpoints` besides name and state, such as the labels of a classifier. */
  readonly description: Readonly<Record<string, unknown>>;
  /** The unit in messages about rejected requests, in the plural: `texts`, `requests`. */
  readonly unit: string;
  /** The current load. Undefined: the requests being answered are counted, as one unit each. */
  readonly load?: ModelLoad;
  /** Parses and validates a JSON value. A request of more than `most` units is rejected. @throws REQUEST_INVALID */
  parse(body: unknown, most: number): Request;
  /** Units of work in a request: the texts of a classifier. Default: 1. */
  sizeOf?(request: Request): number;
  /**
   * One part or a stream; each part must be representable in JSON. `signal` is aborted when the client disconnects: pending work
   * may be skipped, and a stream should end.
   */
  run(request: Request, signal: AbortSignal): Answer;
  /** Resolves when all work has ended, including work for disconnected clients. */
  whenIdle?(): Promise<void>;
}

/** The queue of a model, in its units. */
export interface ModelLoad {
  /** Units in the queue. */
  readonly waiting: number;
  /** The maximum number of waiting units: a batch. */
  readonly batch: number;
  /** The expected time until a unit that arrives now is finished. */
  readonly expectedMs: number;
  /** The model's runs since the last call. */
  takeRuns?(): ModelRuns;
}

/** Runs of a model. */
export interface ModelRuns {
  /** The number of batches. */
  readonly runs: number;
  /** The number of units in them. */
  readonly items: number;
  /** Their total time, each from its submission to its results. */
  readonly ms: number;
}
