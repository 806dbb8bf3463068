// A WordPiece vocabulary: token ↔ id, and the ids of the four tokens that every BERT needs. Read from `vocab.txt`,
// where the line number is the id. How text becomes tokens is in wordpiece.ts.
import { TrenioError } from '../../base/errors.ts';

/** The names of the special tokens; BERT's own unless the model's files override them. */
export interface SpecialTokenNames {
  /** The padding token, `[PAD]` in BERT. */
  readonly pad: string;
  /** The token for unknown words, `[UNK]` in BERT. */
  readonly unknown: string;
  /** The token at the start of a sequence, `[CLS]` in BERT. */
  readonly classify: string;
  /** The token at the end of a sequence, `[SEP]` in BERT. */
  readonly separate: string;
  /** The token that masks a word, `[MASK]` in BERT. */
  readonly mask: string;
}
/** The special tokens of BERT. */
export const bertSpecialTokens: SpecialTokenNames = {
  pad: '[PAD]',
  unknown: '[UNK]',
  classify: '[CLS]',
  separate: '[SEP]',
  mask: '[MASK]',
};

/** Ids are below this: several times the largest vocabulary in use. A single id of a billion would fill the memory. */
export const maxVocabularySize = 1 << 22;

/**
 * The tokens of a tokenizer; the id of a token is its position.
 * @example
 * const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'good'];
 * const vocabulary = new Vocabulary(new Map(tokens.map((token, id) => [token, id])), 'vocab.txt');
 * vocabulary.idOf('good') // 5
 */
export class Vocabulary {
  /** The token of each id; '' for ids that `tokenizer.json` does not use. */
  readonly tokens: readonly string[];
  /** The names of the special tokens. */
  readonly names: SpecialTokenNames;
  /** The id of the padding token. */
  readonly padId: number;
  /** The id of the token for unknown words. */
  readonly unknownId: number;
  /** The id of the token at the start of a sequence. */
  readonly classifyId: number;
  /** The id of the token at the end of a sequence. */
  readonly separateId: number;
  readonly #ids: ReadonlyMap<string, number>;

  /** `file` is named in the error: VOCABULARY_INVALID if one of [PAD], [UNK], [CLS], [SEP] is missing, or an id too large. */
  constructor(ids: ReadonlyMap<string, number>, file: string, names: SpecialTokenNames = bertSpecialTokens) {
    const tokens: string[] = [];
    for (const [token, id] of ids) {
      if (id >= maxVocabularySize) {
        const problem = `the token ${token} has the id ${id}, and ids are below ${maxVocabularySize}`;
        throw new TrenioError('VOCABULARY_INVALID', { file, problem });
      }
      while (tokens.length <= id) tokens.push('');
      tokens[id] = token;
    }
    const required = (name: string): number => {
      const id = ids.get(name);
      if (id === undefined)
        throw new TrenioError('VOCABULARY_INVALID', { file, problem: `the token ${name} is missing` });
      return id;
    };
    this.#ids = ids;
    this.tokens = tokens;
    this.names = names;
    this.unknownId = required(names.unknown);
    this.classifyId = required(names.classify);
    this.separateId = required(names.separate);
    this.padId = required(names.pad);
  }

  /** The number of tokens. */
  get size(): number {
    return this.tokens.length;
  }

  /** The id of a token; undefined if it is not in the vocabulary. */
  idOf(token: string): number | undefined {
    return this.#ids.get(token);
  }

  /** The special tokens that this vocabulary has. */
  specialTokens(): readonly string[] {
    return Object.values(this.names).filter(name => this.#ids.has(name));
  }
}

/**
 * The content of a `vocab.txt`.
 * @throws {VOCABULARY_INVALID} naming file and line, for an empty file, an empty line, a duplicate token, or a
 *   special token that is missing
 */
export function parseVocabulary(text: string, file: string, names: SpecialTokenNames = bertSpecialTokens): Vocabulary {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return vocabularyOf(lines, file, names);
}

/** The tokens in the order of their ids; `file` is named in errors, those of `parseVocabulary`. */
export function vocabularyOf(
  lines: readonly string[],
  file: string,
  names: SpecialTokenNames = bertSpecialTokens,
): Vocabulary {
  if (lines.length === 0) throw new TrenioError('VOCABULARY_INVALID', { file, problem: 'the file is empty' });
  const ids = new Map<string, number>();
  lines.forEach((token, id) => {
    const earlier = ids.get(token);
    const problem =
      token === ''
        ? 'the line is empty'
        : earlier === undefined
          ? ''
          : `the token ${token} is already on line ${earlier + 1}`;
    if (problem !== '') throw new TrenioError('VOCABULARY_INVALID', { file, line: id + 1, problem });
    ids.set(token, id);
  });
  return new Vocabulary(ids, file, names);
}
