// The files of a tokenizer in a model directory: tokenizer.json, tokenizer_config.json, special_tokens_map.json and the chat
// template, read and validated.
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { fileExists, readTextFile } from '../../base/read-file.ts';
import { maxVocabularySize } from '../vocabulary.ts';

const id = z.int().min(0).max(maxVocabularySize);
/** A token: its text, or an object with its text. */
const tokenText = z
  .union([z.string(), z.looseObject({ content: z.string() })])
  .transform(token => (typeof token === 'string' ? token : token.content));

/** The special tokens with a name. */
export const specialNames = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'] as const;
export type SpecialName = (typeof specialNames)[number];

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

const settingsSchema = namedTokens.extend({
  added_tokens_decoder: z.record(z.string().regex(/^\d+$/), addedToken).optional(),
  padding_side: z.enum(['left', 'right']).optional(),
  truncation_side: z.enum(['left', 'right']).optional(),
  model_max_length: z.number().positive().nullish(),
  model_input_names: z.array(z.string()).optional(),
  clean_up_tokenization_spaces: z.boolean().nullish(),
  add_bos_token: z.boolean().nullish(),
  add_eos_token: z.boolean().nullish(),
  tokenizer_class: z.string().nullish(),
  chat_template: z.union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))]).nullish(),
});
/** The fields of tokenizer_config.json that are used. */
export type TokenizerSettings = z.output<typeof settingsSchema>;

const part = z.looseObject({ type: z.string() }).nullish().default(null);
const tokenizerSchema = z.looseObject({
  added_tokens: z.array(addedToken.extend({ id })).default([]),
  normalizer: part,
  pre_tokenizer: part,
  post_processor: part,
  decoder: part,
  model: z.looseObject({
    type: z.string().optional(),
    vocab: z.union([z.record(z.string(), id), z.array(z.tuple([z.string(), z.number()]))]),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])).optional(),
  }),
});
/** A checked tokenizer.json. */
export type TokenizerJson = z.output<typeof tokenizerSchema>;

/** The content of the files of a directory. */
export interface TokenizerFiles {
  readonly settings: TokenizerSettings;
  /** Undefined if there is no tokenizer.json. */
  readonly tokenizer: TokenizerJson | undefined;
  readonly tokenizerFile: string;
  readonly special: Readonly<Partial<Record<SpecialName, string>>>;
  /** By name; most models have only `default`. */
  readonly chatTemplates: ReadonlyMap<string, { readonly source: string; readonly file: string }>;
}

/** @throws {FILE_UNREADABLE} @throws {TOKENIZER_INVALID} naming the invalid field */
export async function readTokenizerFiles(directory: string): Promise<TokenizerFiles> {
  const read = async <S extends z.ZodType>(name: string, schema: S): Promise<z.output<S> | undefined> => {
    const file = join(directory, name);
    return (await fileExists(file)) ? parse(await readTextFile(file), file, schema) : undefined;
  };
  const settings = (await read('tokenizer_config.json', settingsSchema)) ?? {};
  const map = (await read('special_tokens_map.json', namedTokens)) ?? {};
  const tokenizer = await read('tokenizer.json', tokenizerSchema);
  const special: Partial<Record<SpecialName, string>> = {};
  for (const name of specialNames) {
    const text = settings[`${name}_token`] ?? map[`${name}_token`];
    if (text !== null && text !== undefined) special[name] = text as string;
  }
  return {
    settings,
    tokenizer,
    tokenizerFile: join(directory, 'tokenizer.json'),
    special,
    chatTemplates: await readChatTemplates(directory, settings),
  };
}

async function readChatTemplates(
  directory: string,
  { chat_template: inSettings }: TokenizerSettings,
): Promise<TokenizerFiles['chatTemplates']> {
  const templates = new Map<string, { source: string; file: string }>();
  const file = join(directory, 'tokenizer_config.json');
  if (typeof inSettings === 'string') templates.set('default', { source: inSettings, file });
  else for (const { name, template } of inSettings ?? []) templates.set(name, { source: template, file });
  const alone = join(directory, 'chat_template.jinja');
  if (await fileExists(alone)) templates.set('default', { source: await readTextFile(alone), file: alone });
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
