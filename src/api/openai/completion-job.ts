// Shared by both kinds of completions: starting generations, and their answers as one value or as a stream of chunks.
import { randomUUID } from 'node:crypto';
import type { LoadedAdapter } from '../../serving/engine/adapters.ts';
import type { Generation } from '../../serving/engine/generation.ts';
import type { SamplingParameters } from '../../serving/engine/sampling-parameters.ts';
import { type Choice, collected, type MergedEvent, merged, type TokenNames, type Usage, usageOf } from './answers.ts';
import type { LanguageModel } from './language-model.ts';
import type { ChatRequest } from './members.ts';
import { OpenAiError, toOpenAiError } from './openai-error.ts';
import { decoderOf } from './prompts.ts';

/** Who asks, and how. */
export interface Asked {
  readonly requestId: string;
  /** The key's name, never the key itself. */
  readonly tenant: string;
  /** The adapter that the request has named as its model. */
  readonly adapter: LoadedAdapter | undefined;
  readonly signal: AbortSignal;
  /** Called with each generation and the id of the answer, so that it can be canceled by that or by the request's id. */
  readonly onGeneration: (generation: Generation, answerId: string) => void;
}

/** One value, or chunks. */
export type Answer =
  | { readonly kind: 'whole'; readonly body: unknown }
  | { readonly kind: 'stream'; readonly chunks: AsyncGenerator<unknown> };

type Shared = Pick<
  ChatRequest,
  | 'priority'
  | 'cache_salt'
  | 'skip_special_tokens'
  | 'return_tokens_as_token_ids'
  | 'timeout_ms'
  | 'stream'
  | 'stream_options'
>;

/** The parts of an answer that depend on the path. */
export interface Form {
  readonly prefix: string;
  readonly object: string;
  readonly chunkObject: string;
  /** The member that has the prompt. */
  readonly promptMember: string;
  choice(choice: Choice, generation: Generation): unknown;
  /** More members of a whole answer. */
  more?(generations: readonly Generation[]): object;
  /** The first chunks of a stream. */
  start(choices: number): readonly unknown[];
  /** The choice of a chunk; undefined if there is nothing to send. */
  delta(event: MergedEvent): unknown;
}

export interface Job {
  readonly model: LanguageModel;
  readonly request: Shared;
  readonly prompts: readonly (readonly number[])[];
  readonly sampling: SamplingParameters;
  /** The number of sequences of each prompt that are answered: those whose tokens are most probable. */
  readonly kept?: number | undefined;
}

export const namesOf = ({ tokenizer }: LanguageModel, request: Shared): TokenNames => ({
  decode: decoderOf(tokenizer, false),
  asIds: request.return_tokens_as_token_ids ?? false,
});

/** @throws the errors of `PagedEngine.submit` */
export function run(
  { model, request, prompts, sampling, kept = sampling.n }: Job,
  form: Form,
  asked: Asked,
): Answer | Promise<Answer> {
  const { stream, stream_options: options } = request;
  if (options != null && stream !== true)
    throw new OpenAiError(400, 'stream_options: only allowed with stream: true', {
      param: 'stream_options',
      code: 'invalid_value',
    });
  const id = `${form.prefix}-${randomUUID()}`;
  const generations = submitted({ model, request, prompts, sampling }, form, id, asked);
  const head = {
    id,
    created: Math.floor(Date.now() / 1000),
    model: asked.adapter?.name ?? model.names[0],
  };
  const { n } = sampling;
  if (stream !== true)
    return collected(generations, n).then(choices => {
      const usage = usageOf(
        generations,
        choices.reduce((sum, { tokens }) => sum + tokens.length, 0),
      );
      const best = kept === n ? choices : bestOf(choices, n, kept);
      const body = {
        ...head,
        object: form.object,
        choices: best.map(choice => form.choice(choice, generations[Math.floor(choice.index / kept)]!)),
        usage,
        ...form.more?.(generations),
      };
      return { kind: 'whole', body };
    });
  return { kind: 'stream', chunks: chunksOf() };

  async function* chunksOf(): AsyncGenerator<unknown> {
    const hasUsage = options?.include_usage === true;
    const isContinuous = hasUsage && options.continuous_usage_stats === true;
    let generated = 0;
    const usage = (): Usage => usageOf(generations, generated);
    const chunk = (choices: readonly unknown[]): unknown => ({
      ...head,
      object: form.chunkObject,
      choices,
      ...(hasUsage ? { usage: isContinuous ? usage() : null } : {}),
    });
    for (const choice of form.start(prompts.length * n)) yield chunk([choice]);
    for await (const event of merged(generations, n)) {
      generated += event.tokens.length;
      const choice = form.delta(event);
      if (choice !== undefined) yield chunk([choice]);
    }
    if (hasUsage) yield { ...head, object: form.chunkObject, choices: [], usage: usage() };
  }
}

/** The `kept` of each `n` choices with the largest mean log-probability. */
function bestOf(choices: readonly Choice[], n: number, kept: number): readonly Choice[] {
  const mean = ({ tokens }: Choice): number =>
    tokens.reduce((sum, { logprob = 0 }) => sum + logprob, 0) / Math.max(1, tokens.length);
  return Array.from({ length: choices.length / n }, (_, i) =>
    choices
      .slice(i * n, (i + 1) * n)
      .sort((a, b) => mean(b) - mean(a))
      .slice(0, kept),
  )
    .flat()
    .map((choice, index) => ({ ...choice, index }));
}

/** One generation for each prompt; if one is refused, none runs. */
function submitted(
  { model, request, prompts, sampling }: Job,
  form: Form,
  id: string,
  asked: Asked,
): readonly Generation[] {
  const { engine, checks, tokenizer } = model;
  const generations: Generation[] = [];
  const abort = (): void => {
    for (const generation of generations) generation.abort('the client has disconnected');
  };
  try {
    for (const prompt of prompts) {
      const generation = (checks ?? engine).submit({
        id: randomUUID(),
        prompt,
        sampling,
        decode: decoderOf(tokenizer, request.skip_special_tokens ?? true),
        priority: request.priority ?? 0,
        tenant: asked.tenant,
        adapter: asked.adapter,
        // Tenants cannot find out what others have asked by timing.
        salt: JSON.stringify([asked.tenant, request.cache_salt ?? '']),
        deadlineMs: request.timeout_ms ?? undefined,
      });
      generations.push(generation);
      asked.onGeneration(generation, id);
    }
  } catch (error) {
    abort();
    throw toOpenAiError(error, { prompt: form.promptMember });
  }
  if (asked.signal.aborted) abort();
  else asked.signal.addEventListener('abort', abort, { once: true });
  return generations;
}
