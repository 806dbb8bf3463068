// For tests that hostile text never becomes code: programs in which every name, string and location contains text that would be
// interpreted if it were printed unescaped.
import { readSection } from '../bytecode/container.ts';
import { Cursor } from '../bytecode/cursor.ts';
import type { Random } from './mutations.testing.ts';
import { quoted } from './strings.ts';

/** Code that would run when the program is loaded, if it were not in a comment. */
export const planted = '__attribute__((constructor)) static void trenio_planted(void) { __builtin_trap(); }';

export const hostileTexts: readonly string[] = [
  `\n${planted}\n//`,
  `\r${planted}\r//`,
  `\r\n${planted}\r\n`,
  `\u2028${planted}\u2029`,
  `\v${planted}\f`,
  `*/ ${planted} /*`,
  `"; ${planted} char *x = "`,
  `\\\n${planted}`,
  `\\`,
  `\\ \t`,
  `??/`,
  `??/\n${planted}`,
  `%:include "/etc/passwd"`,
  `\n#include "/etc/passwd"\n`,
  `\u202e\u2066 dlrow \u2069`,
  `\u001b[2J\u001b]0;title\u0007\u009b31m`,
  `\0\u0001\u007f`,
  `</title><script>alert(1)</script>`,
  `'; touch trenio_planted; '`,
  `$(touch trenio_planted)`,
  `-fplugin=trenio_planted.so`,
  `@ static void @(`,
  `$& $1 $\` T_SHARED {`,
  `\ud800 \udc80`,
  '__proto__',
  'constructor',
  'toString',
  '',
  'x'.repeat(20_000),
  `${'?\\'.repeat(1000)}\\`,
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
export const hostileText = (random: Random): string => pick(random, hostileTexts);

const opName = /^"(?:stablehlo|chlo|func|builtin|check|interpreter|sdy|tensor|mhlo)\.[\w.]+"$/;
/** A line that ends where a location is allowed. */
const located = /^\s+(?:%\S+ = |return\b|stablehlo\.|"|func\.|\}).*[^\s{([,]$/;

/**
 * The text of a program with some of its names and strings replaced by hostile ones, and with locations. `next` returns
 * the hostile text for a position: a token of the text, `location` or `module`.
 */
export function withHostileStrings(text: string, next: (place: string) => string | undefined): string {
  const names = new Map<string, string>();
  const renamed = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const put = name === '@main' ? undefined : next(name);
    // Numbered, so that different names stay different.
    const made = put === undefined ? name : `@${quoted(`${names.size}${put}`)}`;
    names.set(name, made);
    return made;
  };
  const strings = text.replace(/"(?:[^"\\\n]|\\.)*"|@[A-Za-z_][\w$.]*/g, (token, at: number) => {
    if (token.startsWith('@')) return renamed(token);
    if (opName.test(token) && text[at + token.length] === '(') return token;
    const put = next(token);
    return put === undefined ? token : quoted(put);
  });
  const lines = strings.split('\n').map(line => {
    if (!located.test(line)) return line;
    const put = next('location');
    return put === undefined ? line : `${line} loc(${quoted(put)}:1:2)`;
  });
  const name = next('module');
  const whole = lines.join('\n');
  return name === undefined
    ? whole
    : whole.replace(/^module(?: @(?:"(?:[^"\\\n]|\\.)*"|[\w$.]+))?/, () => `module @${quoted(name)}`);
}

/** A portable artifact with other strings: those that `next` replaces. It must keep the names of ops and dialects. */
export function withOtherStrings(bytes: Uint8Array, next: (text: string) => string): Uint8Array {
  const file = new Cursor(bytes);
  file.take(4);
  file.varint();
  file.text();
  let start = file.at;
  let section = readSection(file);
  while (section.id !== 0) {
    start = file.at;
    section = readSection(file);
  }
  const { data } = section;
  const count = data.varint();
  const lengths = Array.from({ length: count }, () => data.varint()).reverse();
  const texts = lengths.map(size => new TextDecoder().decode(data.take(size).bytes.subarray(0, size - 1)));
  const encoded = texts.map(text => Buffer.from(`${next(text)}\0`, 'utf8'));
  const sizes = encoded.map(one => one.length).reverse();
  const body = Buffer.concat([
    Uint8Array.from([...number(count), ...sizes.flatMap(size => [...number(size)])]),
    ...encoded,
  ]);
  // Later sections may be aligned, so they move by whole pages; bytes that belong to no string are skipped.
  const moved = 1 + number(0).length + body.length - (file.at - start);
  const padding = ((-moved % page) + page) % page;
  return Buffer.concat([
    bytes.subarray(0, start),
    Uint8Array.from([0, ...number(body.length + padding)]),
    body,
    new Uint8Array(padding),
    bytes.subarray(file.at),
  ]);
}
const page = 4096;
/** The longest form of the encoding: a zero byte, then all 64 bits. */
const number = (value: number): readonly number[] => [
  0,
  ...Array.from({ length: 8 }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 0xffn)),
];
