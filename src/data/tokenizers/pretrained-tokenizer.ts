// A tokenizer with the interface of transformers: called with texts, it returns the inputs of a model. It adds special tokens,
// truncates, pads and applies chat templates; the engine splits the text into tokens.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { Callable, invoke } from '../../nn/module/callable.ts';
import { type Tensor, tensor } from '../../tensor/index.ts';
import { type ChatMessage, ChatTemplate } from './chat-template.ts';
import type { TokenizerEngine } from './engine.ts';
import { type SpecialName, specialNames, type TokenizerFiles } from './tokenizer-directory.ts';

/** Options of encoding. */
export interface TokenizeOptions {
  /** Adds the model's special tokens, such as [CLS] and [SEP]. Default true. */
  readonly addSpecialTokens?: boolean | undefined;
  /** Truncates to `maxLength`; of two texts, the longer one is truncated first. Default false. */
  readonly truncation?: boolean | undefined;
  /** The maximum number of tokens, special ones included. Default: `modelMaxLength`. */
  readonly maxLength?: number | undefined;
}

/** Options of a call. */
export interface TokenizerCallOptions extends TokenizeOptions {
  /** `true` or `'longest'`: pads to the longest text of the batch; `'maxLength'`: to `maxLength`. Default: no padding. */
  readonly padding?: boolean | 'longest' | 'maxLength' | undefined;
  /** Rounds the padded length up to a multiple of this. */
  readonly padToMultipleOf?: number | undefined;
  /** The side that is padded. Default: the tokenizer's `paddingSide`. */
  readonly paddingSide?: 'left' | 'right' | undefined;
  /** Returns tensors [texts, tokens] rather than arrays. Default false. */
  readonly returnTensors?: boolean | undefined;
}

/** Tokenized texts, as arrays. */
export interface TokenizedTexts {
  /** The token ids of each text. */
  readonly inputIds: readonly (readonly number[])[];
  /** 1 for tokens, 0 for padding. */
  readonly attentionMask: readonly (readonly number[])[];
  /** 0 for tokens of the first text, 1 for those of the second. */
  readonly tokenTypeIds: readonly (readonly number[])[];
}
/** Tokenized texts, as tensors [texts, tokens]. */
export interface TokenizedTensors {
  /** The token ids, int64. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding, int64. */
  readonly attentionMask: Tensor;
  /** 0 for tokens of the first text, 1 for those of the second, int64. */
  readonly tokenTypeIds: Tensor;
}

/** One text, or a pair. */
export type TokenizerInput = string | readonly [string, string];

/** Options of `applyChatTemplate`. */
export interface ChatTemplateOptions {
  /** Ends with the tokens that start an assistant's message. Default false. */
  readonly addGenerationPrompt?: boolean | undefined;
  /** Descriptions of the functions that the model may call. */
  readonly tools?: readonly unknown[] | undefined;
  /** Documents for the model to refer to. */
  readonly documents?: readonly unknown[] | undefined;
  /** The name of one of the tokenizer's templates, or the source of a template. */
  readonly chatTemplate?: string | undefined;
  /** Additional variables of the template. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

interface Row {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

export interface PretrainedTokenizer {
  /**
   * Tokenizes texts, or pairs of texts.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  (
    texts: string | readonly TokenizerInput[],
    options: TokenizerCallOptions & { readonly returnTensors: true },
  ): TokenizedTensors;
  (texts: string | readonly TokenizerInput[], options?: TokenizerCallOptions): TokenizedTexts;
}

/**
 * The tokenizer of a model directory, loaded by `AutoTokenizer`. Call it with texts.
 * @example
 * ```ts no-run
 * const tokenizer = await AutoTokenizer.fromPretrained('./Qwen3-0.6B');
 * const { inputIds } = tokenizer(['Hello', 'Hello world'], { padding: true, returnTensors: true });
 * tokenizer.decode(tokenizer.encode('Hello')) // 'Hello'
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface has the call, which the base class implements
export class PretrainedTokenizer extends Callable {
  readonly #engine: TokenizerEngine;
  readonly #templates: TokenizerFiles['chatTemplates'];
  readonly #parsed = new Map<string, ChatTemplate>();
  readonly #special: Readonly<Partial<Record<SpecialName, string>>>;
  readonly #otherNamed: Readonly<Record<string, string>>;
  readonly #truncationSide: 'left' | 'right';
  /** The side that is padded: left for models that generate. */
  paddingSide: 'left' | 'right';
  /** The maximum number of tokens of the model; infinite if its files do not specify it. */
  modelMaxLength: number;

  /** @internal */
  constructor(
    engine: TokenizerEngine,
    files: Pick<TokenizerFiles, 'settings' | 'tokenizer' | 'special' | 'otherNamed' | 'chatTemplates'>,
  ) {
    super();
    const { settings, tokenizer, special, otherNamed, chatTemplates } = files;
    this.#engine = engine;
    this.#templates = chatTemplates;
    this.#special = special;
    this.#otherNamed = otherNamed;
    const side = (of: { readonly direction?: 'Left' | 'Right' | undefined } | null | undefined): 'left' | 'right' =>
      of?.direction === 'Left' ? 'left' : 'right';
    this.#truncationSide = settings.truncation_side ?? side(tokenizer?.truncation);
    this.paddingSide = settings.padding_side ?? side(tokenizer?.padding);
    const most = settings.model_max_length ?? settings.max_len ?? Number.POSITIVE_INFINITY;
    // transformers writes 10 ** 30 where there is no limit.
    this.modelMaxLength = most > 1e15 ? Number.POSITIVE_INFINITY : most;
  }

  /** The number of tokens: ids are below it. */
  get vocabularySize(): number {
    return this.#engine.vocabularySize;
  }
  /** The token that begins a sequence. */
  get bosTokenId(): number | undefined {
    return this.#idOfSpecial('bos');
  }
  /** The token that ends a sequence. */
  get eosTokenId(): number | undefined {
    return this.#idOfSpecial('eos');
  }
  /** The unknown token. */
  get unkTokenId(): number | undefined {
    return this.#idOfSpecial('unk');
  }
  /** The separator token. */
  get sepTokenId(): number | undefined {
    return this.#idOfSpecial('sep');
  }
  /** The padding token. */
  get padTokenId(): number | undefined {
    return this.#idOfSpecial('pad');
  }
  /** The classification token. */
  get clsTokenId(): number | undefined {
    return this.#idOfSpecial('cls');
  }
  /** The mask token. */
  get maskTokenId(): number | undefined {
    return this.#idOfSpecial('mask');
  }
  /** The named special tokens: `bos_token`, `eos_token`, …, and others that the files name, such as `image_token`. */
  get specialTokens(): Readonly<Record<string, string>> {
    return {
      ...Object.fromEntries(
        specialNames.flatMap(name =>
          this.#special[name] === undefined ? [] : [[`${name}_token`, this.#special[name]]],
        ),
      ),
      ...this.#otherNamed,
    };
  }
  #idOfSpecial(name: SpecialName): number | undefined {
    const token = this.#special[name];
    return token === undefined ? undefined : this.#engine.idOf(token);
  }

  /** The id of a token; undefined if it is not in the vocabulary. */
  tokenToId(token: string): number | undefined {
    return this.#engine.idOf(token);
  }
  /** The token of an id, as written in the vocabulary. */
  idToToken(id: number): string | undefined {
    return this.#engine.tokenOf(id);
  }

  /** The token ids of a text or a pair. */
  encode(text: TokenizerInput, options: TokenizeOptions = {}): readonly number[] {
    refuseUnknownOptions('encode', options, ['addSpecialTokens', 'truncation', 'maxLength']);
    return this.#row(text, options).ids;
  }

  /**
   * The text of token ids.
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  decode(ids: Iterable<number> | Iterable<bigint>, options: { readonly skipSpecialTokens?: boolean } = {}): string {
    const list = Array.from(ids as Iterable<number | bigint>, Number);
    for (const id of list)
      if (this.#engine.tokenOf(id) === undefined)
        throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id, vocabularySize: this.vocabularySize });
    return this.#engine.decode(list, options.skipSpecialTokens ?? false);
  }

  /** Yields the text of a stream of tokens in pieces that contain only complete characters. */
  async *decodeStream(
    tokens: AsyncIterable<number> | Iterable<number>,
    options: { readonly skipSpecialTokens?: boolean } = {},
  ): AsyncGenerator<string, void, undefined> {
    // The text of a token may depend on the tokens before it: the last tokens are decoded with and without it.
    let [context, known]: [number[], number[]] = [[], []];
    for await (const token of tokens) {
      known.push(token);
      const before = this.decode(context, options);
      const text = this.decode([...context, ...known], options);
      if (text.length <= before.length || text.endsWith('\uFFFD')) continue;
      yield text.slice(before.length);
      [context, known] = [known, []];
    }
    const rest = this.decode([...context, ...known], options).slice(this.decode(context, options).length);
    if (rest !== '') yield rest;
  }

  /**
   * Formats messages with the model's chat template.
   * @throws {CHAT_TEMPLATE_FAILED} with the line of the template
   * @throws {UNSUPPORTED} if the tokenizer has no chat template
   */
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions & { readonly tokenize: false },
  ): string;
  /** Formats and tokenizes messages. */
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions & TokenizerCallOptions & { readonly tokenize?: true; readonly returnTensors: true },
  ): TokenizedTensors;
  /** Formats and tokenizes messages. */
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions & TokenizerCallOptions & { readonly tokenize?: true },
  ): TokenizedTexts;
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions & TokenizerCallOptions & { readonly tokenize?: boolean } = {},
  ): string | TokenizedTexts | TokenizedTensors {
    const {
      addGenerationPrompt = false,
      tools,
      documents,
      chatTemplate,
      variables,
      tokenize = true,
      ...rest
    } = options;
    refuseUnknownOptions('applyChatTemplate', rest, callOptions);
    const text = this.#template(chatTemplate, tools !== undefined).render({
      ...this.specialTokens,
      messages,
      tools: tools ?? null,
      documents: documents ?? null,
      add_generation_prompt: addGenerationPrompt,
      ...variables,
    });
    if (!tokenize) return text;
    // The template writes the special tokens.
    return this[invoke]([[text], { addSpecialTokens: false, ...rest }]);
  }

  #template(name: string | undefined, hasTools: boolean): ChatTemplate {
    const byName = this.#templates.get(name ?? (hasTools && this.#templates.has('tool_use') ? 'tool_use' : 'default'));
    if (byName === undefined && name === undefined)
      throw new TrenioError('UNSUPPORTED', {
        what: 'applyChatTemplate',
        where: 'a tokenizer without a chat template',
        instead: 'pass one as chatTemplate, or use the tokenizer of a chat model',
      });
    const { source, file } = byName ?? { source: name!, file: 'chatTemplate' };
    const known = this.#parsed.get(source) ?? new ChatTemplate(source, file);
    this.#parsed.set(source, known);
    return known;
  }

  /** @internal */
  [invoke]([texts, options = {}]: readonly unknown[]): TokenizedTexts | TokenizedTensors {
    const settings = options as TokenizerCallOptions;
    refuseUnknownOptions('the tokenizer', settings, callOptions);
    const rows = (typeof texts === 'string' ? [texts] : (texts as readonly TokenizerInput[])).map(text =>
      this.#row(text, settings),
    );
    const {
      padding = false,
      returnTensors = false,
      maxLength,
      padToMultipleOf = 1,
      paddingSide = this.paddingSide,
    } = settings;
    const lengths = new Set(rows.map(({ ids }) => ids.length));
    if (returnTensors && padding === false && lengths.size > 1)
      throw invalid('padding', 'false', 'true: the texts have different numbers of tokens');
    let length: number | undefined;
    if (padding !== false) {
      const longest = Math.max(0, ...lengths);
      const wanted = padding === 'maxLength' ? (maxLength ?? this.modelMaxLength) : longest;
      if (!Number.isFinite(wanted)) throw invalid('maxLength', 'not set', "a number, with padding: 'maxLength'");
      length = Math.ceil(Math.max(longest, wanted) / padToMultipleOf) * padToMultipleOf;
    }
    const pad = this.padTokenId;
    if (pad === undefined && rows.some(({ ids }) => ids.length < (length ?? 0)))
      throw invalid('padding', String(padding), 'false: the tokenizer has no padding token (pad_token)');
    const padded = (row: readonly number[], value: number): readonly number[] => {
      const fill = new Array<number>(Math.max(0, (length ?? 0) - row.length)).fill(value);
      return paddingSide === 'left' ? [...fill, ...row] : [...row, ...fill];
    };
    const all: TokenizedTexts = {
      inputIds: rows.map(({ ids }) => padded(ids, pad ?? 0)),
      attentionMask: rows.map(({ ids }) =>
        padded(
          ids.map(() => 1),
          0,
        ),
      ),
      tokenTypeIds: rows.map(({ types }) => padded(types, 0)),
    };
    if (!returnTensors) return all;
    const upload = (of: readonly (readonly number[])[]): Tensor =>
      tensor(BigInt64Array.from(of.flat(), BigInt), { shape: [of.length, of[0]?.length ?? 0] });
    return {
      inputIds: upload(all.inputIds),
      attentionMask: upload(all.attentionMask),
      tokenTypeIds: upload(all.tokenTypeIds),
    };
  }

  #row(input: TokenizerInput, options: TokenizeOptions): Row {
    const { addSpecialTokens = true, truncation = false } = options;
    const texts = Array.isArray(input) ? (input as readonly [string, string]) : [input as string];
    for (const text of texts)
      if (typeof text !== 'string') throw invalid('a text', String(text), 'a string, or a pair of strings');
    const template = this.#engine.template(texts.length === 2).filter(part => addSpecialTokens || part.kind === 'text');
    let parts: readonly (readonly number[])[] = texts.map(text => this.#engine.idsOf(text));
    if (truncation) {
      const most = options.maxLength ?? this.modelMaxLength;
      const room = most - template.filter(({ kind }) => kind === 'special').length;
      if (room < 0 || !(most > 0)) throw invalid('maxLength', String(most), 'at least the number of special tokens');
      parts = this.#truncated(parts, room);
    }
    const ids: number[] = [];
    const types: number[] = [];
    for (const part of template) {
      const own = part.kind === 'special' ? [part.id] : parts[part.index]!;
      for (const id of own) {
        ids.push(id);
        types.push(part.typeId);
      }
    }
    return { ids, types };
  }

  /** Truncates the longer of two texts first, then both to half of the room. */
  #truncated(parts: readonly (readonly number[])[], room: number): readonly (readonly number[])[] {
    const lengths = parts.map(({ length }) => length);
    if (lengths.reduce((sum, n) => sum + n, 0) <= room) return parts;
    let kept = [room];
    if (parts.length === 2) {
      const shorter = Math.min(...lengths);
      const [less, more] =
        2 * shorter <= room ? [shorter, room - shorter] : [Math.floor(room / 2), Math.ceil(room / 2)];
      kept = lengths[0]! > lengths[1]! ? [more, less] : [less, more];
    }
    return parts.map((part, i) =>
      this.#truncationSide === 'left' ? part.slice(part.length - kept[i]!) : part.slice(0, kept[i]!),
    );
  }
}

const callOptions = [
  'addSpecialTokens',
  'truncation',
  'maxLength',
  'padding',
  'padToMultipleOf',
  'paddingSide',
  'returnTensors',
];

const invalid = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'the tokenizer', option, got, expected });
