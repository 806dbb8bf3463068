// The characters for which Hugging Face's tokenizers and the JavaScript engine have different properties. Its Rust
// crates use the character properties of Unicode 8 and the decompositions of Unicode 15, Node's regular expressions
// those of a later version; a character that became punctuation in between would split words only in JavaScript.
// Found by comparing the two for every code point (Unicode 17 in Node 24, tokenizers 0.23). Ranges in hexadecimal.

/** `300-36f 1734` → the content of a character class in a regular expression. */
function characterClass(ranges: string): string {
  const point = (hex: string): string => `\\u{${hex}}`;
  return ranges
    .trim()
    .split(/\s+/)
    .map(range => range.split('-').map(point).join('-'))
    .join('');
}

/** Format characters (Cf) today, which Hugging Face's clean-up keeps. */
export const keptFormatCharacters = characterClass('890-891 8e2 110cd 13430-1343f');

/** Non-spacing marks (Mn) today, which Hugging Face does not treat as accents. */
export const keptMarks = characterClass(`
  7fd 897-89f 8ca-8e1 9fe afa-aff b55 c04 c3c d00 d3b-d3c d81 eba ece 180f 1885-1886 1abf-1add 1ae0-1aeb
  1df6-1dfb a82c a8c5 a8ff a9bd 10d24-10d27 10d69-10d6d 10eab-10eac 10efa-10eff 10f46-10f50 10f82-10f85 11070
  11073-11074 110c2 111c9 111cf 1123e 11241 1133b 113bb-113c0 113ce 113d0 113d2 113e1-113e2 11438-1143f
  11442-11444 11446 1145e 1182f-11837 11839-1183a 1193b-1193c 1193e 11943 119d4-119d7 119da-119db 119e0
  11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a99 11b60 11b62-11b64
  11b66 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a
  11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11f00-11f01 11f36-11f3a 11f40 11f42 11f5a
  13440 13447-13455 1611e-16129 1612d-1612f 16f4f 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006 1e008-1e018
  1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6
  1e6ee-1e6ef 1e6f5 1e944-1e94a`);

/** Spacing marks (Mc) today, which Hugging Face strips as accents. */
export const strippedMarks = characterClass('1734 1171e');

/** Letters and signs that decompose today, which Hugging Face keeps whole. */
export const undecomposed = characterClass(
  '105c9 105e4 11383 11385 1138e 11391 113c5 113c7-113c8 11938 16d68-16d6a 16121-16128',
);

/** Marks today, which Unicode 15 does not know: they stay where they are when marks are brought into their order. */
export const unassignedMarks = characterClass(`
  7fd 897-89f 8ca-8d3 9fe c3c d3b-d3c eba 1715 1abf-1add 1ae0-1aeb 1df6-1dfa a82c 10d24-10d27 10d69-10d6d
  10eab-10eac 10efa-10efb 10efd-10eff 10f46-10f50 10f82-10f85 11070 1133b 113ce-113d0 1145e 11839-1183a
  1193d-1193e 11943 119e0 11a34 11a47 11a99 11d42 11d44-11d45 11d97 11f41-11f42 1612f 16ff0-16ff1 1e08f
  1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5`);

/** Characters with a compatibility decomposition today, which Hugging Face keeps whole. */
export const keptByCompatibility = characterClass(
  '32ff a7f1-a7f4 ab69 10781-10785 10787-107b0 107b2-107ba 1ccd6-1ccf9 1e030-1e06d 1f16c 1fbf0-1fbf9',
);

/** Punctuation (P) today, part of a word in Hugging Face. */
export const notPunctuation = characterClass(`
  61d 9fd a76 c77 c84 1b4e-1b4f 1b7d-1b7f 2e43-2e4f 2e52-2e5d 10d6e 10ead 10ed0 10f55-10f59 10f86-10f89
  113d4-113d5 113d7-113d8 1144b-1144f 1145a-1145b 1145d 11660-1166c 116b9 1183b 11944-11946 119e2 11a3f-11a46
  11a9a-11a9c 11a9e-11aa2 11b00-11b09 11be1 11c41-11c45 11c70-11c71 11ef7-11ef8 11f43-11f4f 11fff 12ff1-12ff2
  16d6d-16d6f 16e97-16e9a 16fe2 1e5ff 1e95e-1e95f`);

/** Symbols and marks today, punctuation in Hugging Face. */
export const morePunctuation = characterClass('166d 111c9');
