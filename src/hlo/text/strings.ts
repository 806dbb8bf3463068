// Strings of MLIR: UTF-8 bytes; bytes other than printable ASCII are written as `\0A`. Bytes that are not valid UTF-8
// (serialized protocol buffers) are held as the lone surrogates U+DC80 … U+DCFF, so that nothing is lost.

const strict = new TextDecoder('utf-8', { fatal: true });

/** The value of a string token with its quotes. */
export function unquote(token: string): string {
  const body = token.slice(1, -1);
  if (!body.includes('\\')) return body;
  const bytes: number[] = [];
  const utf8 = Buffer.from(body, 'utf8');
  for (let i = 0; i < utf8.length; i++) {
    const byte = utf8[i]!;
    if (byte !== 0x5c) {
      bytes.push(byte);
      continue;
    }
    const next = String.fromCharCode(utf8[i + 1] ?? 0x5c);
    const hex = utf8.toString('latin1', i + 1, i + 3);
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    } else {
      bytes.push((next === 'n' ? '\n' : next === 't' ? '\t' : next).charCodeAt(0));
      i++;
    }
  }
  try {
    return strict.decode(Uint8Array.from(bytes));
  } catch {
    return String.fromCharCode(...bytes.map(b => (b < 0x80 ? b : 0xdc00 + b)));
  }
}

/** The token for a string. */
export function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
  return `"${text.replace(/[\x00-\x1f"\\\x7f-\u{10ffff}]/gu, escapeCharacter)}"`;
}
function escapeCharacter(char: string): string {
  const code = char.charCodeAt(0);
  const bytes = char.length === 1 && code >= 0xdc80 && code <= 0xdcff ? [code - 0xdc00] : Buffer.from(char, 'utf8');
  return Array.from(bytes, byte => `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** `@name`, quoted unless it is a plain identifier. */
export const symbol = (name: string): string => (/^[A-Za-z_][\w$.]*$/.test(name) ? `@${name}` : `@${quoted(name)}`);
