// The files in which a Hugging Face model directory describes its tokenizer, read into one plain description:
// `tokenizer.json` (everything in one file), or `vocab.txt` with an optional `tokenizer_config.json` (the older form).
// Only BERT's WordPiece is supported; anything else is an error that names it.
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { fileExists, readTextFile } from '../../base/read-file.ts';
import type { BertTextOptions } from './bert-text.ts';
import { bertSpecialTokens, parseVocabulary, type SpecialTokenNames, Vocabulary } from './vocabulary.ts';

/** The data of a WordPiece tokenizer. */
export interface TokenizerDescription {
  /** The tokens and their ids. */
  readonly vocabulary: Vocabulary;
  /** How text is normalized before it is split into tokens. */
  readonly text: BertTextOptions;
  /** The prefix of a piece that continues a word. */
  readonly continuingPrefix: string;
  /** Words with more characters than this become the unknown token. */
  readonly maxWordCharacters: number;
}

/** The clean-up of `bert-base-uncased` (lower-case, no accents), or of a cased model. */
export function bertTextOptions(lowercase: boolean): BertTextOptions {
  return { cleanText: true, splitCjk: true, stripAccents: lowercase, lowercase };
}

/** `tokenizer.json` if the directory has one, else `vocab.txt` and, if it exists, `tokenizer_config.json`. */
export async function readTokenizerDirectory(directory: string): Promise<TokenizerDescription> {
  const configPath = join(directory, 'tokenizer_config.json');
  const config = (await fileExists(configPath))
    ? parseJson(await readTextFile(configPath), configPath, configSchema)
    : {};
  const names: SpecialTokenNames = {
    pad: config.pad_token ?? bertSpecialTokens.pad,
    unknown: config.unk_token ?? bertSpecialTokens.unknown,
    classify: config.cls_token ?? bertSpecialTokens.classify,
    separate: config.sep_token ?? bertSpecialTokens.separate,
    mask: config.mask_token ?? bertSpecialTokens.mask,
  };
  const whole = join(directory, 'tokenizer.json');
  if (await fileExists(whole)) return parseTokenizerJson(await readTextFile(whole), whole, names);
  const vocabularyPath = join(directory, 'vocab.txt');
  const lowercase = config.do_lower_case ?? true;
  return {
    vocabulary: parseVocabulary(await readTextFile(vocabularyPath), vocabularyPath, names),
    text: {
      ...bertTextOptions(lowercase),
      splitCjk: config.tokenize_chinese_chars ?? true,
      stripAccents: config.strip_accents ?? lowercase,
    },
    continuingPrefix: '##',
    maxWordCharacters: 100,
  };
}

/** The tokenizer.json of a tokenizer. */
export function tokenizerJsonOf(description: TokenizerDescription) {
  const { vocabulary, text, continuingPrefix, maxWordCharacters } = description;
  const { names } = vocabulary;
  const special = vocabulary.specialTokens().map(content => ({ id: vocabulary.idOf(content)!, content }));
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const templateToken = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const single = [
    templateToken(names.classify, 0),
    { Sequence: { id: 'A', type_id: 0 } },
    templateToken(names.separate, 0),
  ];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.sort((a, b) => a.id - b.id).map(token => ({ ...token, ...flags })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: text.cleanText,
      handle_chinese_chars: text.splitCjk,
      strip_accents: text.stripAccents,
      lowercase: text.lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, { Sequence: { id: 'B', type_id: 1 } }, templateToken(names.separate, 1)],
      special_tokens: Object.fromEntries(
        [names.classify, names.separate].map(id => [id, { id, ids: [vocabulary.idOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: continuingPrefix, cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: names.unknown,
      continuing_subword_prefix: continuingPrefix,
      max_input_chars_per_word: maxWordCharacters,
      vocab: Object.fromEntries(
        vocabulary.tokens.map((token, id) => [token, id] as const).filter(([token]) => token !== ''),
      ),
    },
  };
}

/** Writes `tokenizer.json` and `tokenizer_config.json` as Hugging Face's BertTokenizer does. */
export async function writeTokenizerDirectory(directory: string, description: TokenizerDescription): Promise<void> {
  const { vocabulary, text } = description;
  const { names } = vocabulary;
  const tokenizer = tokenizerJsonOf(description);
  const config = {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: text.lowercase,
    strip_accents: text.stripAccents,
    tokenize_chinese_chars: text.splitCjk,
    pad_token: names.pad,
    unk_token: names.unknown,
    cls_token: names.classify,
    sep_token: names.separate,
    mask_token: names.mask,
  };
  await writeFileAtomically(join(directory, 'tokenizer.json'), [`${JSON.stringify(tokenizer, null, 2)}\n`]);
  await writeFileAtomically(join(directory, 'tokenizer_config.json'), [`${JSON.stringify(config, null, 2)}\n`]);
}

const tokenName = z.union([z.string(), z.object({ content: z.string() }).transform(token => token.content)]).nullish();
const configSchema = z.object({
  do_lower_case: z.boolean().nullish(),
  strip_accents: z.boolean().nullish(),
  tokenize_chinese_chars: z.boolean().nullish(),
  pad_token: tokenName,
  unk_token: tokenName,
  cls_token: tokenName,
  sep_token: tokenName,
  mask_token: tokenName,
});

const kind = z.looseObject({ type: z.string() });
const tokenizerSchema = z.object({
  added_tokens: z.array(z.object({ id: z.int().min(0), content: z.string().min(1) })).default([]),
  normalizer: kind.nullable(),
  pre_tokenizer: kind.nullable(),
  model: kind,
});
const normalizerSchema = z.object({
  clean_text: z.boolean().default(true),
  handle_chinese_chars: z.boolean().default(true),
  strip_accents: z.boolean().nullish(),
  lowercase: z.boolean().default(true),
});
const modelSchema = z.object({
  vocab: z.record(z.string(), z.int().min(0)),
  continuing_subword_prefix: z.string().default('##'),
  max_input_chars_per_word: z.int().min(1).default(100),
});

function parseTokenizerJson(text: string, file: string, names: SpecialTokenNames): TokenizerDescription {
  const json = parseJson(text, file, tokenizerSchema);
  requireType(file, 'model', json.model.type, 'WordPiece');
  requireType(file, 'normalizer', json.normalizer?.type, 'BertNormalizer');
  requireType(file, 'pre_tokenizer', json.pre_tokenizer?.type, 'BertPreTokenizer');
  const model = check(json.model, file, modelSchema);
  const normalizer = check(json.normalizer, file, normalizerSchema);
  const ids = new Map(Object.entries(model.vocab));
  for (const { content, id } of json.added_tokens) ids.set(content, id);
  const tokenOf = new Map<number, string>();
  for (const [token, id] of ids) {
    const other = tokenOf.get(id);
    if (other !== undefined) {
      throw new TrenioError('VOCABULARY_INVALID', {
        file,
        problem: `the tokens ${other} and ${token} both have the id ${id}`,
      });
    }
    tokenOf.set(id, token);
  }
  return {
    vocabulary: new Vocabulary(ids, file, names),
    text: {
      cleanText: normalizer.clean_text,
      splitCjk: normalizer.handle_chinese_chars,
      stripAccents: normalizer.strip_accents ?? normalizer.lowercase,
      lowercase: normalizer.lowercase,
    },
    continuingPrefix: model.continuing_subword_prefix,
    maxWordCharacters: model.max_input_chars_per_word,
  };
}

function requireType(file: string, part: string, got: string | undefined, expected: string): void {
  if (got === expected) return;
  throw new TrenioError('UNSUPPORTED', {
    what: `the ${part} ${got ?? 'null'} of ${file}`,
    where: "Trenio's tokenizer",
    instead: `use a model whose ${part} is ${expected}, as BERT's is`,
  });
}

function parseJson<S extends z.ZodType>(text: string, file: string, schema: S): z.output<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const problem = `it is not JSON: ${(cause as Error).message}`;
    throw new TrenioError('VOCABULARY_INVALID', { file, problem }, { cause });
  }
  return check(json, file, schema);
}

function check<S extends z.ZodType>(json: unknown, file: string, schema: S): z.output<S> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new TrenioError('VOCABULARY_INVALID', {
    file,
    problem: `${issue.path.join('.') || 'the file'}: ${issue.message}`,
  });
}
