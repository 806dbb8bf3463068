// Serves the model of a folder with the wire of OpenAI, for `trenio serve`: one that generates text, or one that embeds it.
import { basename } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { AutoTokenizer } from '../../data/tokenizers/auto-tokenizer.ts';
import type { Pooling } from '../../models/pooling.ts';
import { InvarianceChecks } from '../../serving/engine/invariance-checks.ts';
import { type EngineSizes, type LoadEngineOptions, loadEngine } from '../../serving/engine/load-engine.ts';
import type { PagedEngineOptions } from '../../serving/engine/paged-engine.ts';
import { isEmbedder, loadEmbedder } from '../../serving/model/text-embedder.ts';
import { OpenAiServer, type OpenAiServerOptions } from './openai-server.ts';

export const runners = ['auto', 'generate', 'pooling'] as const;

export interface ServeOptions extends OpenAiServerOptions {
  /** Default: the name of the folder. */
  readonly names?: readonly string[] | undefined;
  /** Whether the model generates text or embeds it; `auto`: encoders, and folders with modules.json, embed. */
  readonly runner: (typeof runners)[number];
  /** Replaces the pooling of the folder. */
  readonly pooling?: Pooling | undefined;
  /** Whether requests start from the sampling parameters of generation_config.json. */
  readonly usesGenerationConfig: boolean;
  readonly dtype?: LoadEngineOptions['dtype'];
  readonly quantization?: LoadEngineOptions['quantization'];
  readonly sizes: EngineSizes;
  /** Adapters to load at once. */
  readonly adapters: readonly { readonly name: string; readonly folder: string }[];
  /** The folder whose adapters requests may load. */
  readonly adapterFolder?: string | undefined;
  readonly engine: PagedEngineOptions;
  /** The share of the requests that are repeated alone. */
  readonly checkedShare: number;
  readonly signal: AbortSignal;
}

export interface ServedModelServer {
  readonly url: string;
  readonly names: readonly string[];
  readonly positions: number;
  /** Refuses requests, lets those that run end for this time, and closes. */
  close(graceMs: number): Promise<void>;
}

/** Options that a model that embeds texts would ignore. @throws {INVALID_OPTION} */
function refuseForEmbeddings({ quantization, dtype, sizes, checkedShare, engine }: ServeOptions): void {
  const given = { quantization, dtype, 'enable-lora': sizes.adapters, 'check-invariance': checkedShare || undefined };
  const all = { ...given, trace: engine.onStep };
  const option = Object.entries(all).find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  const expected = 'no such option for a model that embeds texts';
  throw new TrenioError('INVALID_OPTION', { what: 'trenio serve', option, got: 'given', expected });
}

/** Listens at once, and resolves when requests are answered. */
export async function serveLanguageModel(folder: string, options: ServeOptions): Promise<ServedModelServer> {
  const server = new OpenAiServer(options);
  const url = await server.listen();
  const close = (graceMs: number): Promise<void> => server.close(graceMs);
  try {
    const names = options.names?.length ? options.names : [basename(folder)];
    const created = Math.floor(Date.now() / 1000);
    if (options.runner === 'pooling' || (options.runner === 'auto' && (await isEmbedder(folder)))) {
      refuseForEmbeddings(options);
      const { positions } = options.sizes;
      const embedder = await loadEmbedder(folder, { positions, pooling: options.pooling, onWarning: options.log });
      options.signal.throwIfAborted();
      const counts = { running: 0, requests: 0, tokens: 0, stopping: false };
      server.serve({ names, created, embedder, mostWaiting: options.engine.mostWaiting ?? 512, counts });
      return { url, names, positions: embedder.positions, close };
    }
    const tokenizer = await AutoTokenizer.fromPretrained(folder);
    const { dtype, quantization, sizes, log } = options;
    const { engine, generationConfig: config } = await loadEngine(folder, {
      ...options.engine,
      ...{ name: names[0]!, log, dtype, quantization, sizes },
    });
    for (const { name, folder: of } of options.adapters) await engine.adapters.load(name, of, options.log);
    options.signal.throwIfAborted();
    const ends = [config.eos_token_id ?? [], tokenizer.eosTokenId ?? []]
      .flat()
      .filter(id => id >= 0 && id < engine.vocabulary);
    server.serve({
      names,
      created,
      engine,
      checks: options.checkedShare > 0 ? new InvarianceChecks(engine, options.checkedShare, options.log) : undefined,
      adapterFolder: options.adapterFolder,
      tokenizer,
      defaults: options.usesGenerationConfig ? config : {},
      endIds: [...new Set(ends)],
    });
    const all = [...names, ...engine.adapters.all.map(({ name }) => name)];
    return { url, names: all, positions: engine.positions, close };
  } catch (error) {
    await server.close(0);
    throw error;
  }
}
