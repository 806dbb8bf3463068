// Generations as the answers of the wire: choices with their texts and log-probabilities, usage, and merged streams.
import type { FinishReason } from '../../serving/engine/engine-metrics.ts';
import type { Generation, GenerationEvent } from '../../serving/engine/generation.ts';
import type { Chosen } from '../../serving/engine/step-model.ts';
import type { DecodeIds } from '../../serving/engine/text-stream.ts';

/** The whole of one sequence. */
export interface Choice {
  readonly index: number;
  readonly tokens: Chosen[];
  text: string;
  finish: FinishReason | undefined;
  stopReason: string | number | undefined;
}

/** An event of one of several generations; `choice` counts the sequences of all of them. */
export interface MergedEvent extends GenerationEvent {
  readonly generation: number;
}

/** The events of generations as they come. If one fails, the others are aborted. */
export async function* merged(generations: readonly Generation[], n: number): AsyncGenerator<MergedEvent> {
  const readers = generations.map(generation => generation[Symbol.asyncIterator]());
  const next = async (i: number) => ({ i, result: await readers[i]!.next() });
  const pending = new Map(readers.map((_, i) => [i, next(i)]));
  try {
    while (pending.size > 0) {
      const { i, result } = await Promise.race(pending.values());
      if (result.done === true) pending.delete(i);
      else {
        pending.set(i, next(i));
        yield { ...result.value, choice: i * n + result.value.choice, generation: i };
      }
    }
  } finally {
    for (const generation of generations) generation.abort('its request has ended');
    await Promise.allSettled(pending.values());
  }
}

/** All sequences, when they have ended. */
export async function collected(generations: readonly Generation[], n: number): Promise<readonly Choice[]> {
  const choices = Array.from({ length: generations.length * n }, (_, index): Choice => {
    return { index, tokens: [], text: '', finish: undefined, stopReason: undefined };
  });
  for await (const { choice, tokens, text, finish, stopReason } of merged(generations, n)) {
    const whole = choices[choice]!;
    for (const token of tokens) whole.tokens.push(token);
    whole.text += text;
    if (finish === undefined) continue;
    whole.finish = finish;
    whole.stopReason = stopReason;
  }
  return choices;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

export function usageOf(generations: readonly Generation[], generated: number): Usage {
  const sum = (of: (generation: Generation) => number): number =>
    generations.reduce((total, generation) => total + of(generation), 0);
  const prompt = sum(({ promptTokens }) => promptTokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: generated,
    total_tokens: prompt + generated,
    prompt_tokens_details: { cached_tokens: sum(({ cachedTokens }) => cachedTokens) },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

/** How tokens are written in log-probabilities. */
export interface TokenNames {
  readonly decode: DecodeIds;
  /** `token_id:5` instead of the text. */
  readonly asIds: boolean;
}

/** The log-probabilities of a prompt by id, as vLLM writes them; the first token has none. */
export const promptLogprobs = (prompt: readonly Chosen[], names: TokenNames): readonly unknown[] => [
  null,
  ...prompt.map(token => {
    const top = (token.top ?? []).map((one, i) => ({ ...one, rank: i + 1 }));
    return Object.fromEntries(
      [token, ...top].map(({ id, logprob, rank }) => [
        id,
        { logprob: finite(logprob), rank, decoded_token: names.decode([id]) },
      ]),
    );
  }),
];

const LEAST_LOGPROB = -9999;
const finite = (logprob = LEAST_LOGPROB): number => Math.max(LEAST_LOGPROB, logprob);
const nameOf = (id: number, { decode, asIds }: TokenNames): string => (asIds ? `token_id:${id}` : decode([id]));

/** The log-probabilities of chat completions. */
export function chatLogprobs(tokens: readonly Chosen[], names: TokenNames): { readonly content: readonly unknown[] } {
  const entry = (id: number, logprob: number | undefined) => {
    const token = nameOf(id, names);
    return { token, logprob: finite(logprob), bytes: [...Buffer.from(token)] };
  };
  return {
    content: tokens.map(({ id, logprob, top = [] }) => ({
      ...entry(id, logprob),
      top_logprobs: top.map(one => entry(one.id, one.logprob)),
    })),
  };
}

/**
 * The log-probabilities of completions; the first token of a prompt has none.
 * @param offset the length of the text before the tokens
 */
export function textLogprobs(
  tokens: readonly Chosen[],
  names: TokenNames,
  offset: number,
  first?: number,
): Record<string, unknown> {
  let at = offset;
  const start: readonly (Chosen & { readonly isFirst?: boolean })[] =
    first === undefined ? tokens : [{ id: first, isFirst: true }, ...tokens];
  return {
    tokens: start.map(({ id }) => nameOf(id, names)),
    token_logprobs: start.map(({ logprob, isFirst }) => (isFirst ? null : finite(logprob))),
    // The chosen token is among them, even if others are more probable.
    top_logprobs: start.map(({ id, logprob, top = [], isFirst }) =>
      isFirst
        ? null
        : Object.fromEntries([...top, { id, logprob }].map(one => [nameOf(one.id, names), finite(one.logprob)])),
    ),
    text_offset: start.map(({ id }) => {
      const from = at;
      at += names.decode([id]).length;
      return from;
    }),
  };
}
