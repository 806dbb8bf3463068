// POST /v1/embeddings: a list of numbers for each text, as JSON numbers or as the bytes of f32 in base64.
import { randomUUID } from 'node:crypto';
import { TrenioError } from '../../base/errors.ts';
import type { TextEmbedder } from '../../serving/model/text-embedder.ts';
import type { EmbeddingRequest } from './members.ts';
import { OpenAiError } from './openai-error.ts';
import { textIds } from './prompts.ts';

/** A model that embeds texts, as this wire serves it. */
export interface EmbeddingModel {
  readonly names: readonly string[];
  /** In seconds since 1970. */
  readonly created: number;
  readonly embedder: TextEmbedder;
  /** More waiting texts are refused. */
  readonly mostWaiting: number;
  readonly counts: EmbeddingCounts;
}

/** The requests so far. */
export interface EmbeddingCounts {
  running: number;
  requests: number;
  tokens: number;
  stopping: boolean;
}

const MOST_TEXTS = 2048;

export async function embeddings(
  { names, embedder, mostWaiting, counts }: EmbeddingModel,
  request: EmbeddingRequest,
  signal: AbortSignal,
): Promise<unknown> {
  if (counts.stopping) throw new TrenioError('ENDPOINT_NOT_READY', { name: names[0]!, state: 'stopping' });
  const texts = idsOf(embedder, request);
  const width = request.dimensions ?? embedder.width;
  if (width !== embedder.width) throw invalid('dimensions', `this model has ${embedder.width}`);
  // A request that is larger than the queue is accepted by an idle server: clients send a thousand texts at once.
  if (embedder.waiting > 0 && embedder.waiting + texts.length > mostWaiting)
    throw new OpenAiError(429, `${embedder.waiting} texts wait, at most ${mostWaiting} may`, {
      code: 'overloaded',
      headers: { 'retry-after': '1' },
    });
  counts.running++;
  try {
    const rows = await embedder.embed(texts, signal);
    const tokens = texts.reduce((sum, ids) => sum + ids.length, 0);
    counts.requests++;
    counts.tokens += tokens;
    return {
      id: `embd-${randomUUID()}`,
      object: 'list',
      created: Math.floor(Date.now() / 1000),
      model: request.model ?? names[0],
      data: rows.map((row, index) => ({
        object: 'embedding',
        index,
        embedding: request.encoding_format === 'base64' ? base64(row) : [...row],
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0 },
    };
  } finally {
    counts.running--;
  }
}

const base64 = (row: Float32Array): string =>
  Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('base64');

const invalid = (param: string, message: string, code = 'invalid_value'): OpenAiError =>
  new OpenAiError(400, `${param}: ${message}`, { param, code });

function idsOf(
  embedder: TextEmbedder,
  { input, add_special_tokens }: EmbeddingRequest,
): readonly (readonly number[])[] {
  const { tokenizer, positions, vocabulary } = embedder;
  const isIds = (value: unknown): value is readonly number[] =>
    Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'number');
  const all = typeof input === 'string' || isIds(input) ? [input] : input;
  if (all.length === 0 || all.length > MOST_TEXTS) throw invalid('input', `expected 1 to ${MOST_TEXTS} texts`);
  return all.map(text => {
    const ids =
      typeof text === 'string'
        ? textIds(tokenizer, text, add_special_tokens ?? true, positions, 'input')
        : (text as number[]);
    if (ids.length === 0) throw invalid('input', 'a text is empty');
    if (ids.length > positions)
      throw new OpenAiError(400, `the maximum context length is ${positions} tokens, but a text has ${ids.length}`, {
        param: 'input',
        code: 'context_length_exceeded',
      });
    const unknown = ids.find(id => !Number.isInteger(id) || id < 0 || id >= vocabulary);
    if (unknown !== undefined) throw invalid('input', `${unknown} is not the id of a token`);
    return ids;
  });
}
