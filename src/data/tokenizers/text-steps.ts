// Normalizers and pre-tokenizers of tokenizer.json, equal to those of Hugging Face's Rust library. The JavaScript library uses
// JavaScript's character classes (`\s`, `\w`, `\d`), which differ, and lacks some behaviors.

import { normalizeBertText, punctuationClass } from '../text/bert-text.ts';
import { unicodeForm } from '../text/unicode-form.ts';
import { create, type StepConfig } from './library-types.ts';
import { precompiledNormalizer } from './precompiled.ts';
import { splitAtScripts } from './unicode-scripts.ts';

/** Normalizes a text. */
export type Normalizer = (text: string) => string;
/** Splits a piece of text. `isStart`: the piece is at the start of the text. */
export type PreTokenizer = (text: string, isStart: boolean) => readonly string[];

/** The printable character of each byte, as in byte-level BPE. */
export const visible = (() => {
  const kept = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(kept(byte) ? byte : next++));
})();
const byteOf = new Map(visible.map((character, byte) => [character, byte]));
const encoder = new TextEncoder();
const visibleBytes = (text: string): string => Array.from(encoder.encode(text), byte => visible[byte]!).join('');
/** The bytes of a token of byte-level BPE; undefined if it is not one. */
export function bytesOfVisible(token: string): readonly number[] | undefined {
  const bytes = Array.from(token, character => byteOf.get(character));
  return bytes.every(byte => byte !== undefined) ? bytes : undefined;
}

// What sentencepiece's rule nmt_nfkc does before NFKC.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const nmtControls = /[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/g;
const nmtSpaces = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g;

/** Creates a normalizer. */
export function normalizerOf(config: StepConfig): Normalizer {
  switch (config.type) {
    case 'Sequence': {
      const steps = (config.normalizers as readonly StepConfig[]).map(normalizerOf);
      return text => steps.reduce((so, step) => step(so), text);
    }
    case 'Lowercase':
      // Rust lowercases each character separately; JavaScript treats a sigma at the end of a word differently.
      return text => text.replaceAll('Σ', 'σ').toLowerCase();
    case 'Strip': {
      const left = config.strip_left === true ? /^\p{White_Space}+/u : /^(?!)/;
      const right = config.strip_right === true ? /\p{White_Space}+$/u : /(?!)$/;
      return text => text.replace(left, '').replace(right, '');
    }
    case 'BertNormalizer':
      return text =>
        normalizeBertText(text, {
          cleanText: config.clean_text !== false,
          splitCjk: config.handle_chinese_chars !== false,
          stripAccents: (config.strip_accents ?? config.lowercase ?? true) === true,
          lowercase: config.lowercase !== false,
        });
    case 'Precompiled':
      return precompiledNormalizer(config.precompiled_charsmap as string);
    case 'Prepend':
      return text => (text === '' ? '' : `${config.prepend as string}${text}`);
    case 'ByteLevel':
      return visibleBytes;
    case 'Replace': {
      const pattern = create.pattern(config);
      return text => text.replace(pattern, () => config.content as string);
    }
    case 'Nmt':
      return text => text.replace(nmtControls, '').replace(nmtSpaces, ' ');
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return unicodeForm(config.type);
    default: {
      return create.normalizer(config);
    }
  }
}

type Behavior = 'removed' | 'isolated' | 'contiguous' | 'mergedwithprevious' | 'mergedwithnext';
interface Segment {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text at the matches of a pattern. */
function split(text: string, pattern: RegExp, behavior: Behavior, isInverted = false): readonly string[] {
  const segments: Segment[] = [];
  let from = 0;
  const add = (to: number, isMatch: boolean): void => {
    if (to > from) segments.push({ text: text.slice(from, to), isMatch: isMatch !== isInverted });
    from = to;
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    add(index, false);
    // An empty match only divides the text, and not right behind another.
    if (match !== '') add(index + match.length, true);
  }
  add(text.length, false);
  return joined(segments, behavior);
}

function joined(segments: readonly Segment[], behavior: Behavior): readonly string[] {
  switch (behavior) {
    case 'removed':
      return segments.filter(({ isMatch }) => !isMatch).map(({ text }) => text);
    case 'isolated':
      return segments.map(({ text }) => text);
    case 'contiguous':
      return together(segments, (one, before) => before !== undefined && one.isMatch === before.isMatch);
    case 'mergedwithprevious':
      return together(segments, (one, before) => one.isMatch && before !== undefined && !before.isMatch);
    case 'mergedwithnext':
      return together(
        segments.toReversed(),
        (one, before) => one.isMatch && before !== undefined && !before.isMatch,
        true,
      ).toReversed();
  }
}
function together(
  segments: readonly Segment[],
  joins: (one: Segment, before: Segment | undefined) => boolean,
  isReversed = false,
): string[] {
  const texts: string[] = [];
  segments.forEach((one, i) => {
    if (!joins(one, segments[i - 1])) texts.push(one.text);
    else texts.push(isReversed ? one.text + texts.pop()! : texts.pop()! + one.text);
  });
  return texts;
}

const byteLevelPattern =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
const wordCharacter = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d';
const words = new RegExp(`[${wordCharacter}]+|[^${wordCharacter}\\p{White_Space}]+`, 'gu');
const whiteSpace = /\p{White_Space}/gu;
const punctuation = new RegExp(punctuationClass, 'gv');
const digit = /\p{N}/gu;

/** Creates a pre-tokenizer. */
export function preTokenizerOf(config: StepConfig): PreTokenizer {
  const behavior = String(config.behavior ?? 'isolated').toLowerCase() as Behavior;
  switch (config.type) {
    case 'Sequence': {
      const steps = (config.pretokenizers as readonly StepConfig[]).map(preTokenizerOf);
      return (text, isStart) =>
        steps.reduce<readonly string[]>(
          (pieces, step) => pieces.flatMap((piece, i) => step(piece, isStart && i === 0)),
          [text],
        );
    }
    case 'ByteLevel':
      return text => {
        const whole = config.add_prefix_space === true && !text.startsWith(' ') ? ` ${text}` : text;
        const pieces = config.use_regex === false ? [whole] : split(whole, byteLevelPattern, 'isolated');
        return pieces.map(visibleBytes);
      };
    case 'Metaspace': {
      const replacement = (config.replacement as string | undefined) ?? '▁';
      const scheme =
        (config.prepend_scheme as string | undefined) ?? (config.add_prefix_space === false ? 'never' : 'always');
      const pattern = new RegExp(RegExp.escape(replacement), 'gu');
      return (text, isStart) => {
        const replaced = text.replaceAll(' ', replacement);
        const isPrepended =
          !replaced.startsWith(replacement) && (scheme === 'always' || (scheme === 'first' && isStart));
        const whole = isPrepended ? replacement + replaced : replaced;
        return config.split === false ? [whole] : split(whole, pattern, 'mergedwithnext');
      };
    }
    case 'Whitespace':
      return text => split(text, words, 'removed', true);
    case 'WhitespaceSplit':
      return text => split(text, whiteSpace, 'removed');
    case 'BertPreTokenizer':
      return text => split(text, whiteSpace, 'removed').flatMap(piece => split(piece, punctuation, 'isolated'));
    case 'UnicodeScripts':
      return splitAtScripts;
    case 'Punctuation':
      return text => split(text, punctuation, behavior);
    case 'Digits':
      return text => split(text, digit, config.individual_digits === true ? 'isolated' : 'contiguous');
    case 'CharDelimiterSplit': {
      const delimiter = new RegExp(RegExp.escape(String(config.delimiter)), 'gu');
      return text => split(text, delimiter, 'removed');
    }
    case 'FixedLength': {
      const length = Number(config.length ?? 5);
      return text => {
        const characters = [...text];
        return Array.from({ length: Math.ceil(characters.length / length) }, (_, i) =>
          characters.slice(i * length, (i + 1) * length).join(''),
        );
      };
    }
    case 'Split': {
      const pattern = create.pattern(config);
      return text => split(text, pattern, behavior, config.invert === true);
    }
    default: {
      return create.preTokenizer(config);
    }
  }
}
