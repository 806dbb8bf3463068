// One sequence while it is generated: its tokens, and how many of them have keys and values in which blocks.
//
//   tokens    prompt, prompt, prompt, generated, generated
//             └──────── computed ────────┘       └ the next step computes these, and chooses one more
import { blockKey, rootKey } from './prefix-index.ts';

export interface SequenceOptions {
  readonly prompt: readonly number[];
  readonly maxNewTokens: number;
  /** Lower ones first. */
  readonly priority?: number | undefined;
  /** Who asks: sequences of different tenants get equal shares. */
  readonly tenant?: string | undefined;
  /** Sequences share blocks only with those of the same salt and adapter. */
  readonly salt?: string | undefined;
  readonly adapter?: string | undefined;
  /** Computes its prompt whole, even if blocks have its beginning. */
  readonly isWhole?: boolean | undefined;
}

export class Sequence {
  readonly tokens: number[];
  readonly promptLength: number;
  readonly maxNewTokens: number;
  readonly priority: number;
  readonly tenant: string;
  readonly arrivalMs: number;
  readonly isWhole: boolean;
  state: 'waiting' | 'running' | 'finished' = 'waiting';
  /** The keys and values of this number of tokens are in `blocks`. */
  computed = 0;
  blocks: number[] = [];
  /** When it was first admitted. */
  admittedMs: number | undefined;
  /** Tokens of the prompt that were found in blocks when it was first admitted. */
  cachedTokens = 0;
  preemptions = 0;
  /** The number of the last step that computed tokens of it. */
  lastStep = 0;
  readonly #root: string;
  readonly #keys: string[] = [];

  constructor(options: SequenceOptions, arrivalMs: number) {
    this.tokens = [...options.prompt];
    this.promptLength = options.prompt.length;
    this.maxNewTokens = options.maxNewTokens;
    this.priority = options.priority ?? 0;
    this.tenant = options.tenant ?? '';
    this.arrivalMs = arrivalMs;
    this.isWhole = options.isWhole ?? false;
    this.#root = rootKey(options.salt ?? '', options.adapter);
  }

  /** Tokens to compute until one is chosen. */
  get missing(): number {
    return this.tokens.length - this.computed;
  }
  get generated(): number {
    return this.tokens.length - this.promptLength;
  }

  /** The key of a full block. */
  keyOf(index: number, blockSize: number): string {
    for (let i = this.#keys.length; i <= index; i++)
      this.#keys.push(blockKey(this.#keys[i - 1] ?? this.#root, this.tokens.slice(i * blockSize, (i + 1) * blockSize)));
    return this.#keys[index]!;
  }
}
