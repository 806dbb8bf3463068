// One streamed request to a server with OpenAI's API, and the times of its events.

/** The outcome of a request. Times are in milliseconds on the clock of `performance.now()`. */
export interface RequestResult {
  readonly startMs: number;
  readonly endMs: number;
  /** When each event with output came. */
  readonly outputMs: readonly number[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly text: string;
  /** Why it failed. */
  readonly error?: string | undefined;
}

export interface StreamTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends all requests. */
  readonly signal: AbortSignal;
}

interface Chunk {
  readonly choices?: readonly {
    readonly text?: string;
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null };
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  } | null;
  readonly error?: { readonly message?: string };
}

export async function streamRequest({ url, headers, signal }: StreamTarget, body: object): Promise<RequestResult> {
  const startMs = performance.now();
  const outputMs: number[] = [];
  let [promptTokens, cachedTokens, outputTokens, text] = [0, 0, 0, ''];
  let error: string | undefined;
  let isDone = false;
  const take = (data: string): void => {
    if (data === '[DONE]') {
      isDone = true;
      return;
    }
    const { choices = [], usage, error: failure } = JSON.parse(data) as Chunk;
    if (failure !== undefined) error = failure.message ?? 'an error in the stream';
    if (usage != null) {
      promptTokens = usage.prompt_tokens ?? promptTokens;
      outputTokens = usage.completion_tokens ?? outputTokens;
      cachedTokens = usage.prompt_tokens_details?.cached_tokens ?? cachedTokens;
    }
    const output = choices.map(one => one.text ?? one.delta?.content ?? one.delta?.reasoning_content ?? '').join('');
    if (output === '') return;
    text += output;
    outputMs.push(performance.now());
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) error = `HTTP ${response.status}: ${(await response.text()).slice(0, 500)}`;
    else for await (const data of eventsOf(response.body!)) take(data);
    if (error === undefined && !isDone) error = 'the stream ended before [DONE]';
  } catch (failure) {
    error = failure instanceof Error ? causeOf(failure) : String(failure);
  }
  const endMs = performance.now();
  return { startMs, endMs, outputMs, promptTokens, cachedTokens, outputTokens, text, error };
}

const causeOf = (failure: Error): string =>
  failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message;

/** The data of server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop()!;
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) yield data.join('\n');
    }
  }
}
