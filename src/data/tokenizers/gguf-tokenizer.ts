// The tokenizer of a GGUF file as the tokenizer.json that it was converted from: byte-level BPE (`gpt2`), and SentencePiece's BPE
// (`llama`), whose merges follow from the scores of its tokens.
import { nearestNames } from '../../base/nearest.ts';
import { type GgufFile, GgufMetadata } from '../gguf/gguf-file.ts';
import { refuseUnsupportedKeys } from '../gguf/gguf-keys.ts';
import { byteLevel, preTokenizerOfWords, type WordSplitter, wordSplitters } from './gguf-words.ts';
import type { SpecialName, TokenizerFiles, TokenizerJson } from './tokenizer-directory.ts';

/** `tokenizer.ggml.token_type`. */
const tokenTypes = { control: 3, userDefined: 4 } as const;

/**
 * The tokenizer of an open file.
 * @throws {GGUF_INVALID} for one of another kind, or without tokens
 */
export function ggufTokenizerFiles(file: GgufFile): TokenizerFiles & { readonly tokenizer: TokenizerJson } {
  refuseUnsupportedKeys(file);
  const metadata = new GgufMetadata(file);
  const key = (name: string): string => `tokenizer.ggml.${name}`;
  const tokens = metadata.required(key('tokens'), metadata.texts(key('tokens')));
  const types = metadata.numbers(key('token_type')) ?? [];
  const special: Partial<Record<SpecialName, string>> = {};
  const names = { bos: 'bos', eos: 'eos', unk: 'unknown', sep: 'seperator', pad: 'padding', cls: 'cls', mask: 'mask' };
  for (const [name, inFile] of Object.entries(names) as [SpecialName, string][]) {
    const id = metadata.number(key(`${inFile}_token_id`));
    if (id === undefined) continue;
    const token = tokens[id];
    if (token === undefined)
      throw metadata.invalid(`${key(`${inFile}_token_id`)} is ${id}; the vocabulary has ${tokens.length} tokens`);
    special[name] = token;
  }
  const added = tokens.flatMap((content, id) => {
    const isControl = types[id] === tokenTypes.control;
    return isControl || types[id] === tokenTypes.userDefined
      ? [{ id, content, special: isControl, normalized: false, single_word: false, lstrip: false, rstrip: false }]
      : [];
  });
  const kind = metadata.required(key('model'), metadata.text(key('model')));
  const engine =
    kind === 'gpt2'
      ? byteLevelBpe(metadata, tokens)
      : kind === 'llama'
        ? sentencePieceBpe(metadata, tokens, special.unk)
        : undefined;
  if (engine === undefined)
    throw metadata.invalid(`${key('model')}: expected 'gpt2' or 'llama' (it is ${JSON.stringify(kind)})`);
  const addsBos = metadata.boolean(key('add_bos_token')) ?? (kind === 'llama' || splitterOf(metadata).addsBos === true);
  const addsEos = metadata.boolean(key('add_eos_token')) ?? false;
  return {
    settings: {},
    tokenizer: {
      added_tokens: added,
      post_processor: around(addsBos && special.bos, addsEos && special.eos),
      ...engine,
    },
    tokenizerFile: file.file,
    special,
    otherNamed: {},
    otherSpecial: [],
    added: [],
    chatTemplates: chatTemplates(metadata, file.file),
  };
}

/** The post-processor that adds a token before, and one after each text. */
function around(bos: string | false | undefined, eos: string | false | undefined): TokenizerJson['post_processor'] {
  const part = (token: string | false | undefined, type_id: number): object[] =>
    token ? [{ SpecialToken: { id: token, type_id } }] : [];
  const text = (id: 'A' | 'B', type_id: number): object[] => [
    ...part(bos, type_id),
    { Sequence: { id, type_id } },
    ...part(eos, type_id),
  ];
  return { type: 'TemplateProcessing', single: text('A', 0), pair: [...text('A', 0), ...text('B', 1)] };
}

/** The template of a chat, and others by name, such as `tool_use`. */
function chatTemplates(metadata: GgufMetadata, file: string): TokenizerFiles['chatTemplates'] {
  const template = 'tokenizer.chat_template';
  const keys = [
    ['default', template],
    ...(metadata.texts(`${template}s`) ?? []).map(name => [name, `${template}.${name}`]),
  ] as [string, string][];
  return new Map(
    keys.flatMap(([name, key]) => {
      const source = metadata.text(key);
      return source === undefined ? [] : [[name, { source, file }] as const];
    }),
  );
}

type Engine = Readonly<Record<'normalizer' | 'pre_tokenizer' | 'decoder', TokenizerJson['decoder']>> & {
  readonly model: TokenizerJson['model'];
};

const vocabularyOf = (tokens: readonly string[]): Record<string, number> =>
  Object.fromEntries(tokens.map((token, id) => [token, id]));

function splitterOf(metadata: GgufMetadata): WordSplitter {
  const pre = metadata.text('tokenizer.ggml.pre') ?? 'default';
  if (Object.hasOwn(wordSplitters, pre)) return wordSplitters[pre]!;
  const nearest = nearestNames(pre, Object.keys(wordSplitters)).join(', ');
  throw metadata.invalid(`tokenizer.ggml.pre: ${JSON.stringify(pre)} is not supported; the nearest are ${nearest}`);
}

function byteLevelBpe(metadata: GgufMetadata, tokens: readonly string[]): Engine {
  const splitter = splitterOf(metadata);
  return {
    normalizer: splitter.normalizer === undefined ? null : { type: splitter.normalizer },
    pre_tokenizer: preTokenizerOfWords(splitter) as Engine['pre_tokenizer'],
    decoder: byteLevel(true) as Engine['decoder'],
    model: {
      type: 'BPE',
      vocab: vocabularyOf(tokens),
      merges: [...metadata.required('tokenizer.ggml.merges', metadata.texts('tokenizer.ggml.merges'))],
      ignore_merges: splitter.keepsTokens === true,
    },
  };
}

function sentencePieceBpe(metadata: GgufMetadata, tokens: readonly string[], unknown: string | undefined): Engine {
  const scores = metadata.required('tokenizer.ggml.scores', metadata.numbers('tokenizer.ggml.scores'));
  const vocab = vocabularyOf(tokens);
  const hasPrefix = metadata.boolean('tokenizer.ggml.add_space_prefix') ?? true;
  const space = '\u2581';
  const steps = [
    ...(hasPrefix ? [{ type: 'Prepend', prepend: space }] : []),
    { type: 'Replace', pattern: { String: ' ' }, content: space },
  ];
  const decoders = [
    { type: 'Replace', pattern: { String: space }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    ...(hasPrefix ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
  ];
  return {
    normalizer: { type: 'Sequence', normalizers: steps },
    pre_tokenizer: null,
    decoder: { type: 'Sequence', decoders },
    model: {
      type: 'BPE',
      vocab,
      merges: mergesOf(vocab, scores),
      unk_token: unknown ?? null,
      fuse_unk: true,
      byte_fallback: true,
    },
  };
}

/** All pairs of tokens that merge into a token, those with higher scores first. */
function mergesOf(vocab: Readonly<Record<string, number>>, scores: readonly number[]): [string, string][] {
  const ids = new Map(Object.entries(vocab));
  const merges: { readonly pair: [string, string]; readonly score: number; readonly order: readonly number[] }[] = [];
  for (const [token, id] of ids) {
    const characters = [...token];
    for (let i = 1; i < characters.length; i++) {
      const pair: [string, string] = [characters.slice(0, i).join(''), characters.slice(i).join('')];
      const [left, right] = pair.map(part => ids.get(part));
      if (left !== undefined && right !== undefined)
        merges.push({ pair, score: scores[id] ?? 0, order: [left, right] });
    }
  }
  merges.sort((a, b) => b.score - a.score || a.order[0]! - b.order[0]! || a.order[1]! - b.order[1]!);
  return merges.map(({ pair }) => pair);
}
