// The text of a sequence, as its tokens arrive: complete characters only, and nothing that may turn out to begin a stop string.
//
//   tokens ─▶ decoded with the tokens before them ─▶ complete characters ─▶ stop strings ─▶ text
//             (a token's text may depend on those)                          (held back while one may still match)

/** The text of token ids. */
export type DecodeIds = (ids: readonly number[]) => string;

export interface TextStreamOptions {
  readonly decode: DecodeIds;
  /** The last tokens of the prompt, before the text. */
  readonly before?: readonly number[] | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly includeStop?: boolean | undefined;
}

const CONTEXT = 6;
/** More tokens than this without a complete character are not UTF-8. */
const MOST_INCOMPLETE = 8;

export class TextStream {
  readonly #decode: DecodeIds;
  readonly #stops: readonly StopMatcher[];
  readonly #includeStop: boolean;
  /** Tokens whose text is complete, and their text. */
  #context: readonly number[];
  #contextText: string;
  /** Tokens after them, and how much of their text was passed on. */
  #tokens: number[] = [];
  #passed = 0;
  /** The end of the text that may begin a stop string. */
  #held = '';
  /** The stop string that ended the text. */
  stopped: string | undefined;

  constructor({ decode, before = [], stop = [], includeStop = false }: TextStreamOptions) {
    this.#decode = decode;
    this.#stops = stop.map(text => new StopMatcher(text));
    this.#includeStop = includeStop;
    this.#context = before.slice(-CONTEXT);
    this.#contextText = decode(this.#context);
    if (!this.#contextText.endsWith('\uFFFD')) return;
    this.#context = [];
    this.#contextText = '';
  }

  /** The text that is known after one more token. @param mayStop whether a stop string may end with it */
  push(id: number, mayStop = true): string {
    this.#tokens.push(id);
    const all = this.#decode([...this.#context, ...this.#tokens]);
    const isComplete = !all.endsWith('\uFFFD') || this.#tokens.length > MOST_INCOMPLETE;
    const known = isComplete ? all : all.replace(/\uFFFD+$/, '');
    const start = this.#contextText.length + this.#passed;
    const text = known.slice(start);
    this.#passed += text.length;
    if (isComplete && text !== '') {
      this.#context = this.#tokens;
      this.#contextText = this.#decode(this.#context);
      this.#tokens = [];
      this.#passed = 0;
    }
    return this.#unstopped(text, mayStop);
  }

  /** The rest of the text, if no more tokens come. */
  end(): string {
    if (this.stopped !== undefined) return '';
    const rest = this.#decode([...this.#context, ...this.#tokens]).slice(this.#contextText.length + this.#passed);
    const text = this.#held + rest;
    this.#held = '';
    return text;
  }

  #unstopped(text: string, mayStop: boolean): string {
    if (this.#stops.length === 0) return text;
    const all = this.#held + text;
    for (let i = this.#held.length; i < all.length; i++)
      for (const stop of this.#stops) {
        if (!stop.push(all.charCodeAt(i)) || !mayStop) continue;
        this.stopped = stop.text;
        this.#held = '';
        return all.slice(0, i + 1 - (this.#includeStop ? 0 : stop.text.length));
      }
    const held = Math.max(...this.#stops.map(stop => stop.held));
    this.#held = all.slice(all.length - held);
    return all.slice(0, all.length - held);
  }
}

/** Finds a text in a stream of characters (Knuth, Morris and Pratt): a few comparisons for each, whatever was seen before. */
class StopMatcher {
  readonly text: string;
  /** The length of the longest beginning of the text that ends each beginning of it, and is shorter. */
  readonly #shorter: Int32Array;
  /** The number of characters of the text that were seen last. */
  #matched = 0;

  constructor(text: string) {
    this.text = text;
    this.#shorter = new Int32Array(text.length + 1);
    for (let i = 1, length = 0; i < text.length; i++) {
      while (length > 0 && text.charCodeAt(i) !== text.charCodeAt(length)) length = this.#shorter[length]!;
      if (text.charCodeAt(i) === text.charCodeAt(length)) length++;
      this.#shorter[i + 1] = length;
    }
  }

  /** The number of characters that may begin the text. */
  get held(): number {
    return this.#matched === this.text.length ? this.#shorter[this.#matched]! : this.#matched;
  }

  /** Whether the text ends with this character. */
  push(character: number): boolean {
    const { text } = this;
    let length = this.#matched;
    if (length === text.length) length = this.#shorter[length]!;
    while (length > 0 && text.charCodeAt(length) !== character) length = this.#shorter[length]!;
    if (text.charCodeAt(length) === character) length++;
    this.#matched = length;
    return length === text.length;
  }
}
