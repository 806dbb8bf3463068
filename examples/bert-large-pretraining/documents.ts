// Text → documents of tokens. The format is that of BERT's own scripts: one sentence per line, an empty line after each document.
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { WordPieceTokenizer } from 'trenio';
import { refuse } from './options.ts';

/** The token ids of each sentence, without [CLS] and [SEP]. */
export type TokenDocument = readonly Int32Array[];

export interface Corpus {
  readonly name: string;
  readonly documents: readonly TokenDocument[];
  readonly tokenizer: WordPieceTokenizer;
  /** A checksum of text and vocabulary, which must not change when a run is resumed. */
  readonly checksum: string;
}

export async function readCorpus(file: string, vocabulary: string): Promise<Corpus> {
  const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabulary);
  const text = await readFile(file, 'utf8').catch((error: Error) => refuse(`--data: ${error.message}`));
  const documents = text
    .split(/\n\s*\n/)
    .map(part => part.split('\n').flatMap(line => tokensOf(tokenizer, line)))
    .filter(document => document.length > 0);
  if (documents.length < 2)
    refuse(
      `--data: ${file} has ${documents.length} document${documents.length === 1 ? '' : 's'}, expected at least 2, with an empty line after each`,
    );
  const checksum = crc32(tokenizer.vocabulary.tokens.join('\n'), crc32(text)).toString(16).padStart(8, '0');
  return { name: file, documents, tokenizer, checksum };
}

const tokensOf = (tokenizer: WordPieceTokenizer, line: string): readonly Int32Array[] => {
  if (line.trim() === '') return [];
  const ids = tokenizer.encode(line, { maxLength: 512 }).inputIds.slice(1, -1);
  return ids.length === 0 ? [] : [ids];
};
