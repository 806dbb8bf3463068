// From raw text to the words that WordPiece splits: clean, lower-case, strip accents, split off punctuation.
// BERT's "basic tokenizer" (Devlin et al., 2018), equal to Hugging Face's Rust implementation of it (BertNormalizer and
// BertPreTokenizer) for every Unicode code point: the golden file made by scripts/golden/make-tokenizer-golden.py shows
// it.
import {
  keptFormatCharacters,
  keptMarks,
  morePunctuation,
  notPunctuation,
  strippedMarks,
} from './unicode-differences.ts';
import { unicodeForm } from './unicode-form.ts';

/** The normalization of the text; the names match Hugging Face's `tokenizer.json`. */
export interface BertTextOptions {
  /** Drops control characters, and turns all whitespace into spaces. */
  readonly cleanText: boolean;
  /** Make every CJK ideograph a separate word. */
  readonly splitCjk: boolean;
  /** Whether accents are removed. */
  readonly stripAccents: boolean;
  /** Whether text is converted to lower case. */
  readonly lowercase: boolean;
}

const plainAscii = /^[\t\n\r\x20-\x7e]*$/;
const asciiWord = /[0-9A-Za-z]+|[!-/:-@[-`{-~]/g;

const dropped = regexp(`[\\0\\ufffd[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]]--[\\t\\n\\r${keptFormatCharacters}]`);
const whiteSpace = /\p{White_Space}/gu;
// The gap between 2b81f and 2b920 is Hugging Face's.
const cjk =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const accent = regexp(`[\\p{Mn}${strippedMarks}]--[${keptMarks}]`);
const decomposed = unicodeForm('NFD');
/** Characters that BERT treats as punctuation, as a class of a regular expression with the flag `v`. */
export const punctuationClass = `[[\\p{P}!-\\/:-@\\[-\`\\{-~${morePunctuation}]--[${notPunctuation}]]`;
const word = new RegExp(`[^\\p{White_Space}${punctuationClass}]+|${punctuationClass}`, 'gv');

function regexp(characters: string): RegExp {
  return new RegExp(`[${characters}]`, 'gv');
}

/** The words and punctuation marks of `text`, in order, after the normalization selected by `options`. */
export function bertWords(text: string, options: BertTextOptions): readonly string[] {
  // Nearly all English text: nothing to clean, no accents, and a regular expression several times faster.
  if (plainAscii.test(text)) return (options.lowercase ? text.toLowerCase() : text).match(asciiWord) ?? [];
  return normalizeBertText(text, options).match(word) ?? [];
}

/** The text that is then split into words. */
export function normalizeBertText(text: string, options: BertTextOptions): string {
  let out = text;
  if (options.cleanText) out = out.replace(dropped, '').replace(whiteSpace, ' ');
  if (options.splitCjk) out = out.replace(cjk, ' $& ');
  if (options.stripAccents) out = decomposed(out).replace(accent, '');
  // JavaScript lower-cases a sigma at the end of a word to a final sigma; Hugging Face lower-cases each character separately.
  if (options.lowercase) out = out.replaceAll('Σ', 'σ').toLowerCase();
  return out;
}
