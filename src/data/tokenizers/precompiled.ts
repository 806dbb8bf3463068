// The normalizer of sentencepiece: a table from byte sequences to texts, stored as a double-array trie (the format of Darts)
// followed by the texts. The JavaScript library approximates it by NFKC.
//
//   bytes of the trie (u32) │ units of the trie, u32 each │ texts, each ended by a 0
import { TrenioError } from '../../base/errors.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const hasLeaf = (unit: number): boolean => ((unit >>> 8) & 1) === 1;
const leafOf = (unit: number): number => unit & 0x7fffffff;
const labelOf = (unit: number): number => (unit & 0x800000ff) >>> 0;
const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);

/** @throws {TOKENIZER_INVALID} for a table that ends early */
export function precompiledNormalizer(base64: string): (text: string) => string {
  const bytes = Buffer.from(base64, 'base64');
  const trieBytes = bytes.length < 4 ? Number.POSITIVE_INFINITY : bytes.readUInt32LE(0);
  if (4 + trieBytes > bytes.length || trieBytes % 4 !== 0)
    throw new TrenioError('TOKENIZER_INVALID', {
      file: 'tokenizer.json',
      problem: `normalizer.precompiled_charsmap: it has ${bytes.length} bytes, but its table ends at byte ${4 + trieBytes}`,
    });
  const trie = Uint32Array.from({ length: trieBytes / 4 }, (_, i) => bytes.readUInt32LE(4 + 4 * i));
  const texts = bytes.subarray(4 + trieBytes);

  /** The text of the shortest entry that is a prefix of `chunk`. */
  const transform = (chunk: string): string | undefined => {
    let at = offsetOf(trie[0] ?? 0);
    for (const byte of encoder.encode(chunk)) {
      if (byte === 0) return undefined;
      at ^= byte;
      const unit = trie[at] ?? 0;
      if (labelOf(unit) !== byte) return undefined;
      at ^= offsetOf(unit);
      if (!hasLeaf(unit)) continue;
      const start = leafOf(trie[at] ?? 0);
      const end = texts.indexOf(0, start);
      return decoder.decode(texts.subarray(start, end < 0 ? undefined : end));
    }
    return undefined;
  };
  return text => {
    let normalized = '';
    for (const { segment } of graphemes.segment(text)) {
      const whole = Buffer.byteLength(segment) < 6 ? transform(segment) : undefined;
      if (whole !== undefined) normalized += whole;
      else for (const character of segment) normalized += transform(character) ?? character;
    }
    return normalized;
  };
}
