// Untrusted text in the C: names, locations and strings of programs, and file paths. It is never code: it appears only
// in comments, which are all printed here. A test checks that no other file of the compiler prints comments with
// untrusted text.
//
// A comment ends at the end of its line as the C compiler sees it. So line separators are escaped, and so are backslashes
// and their trigraph, which would join the next line.
import { printableLine } from '../../../base/printable.ts';

/** Longer comments lose their middle. */
const longest = 2000;
const lastKept = 200;

/** A line of comment. */
export function comment(text: string): string {
  const short =
    text.length <= longest ? text : `${text.slice(0, longest - lastKept)} … ${text.slice(text.length - lastKept)}`;
  return `// ${escaped(short)}`;
}
/** Backslashes come first, so that those of escapes are the only ones, and none is the last character. */
const escaped = (text: string): string =>
  printableLine(text.replaceAll('\\', '\\u{5c}')).replaceAll('??/', '?\\u{3f}/');

/** `#line 1 "file"`: the file name for the following lines in messages of the C compiler. */
export const lineDirective = (file: string): string => `#line 1 "${octal(file)}"`;

/** Bytes with a special meaning in a C string are written as octal escapes. */
const octal = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), byte => {
    const char = String.fromCharCode(byte);
    return /[\w ./+:@,=()-]/.test(char) && byte < 0x80 ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
