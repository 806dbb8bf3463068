// Trains a WordPiece vocabulary: start from single characters, repeatedly join the most frequent pair of adjacent
// pieces, and keep every piece ever made (byte-pair encoding with WordPiece's ## marks, as
// in Hugging Face's WordPieceTrainer).
//
//   r e v i e w → r ##e ##v ##i ##e ##w → re ##v ##i ##e ##w → … → review
//
// Pair counts are updated only for the words that a join changes, so the work is proportional to those words.
import { bertWords } from './bert-text.ts';
import { bertTextOptions } from './tokenizer-files.ts';
import { bertSpecialTokens } from './vocabulary.ts';

/** Options of `trainWordPiece`. */
export interface TrainerOptions {
  /** The maximum number of tokens, special tokens and characters included. */
  readonly size: number;
  /** Pairs seen less often than this are not joined. Default 2. */
  readonly minFrequency?: number;
}

interface Word {
  pieces: readonly string[];
  readonly count: number;
}
interface Pair {
  readonly left: string;
  readonly right: string;
  count: number;
  /** The words that contain, or once contained, the pair. */
  readonly words: Set<Word>;
}

/**
 * The vocabulary, in the order of the ids: special tokens, characters, then pieces in the order in which they
 * were made.
 * @example
 * const tokens = trainWordPiece(['low lower lowest', 'low low'], { size: 20 });
 * tokens.slice(0, 2) // ['[PAD]', '[UNK]']
 */
export function trainWordPiece(texts: Iterable<string>, { size, minFrequency = 2 }: TrainerOptions): string[] {
  const words = countWords(texts);
  const vocabulary = [...Object.values(bertSpecialTokens), ...charactersOf(words)];
  const known = new Set(vocabulary);
  const pairs = new Map<string, Pair>();
  for (const word of words) countPairs(pairs, word, 1);
  while (vocabulary.length < size) {
    const best = mostFrequent(pairs, minFrequency);
    if (best === undefined) break;
    const joined = best.left + best.right.slice(2);
    for (const word of best.words) {
      const pieces = join(word.pieces, best, joined);
      if (pieces === undefined) continue;
      countPairs(pairs, word, -1);
      word.pieces = pieces;
      countPairs(pairs, word, 1);
    }
    pairs.delete(`${best.left} ${best.right}`);
    if (!known.has(joined)) vocabulary.push(joined);
    known.add(joined);
  }
  return vocabulary;
}

/** The characters of the words, and every printable ASCII one, so that no English word is ever unknown. */
function charactersOf(words: readonly Word[]): string[] {
  const characters = new Set<string>();
  for (let code = 0x21; code < 0x7f; code++) {
    const character = String.fromCharCode(code).toLowerCase();
    characters.add(character);
    if (/[a-z0-9]/.test(character)) characters.add(`##${character}`);
  }
  for (const { pieces } of words) for (const piece of pieces) characters.add(piece);
  return [...characters].sort();
}

function countWords(texts: Iterable<string>): Word[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of bertWords(text, bertTextOptions(true))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => ({ pieces: [...word].map((c, i) => (i === 0 ? c : `##${c}`)), count }));
}

function countPairs(pairs: Map<string, Pair>, word: Word, sign: 1 | -1): void {
  for (let i = 1; i < word.pieces.length; i++) {
    const [left, right] = [word.pieces[i - 1]!, word.pieces[i]!];
    const key = `${left} ${right}`;
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = { left, right, count: 0, words: new Set() };
      pairs.set(key, pair);
    }
    pair.count += sign * word.count;
    if (sign === 1) pair.words.add(word);
  }
}

/**
 * The most frequent pair. Ties go to the first in code-unit order, so that the result does not depend on the order of the texts.
 */
function mostFrequent(pairs: ReadonlyMap<string, Pair>, minFrequency: number): Pair | undefined {
  let best: Pair | undefined;
  let bestKey = '';
  for (const [key, pair] of pairs) {
    if (pair.count < minFrequency) continue;
    if (best === undefined || pair.count > best.count || (pair.count === best.count && key < bestKey)) {
      best = pair;
      bestKey = key;
    }
  }
  return best;
}

/** The pieces with each occurrence of the pair joined, or undefined if it does not occur. */
function join(pieces: readonly string[], { left, right }: Pair, joined: string): string[] | undefined {
  const out: string[] = [];
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i] === left && pieces[i + 1] === right) {
      out.push(joined);
      i++;
    } else out.push(pieces[i]!);
  }
  return out.length === pieces.length ? undefined : out;
}
