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

/** Characters with a script today, which Hugging Face's table of scripts (Unicode 9) does not know. */
export const newerThanScripts = characterClass(`
  560 588 5ef 61d 7fd-7ff 860-89f 8b5 8be-8d3 9fc-9fe a76 afa-aff b55 c04 c3c c5c-c5d c77 c84 cdc-cdd cf3-d00 d04 d3b-d3c
  d81 e86 e89 e8c e8e-e93 e98 ea0 ea8-ea9 eac eba ece 170d 1715-171f 180f 1878 1abf-1aeb 1b4c-1b4f 1b7d-1b7f 1c89-1cbf
  1cf7 1cfa 1df6-1dfa 20bf-20c1 23ff 2427-2429 2b96-2b97 2bba-2bbc 2bc9 2bd2-2beb 2bf0-2bff 2c2f 2c5f 2e45-2e5d 2ffc-2fff
  312e-312f 31bb-31bf 31e4-31ef 32ff 4db6-4dbf 9fd6-9fff a7af a7b8-a7f6 a82c a8fe-a8ff ab66-ab6b fbc2-fbd2 fd40-fd4f
  fd90-fd91 fdc8-fdcf fdfe-fdff 1019c 1032d-1032f 10780-107ba 10a34-10a35 10a48 10ec2-10eff 11070-11075 110c2-110cd
  11144-11147 111ce-111cf 1123f-11241 1133b 1145a 1145e-11461 116b8-116b9 116d0-116e3 1171a 11740-11746 11ab0-11abf
  11b00-11b67 11fb0-11fff 1342f-143fa 16f45-16f4f 16f7f-16f87 16fe2-16ff6 187ed-187ff 18af3-1affe 1b002-1b167 1cc00-1cfc3
  1d1e9-1d1ea 1d2c0-1d2f3 1d372-1d378 1df00-1df2a 1e030-1e7fe 1e94b 1ec71-1ed3d 1f10d-1f10f 1f12f 1f16c-1f16f 1f1ad
  1f260-1f265 1f6d3-1f6df 1f6f7-1f6fc 1f774-1f77f 1f7d5-1f7f0 1f8b0-1f90f 1f91f 1f928-1f92f 1f931-1f932 1f93f 1f94c-1f94f
  1f95f-1f97f 1f992-1f9bf 1f9c1-1fbfa 2a6d7-2a6df 2b735-2b73f 2cea2-2ee5d 30000-33479`);
