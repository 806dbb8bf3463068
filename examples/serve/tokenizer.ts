// A tokenizer for a small model: byte pairs that are frequent in some texts, in the file of Hugging Face's tokenizers.

/** All bytes as characters that can be printed, as GPT-2 writes them. */
const characters = Array.from({ length: 256 }, (_, byte) => {
  const isPlain = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  return isPlain ? byte : undefined;
});
let others = 256;
const characterOf = characters.map(plain => String.fromCodePoint(plain ?? others++));

/** The content of tokenizer.json; `special` are its first tokens. */
export function trainTokenizer(texts: readonly string[], special: readonly string[], size: number): object {
  const counts = new Map<string, number>();
  for (const [word] of texts.join('\n').matchAll(/ ?[a-zA-Z]+| ?[0-9]+| ?[^\sa-zA-Z0-9]+|\s+/g)) {
    const written = Array.from(Buffer.from(word), byte => characterOf[byte]!).join('');
    counts.set(written, (counts.get(written) ?? 0) + 1);
  }
  const words = Array.from(counts, ([word, count]) => ({ parts: [...word], count }));
  const merges: [string, string][] = [];
  while (special.length + characterOf.length + merges.length < size) {
    const pairs = new Map<string, number>();
    for (const { parts, count } of words)
      for (let i = 1; i < parts.length; i++) {
        const pair = `${parts[i - 1]} ${parts[i]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + count);
      }
    const [best] = [...pairs].reduce((a, b) => (b[1] > a[1] ? b : a));
    const [left, right] = best.split(' ') as [string, string];
    merges.push([left, right]);
    for (const word of words)
      for (let i = 1; i < word.parts.length; i++)
        if (word.parts[i - 1] === left && word.parts[i] === right) word.parts.splice(i - 1, 2, left + right);
  }
  const tokens = [...special, ...characterOf, ...merges.map(pair => pair.join(''))];
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    added_tokens: special.map((content, id) => ({
      ...{ id, content, special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: { type: 'BPE', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
  };
}
