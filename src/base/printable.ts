// Text from outside (names, locations and strings of programs, paths, output of other programs) made safe to print: control
// sequences have no effect on a terminal, and no character is invisible or changes the direction of text. This is the only place
// that escapes for display; quoting for languages (C, MLIR, HTML) is done where they are generated.

/**
 * Control characters, invisible characters, characters that reorder text, line separators, lone surrogates. The two
 * joiners are kept: some scripts and emoji need them.
 */
const unprintable = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\u200c\u200d]]/gv;

const escapeOf = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`;

/** The text escaped for a terminal or a log. Line breaks and tabs are kept. */
export const printable = (text: string): string =>
  text.replace(unprintable, (char, at: number) =>
    char === '\n' || char === '\t' || (char === '\r' && text[at + 1] === '\n') ? char : escapeOf(char),
  );

/** The same on one line: line breaks and tabs are escaped, too. */
export const printableLine = (text: string): string => text.replace(unprintable, escapeOf);
