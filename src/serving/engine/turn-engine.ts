// An engine whose sequences take turns, token by token, each by `generateStream` of the model: a short answer does not wait for
// a long one.
import type { CausalLM } from '../../models/auto/index.ts';
import { tensor } from '../../tensor/index.ts';
import type { TextEngine, TextRequest } from './text-engine.ts';

export class TurnEngine implements TextEngine {
  readonly vocabulary: number;
  readonly positions: number;
  readonly #model: Pick<CausalLM, 'generateStream' | 'generationConfig'>;
  readonly #running = new Set<Promise<void>>();
  /** The last turn that a sequence has asked for. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(model: Pick<CausalLM, 'config' | 'generateStream' | 'generationConfig'>) {
    this.#model = model;
    this.vocabulary = model.config.vocab_size;
    this.positions = model.config.max_position_embeddings;
  }

  generate(request: TextRequest, signal: AbortSignal): AsyncIterable<number> {
    const left = new AbortController();
    return new ReadableStream<number>({
      start: controller => {
        const sequence = this.#run(request, AbortSignal.any([signal, left.signal]), controller);
        this.#running.add(sequence);
        void sequence.finally(() => this.#running.delete(sequence));
      },
      cancel: reason => left.abort(reason),
    });
  }

  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(
    { prompt, maxNewTokens, temperature, seed }: TextRequest,
    signal: AbortSignal,
    tokens: ReadableStreamDefaultController<number>,
  ): Promise<void> {
    const { eos_token_id: end, top_k: topK } = this.#model.generationConfig;
    const ends = [end ?? []].flat();
    const sampling = temperature > 0 ? { doSample: true, temperature, seed, topK: topK ?? 0 } : { doSample: false };
    const options = { ...sampling, maxNewTokens, numBeams: 1, numReturnSequences: 1, signal };
    try {
      signal.throwIfAborted();
      const ids = tensor(Int32Array.from(prompt), { shape: [1, prompt.length] });
      const stream = this.#model.generateStream(ids, options);
      for (;;) {
        const { done, value } = await this.#inTurn(() => stream.next());
        if (done === true) break;
        if (ends.includes(value)) {
          await this.#inTurn(() => stream.return());
          break;
        }
        tokens.enqueue(value);
      }
      tokens.close();
    } catch (error) {
      tokens.error(error);
    }
  }

  #inTurn<A>(body: () => Promise<A>): Promise<A> {
    const turn = this.#turn.then(body);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
