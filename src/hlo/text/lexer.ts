// Tokens of MLIR text. The lexer has a current token, with its kind, start and end; it does not
// store earlier tokens.
import { Source } from './source.ts';

/** Kinds of tokens. Punctuation is its own kind: the code of the character, so these are below all of them. */
export const tokens = {
  end: 0,
  /** `stablehlo.add`, `tensor`, `true`, `x` */
  word: 1,
  /** `%name`, `%0#1` */
  value: 2,
  /** `@name`, `@"name"` */
  symbol: 3,
  /** `^bb0` */
  block: 4,
  /** `#alias`, `#stablehlo.gather` */
  attribute: 5,
  /** `!alias`, `!quant.uniform` */
  type: 6,
  string: 7,
  /** Decimal or hexadecimal, with its sign. */
  integer: 8,
  float: 9,
  arrow: 256,
  /** `::` */
  scope: 257,
  /** `{-#` and `#-}` */
  metadata: 258,
  metadataEnd: 259,
} as const;

const wordStart = 1;
const digit = 2;
const wordPart = 4;
const namePart = 8;
const space = 16;
const hexDigit = 32;
/** The tokens that each character below 128 may be part of. */
const classes = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[A-Za-z_]/.test(char)) classes[c]! |= wordStart;
  if (/[0-9]/.test(char)) classes[c]! |= digit;
  if (/[\w$.]/.test(char)) classes[c]! |= wordPart;
  if (/[\w$.-]/.test(char)) classes[c]! |= namePart;
  if (/\s/.test(char)) classes[c]! |= space;
  if (/[0-9A-Fa-f]/.test(char)) classes[c]! |= hexDigit;
}
const is = (code: number, kind: number): boolean => code < 128 && (classes[code]! & kind) !== 0;

/** The maximum nesting depth of blocks, types, attributes and literals. */
const maxDepth = 200;

export class Lexer {
  readonly source: Source;
  readonly text: string;
  kind: number = tokens.end;
  start = 0;
  end = 0;
  /** The end of the token before. */
  lastEnd = 0;
  #depth = 0;

  constructor(source: Source) {
    this.source = source;
    this.text = source.text;
    this.seek(0);
  }

  /** Moves to the first token at or after an offset. */
  seek(at: number): void {
    this.end = at;
    this.next();
  }

  next(): void {
    const { text } = this;
    this.lastEnd = this.end;
    let at = this.skipSpace(this.end);
    this.start = at;
    const code = text.charCodeAt(at);
    if (at >= text.length) {
      this.kind = tokens.end;
      this.end = at;
    } else if (is(code, wordStart)) {
      do at++;
      while (is(text.charCodeAt(at), wordPart));
      this.kind = tokens.word;
      this.end = at;
    } else if (code === 37 /* % */) {
      this.kind = tokens.value;
      at = this.#name(at + 1);
      // `%0#1` is the second result of %0.
      if (text.charCodeAt(at) === 35 && is(text.charCodeAt(at + 1), digit)) {
        do at++;
        while (is(text.charCodeAt(at), digit));
      }
      this.end = at;
    } else if (is(code, digit)) {
      this.#number(at);
    } else {
      this.#punctuation(code, at);
    }
  }

  skipSpace(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (is(code, space)) at++;
      else if (code === 47 && text.charCodeAt(at + 1) === 47) {
        at = text.indexOf('\n', at);
        if (at < 0) return text.length;
      } else return at;
    }
  }

  #name(from: number): number {
    let at = from;
    while (is(this.text.charCodeAt(at), namePart)) at++;
    if (at === from) this.source.fail(from, 'a name');
    return at;
  }

  #number(from: number): void {
    const { text } = this;
    let at = from;
    this.kind = tokens.integer;
    if (text.charCodeAt(at) === 48 && text.charCodeAt(at + 1) === 120 && is(text.charCodeAt(at + 2), hexDigit)) {
      at += 2;
      while (is(text.charCodeAt(at), hexDigit)) at++;
    } else {
      while (is(text.charCodeAt(at), digit)) at++;
      if (text.charCodeAt(at) === 46) {
        this.kind = tokens.float;
        do at++;
        while (is(text.charCodeAt(at), digit));
        const exponent = text.charCodeAt(at) | 32;
        if (exponent === 101 /* e */) {
          const sign = text.charCodeAt(at + 1);
          const first = sign === 43 || sign === 45 ? at + 2 : at + 1;
          if (is(text.charCodeAt(first), digit)) {
            at = first;
            while (is(text.charCodeAt(at), digit)) at++;
          }
        }
      }
    }
    this.end = at;
  }

  #punctuation(code: number, at: number): void {
    const { text } = this;
    const second = text.charCodeAt(at + 1);
    this.kind = code;
    this.end = at + 1;
    switch (code) {
      case 34:
        this.kind = tokens.string;
        this.end = this.#string(at);
        return;
      case 45: // -
        if (second === 62) {
          this.kind = tokens.arrow;
          this.end = at + 2;
        } else if (is(second, digit)) this.#number(at + 1);
        return;
      case 64: // @
        this.kind = tokens.symbol;
        this.end = second === 34 ? this.#string(at + 1) : this.#name(at + 1);
        return;
      case 94: // ^
        this.kind = tokens.block;
        this.end = this.#name(at + 1);
        return;
      case 35: // #
        if (second === 45) {
          this.kind = tokens.metadataEnd;
          this.end = at + 3;
          return;
        }
        this.kind = tokens.attribute;
        this.end = this.#name(at + 1);
        return;
      case 33: // !
        this.kind = tokens.type;
        this.end = this.#name(at + 1);
        return;
      case 58: // :
        if (second === 58) {
          this.kind = tokens.scope;
          this.end = at + 2;
        }
        return;
      case 123: // {
        if (second === 45 && text.charCodeAt(at + 2) === 35) {
          this.kind = tokens.metadata;
          this.end = at + 3;
        }
        return;
      case 40:
      case 41:
      case 42:
      case 43:
      case 44:
      case 60:
      case 61:
      case 62:
      case 63:
      case 91:
      case 93:
      case 124:
      case 125:
        return;
      default:
        this.source.fail(at, 'a token of MLIR');
    }
  }

  /** The end of the string that begins at this quote. */
  #string(quote: number): number {
    const { text } = this;
    for (let at = quote + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) return at + 1;
      if (code === 92) at++;
      else if (code === 10 || at >= text.length) this.source.fail(quote, 'a string that ends on its line');
    }
  }

  // Operations of readers on the current token.

  tokenText(): string {
    return this.text.slice(this.start, this.end);
  }
  is(punctuation: string): boolean {
    return this.kind === punctuation.charCodeAt(0);
  }
  isWord(word: string): boolean {
    return this.kind === tokens.word && this.end - this.start === word.length && this.text.startsWith(word, this.start);
  }
  /** Skips a punctuation character if it is there. */
  take(punctuation: string): boolean {
    if (this.kind !== punctuation.charCodeAt(0)) return false;
    this.next();
    return true;
  }
  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.next();
    return true;
  }
  takeKind(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.next();
    return true;
  }
  expect(punctuation: string): void {
    if (!this.take(punctuation)) this.fail(`'${punctuation}'`);
  }
  expectWord(word: string): void {
    if (!this.takeWord(word)) this.fail(`'${word}'`);
  }
  /** The text of a token of this kind, which is passed. */
  takeText(kind: number, what: string): string {
    if (this.kind !== kind) this.fail(what);
    const text = this.tokenText();
    this.next();
    return text;
  }
  integer(what: string): number {
    const at = this.start;
    const number = Number(this.takeText(tokens.integer, what));
    if (!Number.isSafeInteger(number)) this.source.fail(at, `${what} below 2^53`);
    return number;
  }
  fail(expected: string): never {
    this.source.fail(this.start, expected);
  }

  /** Reads a comma-separated list of `one` up to and including a closing character. */
  list(close: string, one: () => void): void {
    if (this.take(close)) return;
    do one();
    while (this.take(','));
    this.expect(close);
  }

  /** Runs a reader of a recursive construct. */
  nested<T>(read: () => T): T {
    if (this.#depth >= maxDepth) this.source.fail(this.start, `at most ${maxDepth} levels of nesting`);
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  /** Skips a bracket and everything up to the matching closing bracket. */
  skipBalanced(): void {
    const open = this.start;
    let depth = 0;
    do {
      if (this.is('<') || this.is('(') || this.is('[') || this.is('{')) depth++;
      else if (this.is('>') || this.is(')') || this.is(']') || this.is('}')) depth--;
      else if (this.kind === tokens.end) this.source.fail(open, 'a bracket that is closed');
      if (depth === 0) break;
      this.next();
    } while (depth > 0);
    this.next();
  }
}

/** Reads all of a text. @throws {HLO_SYNTAX} */
export function readAll<T>(text: string, read: (lexer: Lexer) => T): T {
  const lexer = new Lexer(new Source(text));
  const value = read(lexer);
  if (lexer.kind !== tokens.end) lexer.fail('the end of the text');
  return value;
}

/** Skips the name of an attribute, such as `#sdy.sharding`. */
export function dialectName(lexer: Lexer, name: string): void {
  if (lexer.kind !== tokens.attribute || lexer.tokenText() !== name) lexer.fail(`'${name}'`);
  lexer.next();
}
