// How byte-level BPE of a GGUF file splits text into words, by `tokenizer.ggml.pre`: the steps of the tokenizer.json that the
// file was converted from, and what llama.cpp does if the metadata does not say it.

const split = (regex: string): object => ({
  type: 'Split',
  pattern: { Regex: regex },
  behavior: 'Isolated',
  invert: false,
});
export const byteLevel = (splitsWords: boolean): object => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: splitsWords,
});

/** A kind of splitting. */
export interface WordSplitter {
  /** Splits at their matches, in order. */
  readonly patterns: readonly string[];
  /** GPT-2's pattern comes last. */
  readonly isGpt2?: boolean;
  /** A word that is a token is not split, whether or not merges lead to it. */
  readonly keepsTokens?: boolean;
  /** Sequences begin with the BOS token. */
  readonly addsBos?: boolean;
  readonly normalizer?: 'NFC';
}

const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const cl100k = (digits: string, marks = ''): string =>
  String.raw`${contractions}|[^\r\n\p{L}\p{N}]?[\p{L}${marks}]+|${digits}| ?[^\s\p{L}${marks}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const o200k = (digits: string, suffix: string): string =>
  String.raw`[^\r\n\p{L}\p{N}]?${upper}*${lower}+${suffix}|[^\r\n\p{L}\p{N}]?${upper}+${lower}*${suffix}|${digits}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
const three = String.raw`\p{N}{1,3}`;
const one = String.raw`\p{N}`;

const gpt2: WordSplitter = { patterns: [], isGpt2: true };
const digits: WordSplitter = { patterns: [one], isGpt2: true };
const llama3: WordSplitter = { patterns: [cl100k(three)], keepsTokens: true, addsBos: true };
const gpt4: WordSplitter = { patterns: [cl100k(three)] };
const qwen2: WordSplitter = { patterns: [cl100k(one)] };
const gpt4o: WordSplitter = { patterns: [o200k(three, `${contractions}?`)] };
const deepSeek3: WordSplitter = {
  patterns: [
    three,
    String.raw`[一-龥\u3040-ゟ゠-ヿ]+`,
    String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_${'`'}{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ],
};
const bailing: WordSplitter = {
  patterns: [
    String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`,
  ],
};
const bloom = String.raw` ?[^(\s|.,!?…。，、।۔،)]+`;

const named = (splitter: WordSplitter, names: string): Record<string, WordSplitter> =>
  Object.fromEntries(names.split(' ').map(name => [name, splitter]));

/** By `tokenizer.ggml.pre`. */
export const wordSplitters: Readonly<Record<string, WordSplitter>> = {
  ...named(
    gpt2,
    'default gpt-2 phi-2 mpt olmo jais gigachat a.x-4.0 mellum modern-bert exaone4 trillion granite-docling',
  ),
  ...named(digits, 'smollm starcoder refact command-r codeshell exaone minerva-7b mellum2'),
  ...named(llama3, 'llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2'),
  ...named(gpt4, 'dbrx smaug-bpe glm4 chatglm-bpe'),
  ...named(qwen2, 'deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2'),
  qwen2: { ...qwen2, normalizer: 'NFC' },
  qwen35: { patterns: [cl100k(one, String.raw`\p{M}`)], normalizer: 'NFC' },
  ...named(gpt4o, 'gpt-4o llama4 kanana2 minimax-m2'),
  tekken: { patterns: [o200k(one, '')], keepsTokens: true, addsBos: true },
  ...named(deepSeek3, 'deepseek-v3 hunyuan-dense joyai-llm'),
  'deepseek-coder': {
    patterns: [String.raw`[\r\n]`, String.raw`\s?\p{L}+`, String.raw`\s?\p{P}+`, '[一-龥ࠀ-一가-퟿]+', one],
  },
  ...named(bailing, 'bailingmoe bailingmoe2 llada-moe'),
  'seed-coder': {
    patterns: [
      String.raw`${contractions}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`,
    ],
  },
  ...named({ patterns: [bloom] }, 'bloom poro-chat gpt3-finnish'),
  viking: { patterns: [bloom, one] },
};

/** The pre-tokenizer of tokenizer.json. */
export function preTokenizerOfWords({ patterns, isGpt2 = false }: WordSplitter): object {
  const pretokenizers = [...patterns.map(split), byteLevel(isGpt2)];
  return pretokenizers.length === 1 ? pretokenizers[0]! : { type: 'Sequence', pretokenizers };
}
