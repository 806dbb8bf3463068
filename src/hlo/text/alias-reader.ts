// Aliases: `#map = affine_map<…>`, `!t = tensor<2xf32>`, `#loc3 = loc("model.py":3:7)`, defined before or after they are
// used. The target of an alias is read again at each use.
import { Lexer } from './lexer.ts';
import type { Source } from './source.ts';
import type { Span } from './syntax.ts';

/** Nested aliases can expand exponentially, so the amount of text read is limited to this factor per character of the input. */
const expansion = 8;
/** The amount that is allowed in any case. */
const leastExpansion = 2 ** 20;

export class AliasReader extends Lexer {
  readonly #definitions = new Map<string, number>();
  /** The text that an alias replaced, by position. */
  readonly #uses = new Map<number, Span & { readonly meaning: Span }>();
  /** The number of characters read by expanding aliases. */
  #expanded = 0;

  constructor(source: Source) {
    super(source);
    this.#find('\n#');
    this.#find('\n!');
  }

  #find(lineStart: string): void {
    const { text } = this;
    const definition = /[#!][\w$.-]+[ \t]*=/y;
    const add = (at: number): void => {
      definition.lastIndex = at;
      const [match] = definition.exec(text) ?? [];
      if (match !== undefined) this.#definitions.set(match.slice(0, -1).trimEnd(), at + match.length);
    };
    if (text.startsWith(lineStart.slice(1))) add(0);
    for (let at = text.indexOf(lineStart); at >= 0; at = text.indexOf(lineStart, at + 1)) add(at + 1);
  }

  /** Skips a definition. Definitions that do not start a line are only found this way. */
  skipAliasDefinition(skip: () => void): void {
    const name = this.tokenText();
    this.next();
    if (!this.is('=')) this.fail("'='");
    this.#definitions.set(name, this.end);
    this.next();
    skip();
  }

  /** Reads the target of the alias at the current token; undefined if there is no such alias. */
  alias<T>(read: () => T): T | undefined {
    const definition = this.#definitions.get(this.tokenText());
    if (definition === undefined) return undefined;
    const { start, end } = this;
    return this.nested(() => {
      this.seek(definition);
      const meaning = { start: this.start, end: this.start };
      const result = read();
      meaning.end = this.lastEnd;
      this.#uses.set(start, { start, end, meaning });
      this.#expanded += meaning.end - meaning.start;
      if (this.#expanded > Math.max(leastExpansion, expansion * this.text.length)) this.#refuse(start);
      this.seek(start);
      this.next();
      return result;
    });
  }
  #refuse(at: number): never {
    return this.source.fail(at, 'aliases that expand to less text');
  }

  /** The text that was read, on one line, with aliases expanded. */
  textOf(span: Span): string {
    const text = this.#expand(span);
    // Whitespace is not part of the attribute.
    return /[\n\t]| {2}|\/\//.test(text) ? onOneLine(text) : text;
  }
  #expand(span: Span): string {
    if (this.#uses.size === 0) return this.text.slice(span.start, span.end);
    let text = '';
    let at = span.start;
    for (const { index } of this.text.slice(span.start, span.end).matchAll(/[#!]/g)) {
      const use = this.#uses.get(span.start + index);
      if (use === undefined) continue;
      text += this.text.slice(at, use.start) + this.#expand(use.meaning);
      at = use.end;
      if (text.length > Math.max(leastExpansion, expansion * this.text.length)) this.#refuse(use.start);
    }
    return text + this.text.slice(at, span.end);
  }
}

const onOneLine = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|(?:\s|\/\/[^\n]*)+/g, (_, string: string | undefined) => string ?? ' ').trim();
