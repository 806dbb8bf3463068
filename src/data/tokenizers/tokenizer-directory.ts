// The files of a tokenizer in a model directory: tokenizer.json, tokenizer_config.json, special_tokens_map.json,
// added_tokens.json and the chat templates, read and validated.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { fileExists, readTextFile } from '../../base/read-file.ts';
import { maxVocabularySize } from '../text/vocabulary.ts';

const id = z.int().min(0).max(maxVocabularySize);
/** A token: its text, or an object with its text. */
const tokenText = z
  .union([z.string(), z.looseObject({ content: z.string() })])
  .transform(token => (typeof token === 'string' ? token : token.content));

/** The special tokens with a name. */
export const specialNames = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'] as const;
export type SpecialName = (typeof specialNames)[number];

/** A file may name any others, such as `image_token`. */
const namedTokens = z.looseObject(
  Object.fromEntries(specialNames.map(name => [`${name}_token`, tokenText.nullish()])) as Record<
    `${SpecialName}_token`,
    z.ZodOptional<z.ZodNullable<typeof tokenText>>
  >,
);

const addedToken = z.looseObject({
  content: z.string(),
  lstrip: z.boolean().optional(),
  rstrip: z.boolean().optional(),
  single_word: z.boolean().optional(),
  normalized: z.boolean().optional(),
  special: z.boolean().optional(),
});

const tokenList = z.array(tokenText);
const settingsSchema = namedTokens.extend({
  added_tokens_decoder: z.record(z.string().regex(/^\d+$/), addedToken).optional(),
  additional_special_tokens: tokenList.nullish(),
  extra_special_tokens: z.union([tokenList, z.record(z.string(), tokenText)]).nullish(),
  model_specific_special_tokens: z.record(z.string(), tokenText).nullish(),
  padding_side: z.enum(['left', 'right']).optional(),
  truncation_side: z.enum(['left', 'right']).optional(),
  model_max_length: z.number().positive().nullish(),
  max_len: z.number().positive().nullish(),
  clean_up_tokenization_spaces: z.boolean().nullish(),
  clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output: z.boolean().nullish(),
  add_prefix_space: z.boolean().nullish(),
  tokenizer_class: z.string().nullish(),
  chat_template: z
    .union([
      z.string(),
      z.array(z.looseObject({ name: z.string(), template: z.string() })),
      z.record(z.string(), z.string()),
    ])
    .nullish(),
  // Not supported: texts are always searched for special tokens, and patterns are taken from tokenizer.json.
  split_special_tokens: z.literal(false).nullish(),
  fix_mistral_regex: z.literal(false).nullish(),
});
/** The fields of tokenizer_config.json that are used. */
export type TokenizerSettings = z.output<typeof settingsSchema>;

/**
 * Fields of tokenizer_config.json without effect here: names of files and classes, options of sentencepiece and of calls, the
 * tokens that tokenizer.json's post-processor adds, and BERT's, which vocab.txt needs (tokenizer-files.ts).
 */
export const ignoredSettings: readonly string[] = [
  ...['add_bos_token', 'add_eos_token', 'auto_map', 'backend', 'errors', 'files_loaded', 'from_slow', 'init_inputs'],
  ...[
    'is_local',
    'legacy',
    'local_files_only',
    'max_length',
    'model_input_names',
    'name_or_path',
    'pad_to_multiple_of',
  ],
  ...['pad_token_type_id', 'processor_class', 'response_schema', 'response_template', 'sp_model_kwargs'],
  ...['special_tokens_map_file', 'stride', 'tokenizer_file', 'truncation_strategy', 'unk_id', 'use_fast', 'verbose'],
  ...['add_special_tokens', 'do_lower_case', 'strip_accents', 'tokenize_chinese_chars', 'vocab_file', 'merges_file'],
];
/** All fields that are known. */
export const settingsFields: readonly string[] = [...Object.keys(settingsSchema.shape), ...ignoredSettings];

const part = z.looseObject({ type: z.string() }).nullish().default(null);
const tokenizerSchema = z.looseObject({
  added_tokens: z.array(addedToken.extend({ id })).default([]),
  normalizer: part,
  pre_tokenizer: part,
  post_processor: part,
  decoder: part,
  padding: z
    .looseObject({ direction: z.enum(['Left', 'Right']).optional(), pad_token: z.string().optional() })
    .nullish(),
  truncation: z.looseObject({ direction: z.enum(['Left', 'Right']).optional() }).nullish(),
  model: z.looseObject({
    type: z.string().optional(),
    vocab: z.union([z.record(z.string(), id), z.array(z.tuple([z.string(), z.number()]))]),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])).optional(),
  }),
});
/** A token of `added_tokens`. */
export type AddedToken = TokenizerJson['added_tokens'][number];
/** A checked tokenizer.json. */
export type TokenizerJson = z.output<typeof tokenizerSchema>;

/** The content of the files of a directory. */
export interface TokenizerFiles {
  readonly settings: TokenizerSettings;
  /** Undefined if there is no tokenizer.json. */
  readonly tokenizer: TokenizerJson | undefined;
  readonly tokenizerFile: string;
  readonly special: Readonly<Partial<Record<SpecialName, string>>>;
  /** Other special tokens with names, such as `image_token`, by name; variables of chat templates. */
  readonly otherNamed: Readonly<Record<string, string>>;
  /** Special tokens besides `special`. */
  readonly otherSpecial: readonly string[];
  /** Tokens besides those of tokenizer.json, in the order in which they are added. */
  readonly added: readonly z.output<typeof addedToken>[];
  /** By name; most models have only `default`. */
  readonly chatTemplates: ReadonlyMap<string, { readonly source: string; readonly file: string }>;
}

/** @throws {FILE_UNREADABLE} @throws {TOKENIZER_INVALID} naming the invalid field */
export async function readTokenizerFiles(directory: string): Promise<TokenizerFiles> {
  const read = async <S extends z.ZodType>(name: string, schema: S): Promise<z.output<S> | undefined> => {
    const file = join(directory, name);
    return (await fileExists(file)) ? parse(await readTextFile(file), file, schema) : undefined;
  };
  const own = (await read('tokenizer_config.json', settingsSchema)) ?? {};
  // As in transformers: a newer tokenizer_config.json, with `added_tokens_decoder`, makes the older files superfluous.
  const isNew = own.added_tokens_decoder !== undefined;
  const map = isNew ? {} : ((await read('special_tokens_map.json', namedTokens)) ?? {});
  const ids = isNew ? {} : ((await read('added_tokens.json', z.record(z.string(), id))) ?? {});
  const { additional_special_tokens: additional, extra_special_tokens: extra = additional, ...others } = own;
  const settings: TokenizerSettings = { ...others, ...map };
  const inMap = tokenList.safeParse('extra_special_tokens' in map ? map.extra_special_tokens : []).data ?? [];
  const tokenizer = await read('tokenizer.json', tokenizerSchema);
  const isNamed = (name: string): boolean => specialNames.some(known => name === `${known}_token`);
  const special: Partial<Record<SpecialName, string>> = {};
  for (const name of specialNames) {
    const text = settings[`${name}_token`];
    if (typeof text === 'string') special[name] = text;
  }
  const padding = tokenizer?.padding?.pad_token;
  if (padding !== undefined) special.pad ??= padding;
  const otherNamed: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => {
        const token = name.endsWith('_token') && !isNamed(name) ? tokenText.safeParse(value).data : undefined;
        return token === undefined ? [] : [[name, token]];
      }),
    ),
    ...(Array.isArray(extra) ? {} : (extra ?? {})),
    ...own.model_specific_special_tokens,
  };
  const added = Object.entries(own.added_tokens_decoder ?? {})
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, token]) => token);
  const older = Object.entries(ids)
    .sort(([, a], [, b]) => a - b)
    .map(([content]) => ({ content }));
  return {
    settings,
    tokenizer,
    tokenizerFile: join(directory, 'tokenizer.json'),
    special,
    otherNamed,
    otherSpecial: [...Object.values(otherNamed), ...(Array.isArray(extra) ? extra : []), ...inMap],
    added: [...added, ...older],
    chatTemplates: await readChatTemplates(directory, own),
  };
}

async function readChatTemplates(
  directory: string,
  { chat_template: inSettings }: TokenizerSettings,
): Promise<TokenizerFiles['chatTemplates']> {
  const templates = new Map<string, { source: string; file: string }>();
  // Files of their own take precedence over all templates of tokenizer_config.json.
  const alone = join(directory, 'chat_template.jinja');
  if (await fileExists(alone)) templates.set('default', { source: await readTextFile(alone), file: alone });
  const folder = join(directory, 'additional_chat_templates');
  for (const name of (await readdir(folder).catch(() => [])).filter(each => each.endsWith('.jinja')).sort()) {
    const file = join(folder, name);
    templates.set(name.slice(0, -'.jinja'.length), { source: await readTextFile(file), file });
  }
  if (templates.size > 0) return templates;
  const file = join(directory, 'tokenizer_config.json');
  if (typeof inSettings === 'string') templates.set('default', { source: inSettings, file });
  else if (Array.isArray(inSettings))
    for (const { name, template } of inSettings) templates.set(name, { source: template, file });
  else
    for (const [name, source] of Object.entries(inSettings ?? {}))
      templates.set(name, { source: source as string, file });
  return templates;
}

function parse<S extends z.ZodType>(text: string, file: string, schema: S): z.output<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const problem = `it is not JSON: ${(cause as Error).message}`;
    throw new TrenioError('TOKENIZER_INVALID', { file, problem }, { cause });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue!.path.join('.');
  throw new TrenioError('TOKENIZER_INVALID', {
    file,
    problem: `${field === '' ? 'the file' : field}: ${issue!.message}`,
  });
}
