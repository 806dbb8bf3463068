// Repeats a share of the requests when nothing else runs, from no cache, and counts those whose tokens or log-probabilities
// differ: `trenio serve --check-invariance`.
import type { Generation, GenerationEvent, GenerationRequest } from './generation.ts';
import type { PagedEngine } from './paged-engine.ts';

/** Requests that wait for their repetition; more are not repeated. */
const mostWaiting = 64;

interface Answered {
  readonly request: GenerationRequest;
  readonly events: readonly GenerationEvent[];
}

export class InvarianceChecks {
  /** Requests that were repeated, and those of them that had another answer. */
  checked = 0;
  differing = 0;
  readonly #engine: PagedEngine;
  readonly #share: number;
  readonly #log: (line: string) => void;
  readonly #waiting: Answered[] = [];
  #isRunning = false;
  #submitted = 0;

  /** @param share of the requests, 0 to 1 */
  constructor(engine: PagedEngine, share: number, log: (line: string) => void) {
    this.#engine = engine;
    this.#share = share;
    this.#log = log;
  }

  /** `PagedEngine.submit`. */
  submit(request: GenerationRequest): Generation {
    // Every 1 / share of them.
    const before = Math.floor(this.#submitted++ * this.#share);
    if (Math.floor(this.#submitted * this.#share) === before) return this.#engine.submit(request);
    const events: GenerationEvent[] = [];
    const generation = this.#engine.submit({ ...request, onEvent: event => void events.push(event) });
    void generation.whenOver.then(() => {
      const ended = events.filter(({ finish }) => finish === 'stop' || finish === 'length').length;
      if (ended < request.sampling.n || this.#waiting.length >= mostWaiting) return;
      this.#waiting.push({ request, events });
      void this.#run();
    });
    return generation;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      await this.#engine.whenIdle();
      const next = this.#engine.isDraining ? undefined : this.#waiting.shift();
      if (next === undefined) break;
      await this.#repeat(next).catch((error: unknown) => this.#log(`engine: a repetition failed: ${String(error)}`));
    }
    this.#isRunning = false;
  }

  async #repeat({ request, events }: Answered): Promise<void> {
    const { adapter, id } = request;
    // It may have been unloaded or replaced.
    if (adapter !== undefined && this.#engine.adapters.find(adapter.name) !== adapter) return;
    const { deadlineMs: _, tenant: __, ...same } = request;
    const again: GenerationEvent[] = [];
    const repeated = { ...same, id: `${id}, again`, salt: `${id}, again`, priority: Number.MAX_SAFE_INTEGER };
    for await (const event of this.#engine.submit(repeated)) again.push(event);
    this.checked++;
    if (answerOf(events) === answerOf(again)) return;
    this.differing++;
    this.#log(`engine: request ${id} has another answer alone: this is a bug, or the model is one without the promise`);
  }
}

/** The ids and log-probabilities of each choice. */
function answerOf(events: readonly GenerationEvent[]): string {
  const choices: (readonly unknown[])[][] = [];
  for (const { choice, tokens } of events) {
    choices[choice] ??= [];
    choices[choice].push(...tokens.map(({ id, logprob, top }) => [id, logprob, top]));
  }
  return JSON.stringify(choices);
}
