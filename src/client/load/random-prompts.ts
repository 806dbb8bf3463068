// Prompts of random tokens. A server with /tokenize (vLLM's path) gives them their exact lengths; of others, words are as many as
// tokens, roughly.
import { randomFraction } from '../../models/generation/sample-token.ts';
import type { StreamTarget } from './stream-request.ts';

export interface PromptOptions {
  readonly count: number;
  readonly length: number;
  /** Tokens that all prompts begin with, besides. */
  readonly prefix: number;
  /** Lengths are within this share of `length`. */
  readonly spread: number;
  readonly seed: number;
  readonly onPrompt?: ((made: number) => void) | undefined;
}

/** One prompt: its ids if they are known. */
export interface RandomPrompt {
  readonly text: string;
  readonly ids: readonly number[] | undefined;
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za an en in on un ar er ir or ur'.split(
  ' ',
);

export async function randomPrompts(
  base: string,
  target: StreamTarget,
  { count, length, prefix, spread, seed, onPrompt }: PromptOptions,
): Promise<readonly RandomPrompt[]> {
  let draws = 0;
  const below = (n: number): number => Math.floor(randomFraction(seed, 2, draws++) * n);
  const word = (): string => Array.from({ length: 1 + below(3) }, () => syllables[below(syllables.length)]!).join('');
  const text = (words: number): string => Array.from({ length: words }, word).join(' ');
  const shared = prefix === 0 ? { text: '', ids: [] } : await cut(text(prefix), prefix);
  const prompts: RandomPrompt[] = [];
  for (let i = 0; i < count; i++) {
    const tokens = Math.max(1, Math.round(length * (1 - spread + 2 * spread * randomFraction(seed, 2, draws++))));
    const own = await cut(text(tokens), tokens);
    const ids = own.ids && shared.ids && [...shared.ids, ...own.ids];
    onPrompt?.(i + 1);
    prompts.push({ text: [shared.text, own.text].filter(Boolean).join(' '), ids });
  }
  return prompts;

  /** The first `tokens` tokens of a text, which has at least a token for each word. */
  async function cut(whole: string, tokens: number): Promise<RandomPrompt> {
    const all = await ask<{ tokens?: readonly number[] }>('/tokenize', { prompt: whole, add_special_tokens: false });
    if (all?.tokens === undefined || all.tokens.length < tokens) return { text: whole, ids: undefined };
    const ids = all.tokens.slice(0, tokens);
    const start = await ask<{ prompt?: string }>('/detokenize', { tokens: ids });
    return { text: start?.prompt ?? whole, ids };
  }

  async function ask<A>(path: string, body: object): Promise<A | undefined> {
    const { headers, signal } = target;
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return (await response.json()) as A;
    await response.body?.cancel();
    return undefined;
  }
}
