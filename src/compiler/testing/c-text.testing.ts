// For tests: C without its comments, read as a C compiler reads it (trigraphs and spliced lines first), so that text which
// escapes from a comment stays.

/** `unescaped` characters are seen as the compiler sees them; string literals are kept unchanged. */
export function codeOf(source: string): string {
  const text = source
    .replaceAll('??/', '\\')
    .replace(/\r\n?/g, '\n')
    .replace(/\\[ \t\v\f]*\n/g, '');
  let code = '';
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
      code += ' ';
    } else if (text[at] === '"' || text[at] === "'") {
      const [literal = text[at]!] = /^(["'])(?:\\.|(?!\1)[^\\\n])*\1/.exec(text.slice(at, at + 1000)) ?? [];
      code += literal;
      at += literal.length;
    } else code += text[at++];
  }
  return code;
}
