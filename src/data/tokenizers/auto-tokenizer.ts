// Loads the tokenizer of a model directory.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { directoryExists, fileExists } from '../../base/read-file.ts';
import { isGgufPath, openGguf } from '../gguf/gguf-file.ts';
import { WordPieceTokenizer } from '../text/wordpiece.ts';
import { withAddedTokens } from './added-tokens.ts';
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
    const { special } = files;
    const ofBert = { unk: '[UNK]', sep: '[SEP]', pad: '[PAD]', cls: '[CLS]', mask: '[MASK]' };
    if (files.tokenizer === undefined) {
      if (!(await fileExists(join(directory, 'vocab.txt'))))
        throw new TrenioError('TOKENIZER_INVALID', {
          file: directory,
          problem: 'the directory has neither tokenizer.json nor vocab.txt',
        });
      const pieces = await WordPieceTokenizer.fromDirectory(directory);
      const whole = { ...files, special: { ...ofBert, ...special } };
      const plain = pieces.toTokenizerJson();
      const tokenizer = withAddedTokens(plain, whole);
      return tokenizer.added_tokens.length === plain.added_tokens.length
        ? new PretrainedTokenizer(wordPieceEngine(pieces), whole)
        : tokenizerOf({ ...whole, tokenizer });
    }
    const tokenizer = withAddedTokens(files.tokenizer, files);
    if (isBertTokenizer(tokenizer, Object.values({ ...ofBert, ...special })))
      return new PretrainedTokenizer(wordPieceEngine(await WordPieceTokenizer.fromDirectory(directory)), files);
    return tokenizerOf({ ...files, tokenizer });
  },
} as const;

function tokenizerOf(files: TokenizerFiles & { readonly tokenizer: TokenizerJson }): PretrainedTokenizer {
  const { tokenizer, settings, tokenizerFile } = files;
  return new PretrainedTokenizer(libraryEngine(withPrefixSpace(tokenizer, settings), settings, tokenizerFile), files);
}

/** Classes whose setting `add_prefix_space` takes precedence over that of tokenizer.json. */
const prefixedClasses =
  /^(GPT2|Roberta|Bart|Longformer|LED|Blenderbot|CodeGen|GPTNeoX|Deberta|Luke|LayoutLMv3|MarkupLM|Whisper)Tokenizer(Fast)?$/;

function withPrefixSpace(json: TokenizerJson, { add_prefix_space: adds, tokenizer_class: name }: TokenizerSettings) {
  const step = json.pre_tokenizer;
  if (typeof adds !== 'boolean' || step?.type !== 'ByteLevel' || !prefixedClasses.test(name ?? '')) return json;
  return { ...json, pre_tokenizer: { ...step, add_prefix_space: adds } };
}
