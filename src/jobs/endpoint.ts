// An endpoint: a name, a model behind it, and a life. How requests reach it (HTTP) is not known here.
//
//   loading ──▶ ready ──▶ stopping ──▶ stopped
//      └──▶ failed           (finishes what it has, takes nothing new)
import { TrenioError } from '../base/errors.ts';
import { MicroBatcher } from './micro-batcher.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

export const endpointStates = ['loading', 'ready', 'stopping', 'stopped', 'failed'] as const;
export type EndpointState = (typeof endpointStates)[number];

export interface EndpointOptions {
  /** The most texts that wait; more are refused. */
  readonly maxWaiting?: number | undefined;
  /** A request that would wait longer is refused. */
  readonly maxWaitMs?: number | undefined;
}

const DEFAULT_MAX_WAITING = 1024;
const DEFAULT_MAX_WAIT_MS = 2000;
const MOST_TEXTS = 256;

export class Endpoint {
  readonly name: string;
  /** The most texts of one request. */
  readonly maxTexts: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  #state: EndpointState = 'loading';
  #batcher: MicroBatcher | undefined;
  #labels: readonly string[] = [];

  /** @throws {ENDPOINT_NAME_INVALID} */
  constructor(name: string, options: EndpointOptions = {}) {
    this.name = checkEndpointName(name);
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
    this.maxTexts = Math.min(MOST_TEXTS, this.#maxWaiting);
  }

  get state(): EndpointState {
    return this.#state;
  }

  get labels(): readonly string[] {
    return this.#labels;
  }

  /** Loads the model; ready when it resolves. @throws what `load` throws, and is then failed. */
  async start(load: () => Promise<TextClassifier>): Promise<void> {
    try {
      const classifier = await load();
      // Stopped while it was loading: then it stays so.
      if (this.#state !== 'loading') return;
      this.#labels = classifier.labels;
      this.#batcher = new MicroBatcher(classifier, {
        name: this.name,
        maxWaiting: this.#maxWaiting,
        maxWaitMs: this.#maxWaitMs,
      });
      this.#state = 'ready';
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  /**
   * For a server, before it reads a request.
   * @throws {ENDPOINT_NOT_READY}
   * @throws {ENDPOINT_OVERLOADED}
   */
  admit(): void {
    this.#ready().admit(1);
  }

  /**
   * @throws {ENDPOINT_NOT_READY}
   * @throws {ENDPOINT_OVERLOADED}
   * @throws what the model throws
   */
  async classify(texts: readonly string[], signal?: AbortSignal): Promise<readonly Prediction[]> {
    return this.#ready().submit(texts, signal);
  }

  #ready(): MicroBatcher {
    if (this.#state === 'ready' && this.#batcher !== undefined) return this.#batcher;
    throw new TrenioError('ENDPOINT_NOT_READY', { name: this.name, state: this.#state });
  }

  /** Takes nothing new from now on; resolves when what it had is answered. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped' || this.#state === 'failed') return;
    this.#state = 'stopping';
    await this.#batcher?.whenIdle();
    this.#state = 'stopped';
  }
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

function checkEndpointName(name: string): string {
  if (!NAME.test(name)) throw new TrenioError('ENDPOINT_NAME_INVALID', { name });
  return name;
}

/** A name made of a folder's: `runs/Review polarity_2/` → `Review-polarity-2`; 'model' if nothing is left of it. */
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
