// An engine that runs one sequence after the other, in the order of the requests, by `generateStream` of the model.
import type { CausalLM } from '../../models/auto/index.ts';
import { tensor } from '../../tensor/index.ts';
import type { TextEngine, TextRequest } from './text-engine.ts';

export class SequentialEngine implements TextEngine {
  readonly vocabulary: number;
  readonly positions: number;
  readonly #model: Pick<CausalLM, 'generateStream' | 'generationConfig'>;
  /** The sequence that runs last. */
  #last: Promise<void> = Promise.resolve();

  constructor(model: Pick<CausalLM, 'config' | 'generateStream' | 'generationConfig'>) {
    this.#model = model;
    this.vocabulary = model.config.vocab_size;
    this.positions = model.config.max_position_embeddings;
  }

  generate(request: TextRequest, signal: AbortSignal): AsyncIterable<number> {
    const left = new AbortController();
    return new ReadableStream<number>({
      start: controller => {
        this.#last = this.#last.then(() => this.#run(request, AbortSignal.any([signal, left.signal]), controller));
      },
      cancel: reason => left.abort(reason),
    });
  }

  whenIdle(): Promise<void> {
    return this.#last;
  }

  async #run(
    { prompt, maxNewTokens, temperature, seed }: TextRequest,
    signal: AbortSignal,
    tokens: ReadableStreamDefaultController<number>,
  ): Promise<void> {
    const { eos_token_id: end, top_k: topK } = this.#model.generationConfig;
    const ends = [end ?? []].flat();
    const sampling = temperature > 0 ? { doSample: true, temperature, seed, topK: topK ?? 0 } : { doSample: false };
    try {
      signal.throwIfAborted();
      const ids = tensor(Int32Array.from(prompt), { shape: [1, prompt.length] });
      const options = { ...sampling, maxNewTokens, numBeams: 1, numReturnSequences: 1, signal };
      for await (const token of this.#model.generateStream(ids, options)) {
        if (ends.includes(token)) break;
        tokens.enqueue(token);
      }
      tokens.close();
    } catch (error) {
      tokens.error(error);
    }
  }
}
