// Loads the tokenizer of a model directory.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { directoryExists, fileExists } from '../../base/read-file.ts';
import { isGgufPath, openGguf } from '../gguf/gguf-file.ts';
import { WordPieceTokenizer } from '../wordpiece.ts';
import { ggufTokenizerFiles } from './gguf-tokenizer.ts';
import { libraryEngine } from './library-engine.ts';
import { PretrainedTokenizer } from './pretrained-tokenizer.ts';
import {
  readTokenizerFiles,
  type TokenizerFiles,
  type TokenizerJson,
  type TokenizerSettings,
} from './tokenizer-directory.ts';
import { isBertTokenizer, wordPieceEngine } from './wordpiece-engine.ts';

/**
 * Loads the tokenizer of any model.
 * @example
 * ```ts no-run
 * const tokenizer = await AutoTokenizer.fromPretrained('./Qwen3-0.6B');
 * const inputs = tokenizer.applyChatTemplate([{ role: 'user', content: 'Hello' }], {
 *   addGenerationPrompt: true,
 *   returnTensors: true,
 * });
 * ```
 */
export const AutoTokenizer = {
  /**
   * Reads the tokenizer of a directory: tokenizer.json and tokenizer_config.json, or the `vocab.txt` of a BERT model. Or that of
   * a GGUF file, whose path ends in `.gguf`.
   * @throws {MODEL_NOT_FOUND}
   * @throws {FILE_UNREADABLE}
   * @throws {TOKENIZER_INVALID} naming the file and the field
   * @throws {VOCABULARY_INVALID}
   * @throws {GGUF_INVALID}
   */
  async fromPretrained(directory: string): Promise<PretrainedTokenizer> {
    if (isGgufPath(directory)) {
      await using file = await openGguf(directory);
      return tokenizerOf(ggufTokenizerFiles(file));
    }
    if (!(await directoryExists(directory))) throw new TrenioError('MODEL_NOT_FOUND', { directory });
    const files = await readTokenizerFiles(directory);
    const { tokenizer, special } = files;
    const ofBert = { unk: '[UNK]', sep: '[SEP]', pad: '[PAD]', cls: '[CLS]', mask: '[MASK]' };
    if (tokenizer === undefined) {
      if (!(await fileExists(join(directory, 'vocab.txt'))))
        throw new TrenioError('TOKENIZER_INVALID', {
          file: directory,
          problem: 'the directory has neither tokenizer.json nor vocab.txt',
        });
      const engine = wordPieceEngine(await WordPieceTokenizer.fromDirectory(directory));
      return new PretrainedTokenizer(engine, { ...files, special: { ...ofBert, ...special } });
    }
    if (isBertTokenizer(tokenizer, Object.values({ ...ofBert, ...special })))
      return new PretrainedTokenizer(wordPieceEngine(await WordPieceTokenizer.fromDirectory(directory)), files);
    return tokenizerOf({ ...files, tokenizer });
  },
} as const;

function tokenizerOf(files: TokenizerFiles & { readonly tokenizer: TokenizerJson }): PretrainedTokenizer {
  const { tokenizer, settings, special, tokenizerFile } = files;
  const engine = libraryEngine(withSettings(tokenizer, settings, special), settings, tokenizerFile);
  return new PretrainedTokenizer(engine, files);
}

/** Adds the tokens of tokenizer_config.json, and its `add_bos_token` and `add_eos_token`, to a tokenizer.json. */
function withSettings(
  json: TokenizerJson,
  settings: TokenizerSettings,
  special: Readonly<Record<string, string>>,
): TokenizerJson {
  const known = new Set(json.added_tokens.map(({ id }) => id));
  const more = Object.entries(settings.added_tokens_decoder ?? {})
    .map(([id, token]) => ({ ...token, id: Number(id) }))
    .filter(({ id }) => !known.has(id));
  const part = (token: string | undefined, isWanted: boolean | null | undefined): object[] =>
    isWanted === true && token !== undefined ? [{ SpecialToken: { id: token, type_id: 0 } }] : [];
  const [first, last] = [part(special.bos, settings.add_bos_token), part(special.eos, settings.add_eos_token)];
  const text = (id: 'A' | 'B', type_id: number): object => ({ Sequence: { id, type_id } });
  const processor =
    json.post_processor === null && first.length + last.length > 0
      ? {
          type: 'TemplateProcessing',
          single: [...first, text('A', 0), ...last],
          pair: [...first, text('A', 0), ...last, ...first, text('B', 1), ...last],
        }
      : json.post_processor;
  return { ...json, added_tokens: [...json.added_tokens, ...more], post_processor: processor };
}
