// Attributes: the values after `=` in a dictionary, and those in short forms of ops.
import { zeros } from '../literal.ts';
import { dynamicDim } from '../types.ts';
import { readDialectAttribute } from './dialect-attributes.ts';
import { tokens } from './lexer.ts';
import { literalOfHex, readElements } from './literal-reader.ts';
import { unquote } from './strings.ts';
import type { AttributeBody, AttributeMap, AttributeSyntax, Span, SyntaxSource, SyntaxType } from './syntax.ts';
import { TypeReader } from './type-reader.ts';

const unitBody = { kind: 'unit' } as const;

export class AttributeReader extends TypeReader implements SyntaxSource {
  /** The `{-# … #-}` at the end of the text, read on first use. */
  #resources: ReadonlyMap<string, Span> | undefined;

  refuse(at: number, expected: string, found?: string): never {
    return this.source.fail(at, expected, found);
  }

  /** An attribute in a dictionary: numbers and strings may be followed by their types. */
  attribute(): AttributeSyntax {
    const { start } = this;
    // The value of an alias is elsewhere in the text and is read there.
    if (this.kind === tokens.attribute && this.#isAlias())
      return this.alias(() => this.attribute()) ?? this.fail('an attribute, or the alias of one');
    const body = this.nested(() => this.#body(true));
    return { ...body, start, end: this.lastEnd };
  }

  /** An attribute in a short form: a number without a type, or a name alone. The same applies to elements of lists. */
  bareAttribute(): AttributeSyntax {
    const { start } = this;
    const body = this.nested((): AttributeBody => {
      switch (this.kind) {
        case tokens.integer:
        case tokens.float:
        case tokens.string:
          return this.#body(false);
        case 91: {
          const elements: AttributeSyntax[] = [];
          this.next();
          this.list(']', () => elements.push(this.bareAttribute()));
          return { kind: 'array', elements };
        }
        case tokens.word: {
          const word = this.tokenText();
          if (/^(?:true|false|array|dense|dense_resource)$/.test(word)) return this.#body(false);
          this.next();
          return { kind: 'name', value: word };
        }
        default: {
          const { start: _start, end: _end, ...rest } = this.attribute();
          return rest as AttributeBody;
        }
      }
    });
    return { ...body, start, end: this.lastEnd };
  }

  /** `{a = 1, "b" = 2, c}`, added to `into`. */
  dictionary(into: Map<string, AttributeSyntax> = new Map()): AttributeMap {
    this.expect('{');
    this.list('}', () => {
      const { start } = this;
      const name = this.kind === tokens.string ? unquote(this.tokenText()) : this.tokenText();
      if (this.kind !== tokens.string && this.kind !== tokens.word) this.fail('the name of an attribute');
      this.next();
      if (into.has(name)) this.source.fail(start, 'each attribute once');
      into.set(name, this.take('=') ? this.attribute() : { ...unitBody, start, end: this.lastEnd });
    });
    return into;
  }

  #isAlias(): boolean {
    // `#stablehlo.gather<…>` and `#stablehlo<…>` are attributes of a dialect.
    return this.text[this.end] !== '<' && !this.tokenText().includes('.');
  }

  #typeAfter(wanted: boolean): { readonly type?: SyntaxType } {
    return wanted && this.take(':') ? { type: this.syntaxType() } : {};
  }

  #body(typed: boolean): AttributeBody {
    const token = this.kind;
    switch (token) {
      case tokens.integer:
      case tokens.float: {
        const digits = this.tokenText();
        this.next();
        return { kind: token === tokens.float ? 'float' : 'integer', digits, ...this.#typeAfter(typed) };
      }
      case tokens.string: {
        const value = unquote(this.tokenText());
        this.next();
        this.#typeAfter(typed);
        return { kind: 'string', value };
      }
      case tokens.symbol:
        return { kind: 'symbol', names: this.symbolPath() };
      case tokens.word:
        return this.#word(typed);
      case tokens.attribute: {
        const name = this.tokenText().slice(1);
        this.next();
        return readDialectAttribute(this, name);
      }
      case tokens.type:
      case 40:
        return { kind: 'type', value: this.syntaxType() };
      case 91: {
        const elements: AttributeSyntax[] = [];
        this.next();
        this.list(']', () => elements.push(this.attribute()));
        return { kind: 'array', elements };
      }
      case 123:
        return { kind: 'dictionary', entries: this.dictionary() };
      case 60:
        // The text after the name of a dialect attribute: the op determines how to read it.
        return readDialectAttribute(this, '');
      default:
        return this.fail('an attribute');
    }
  }

  /** `@name` or `@a::@b`. */
  symbolPath(): string[] {
    const names: string[] = [];
    do names.push(this.symbolName());
    while (this.takeKind(tokens.scope));
    return names;
  }
  symbolName(): string {
    const name = this.takeText(tokens.symbol, "a symbol such as '@main'").slice(1);
    return name.startsWith('"') ? unquote(name) : name;
  }

  #word(typed: boolean): AttributeBody {
    const word = this.tokenText();
    switch (word) {
      case 'true':
      case 'false':
        this.next();
        this.#typeAfter(typed);
        return { kind: 'boolean', value: word === 'true' };
      case 'unit':
        this.next();
        return unitBody;
      case 'array':
        return this.#numbers();
      case 'dense':
        return this.#elements();
      case 'dense_resource':
        return this.#resource();
      case 'affine_map':
      case 'affine_set':
      case 'sparse':
      case 'strided':
      case 'distinct':
        this.next();
        while (this.is('<') || this.is('[')) this.skipBalanced();
        this.#typeAfter(typed);
        return { kind: 'opaque' };
      case 'loc':
        this.next();
        this.skipBalanced();
        return { kind: 'opaque' };
      default:
        return { kind: 'type', value: this.syntaxType() };
    }
  }

  /** `array<i64: 1, 2>` */
  #numbers(): AttributeBody {
    this.next();
    this.expect('<');
    const type = this.takeText(tokens.word, 'the type of numbers');
    const values: number[] = [];
    const one = (): void => {
      if (this.isWord('true') || this.isWord('false')) values.push(this.isWord('true') ? 1 : 0);
      else if (this.kind === tokens.integer || this.kind === tokens.float) values.push(Number(this.tokenText()));
      else this.fail(`a number of type ${type}`);
      this.next();
    };
    if (this.take(':')) this.list('>', one);
    else this.expect('>');
    return { kind: 'numbers', values };
  }

  /** `dense<…> : tensor<…>`; the elements are read when their type is known. */
  #elements(): AttributeBody {
    const { text } = this;
    const open = this.skipSpace(this.end);
    if (text[open] !== '<') this.source.fail(open, "'<'");
    let at = this.skipSpace(open + 1);
    if (text[at] === '"') at = text.indexOf('"', at + 1) + 1;
    let close = at === 0 ? -1 : text.indexOf('>', at);
    // A comment may contain one, too.
    while (close >= 0) {
      const comment = text.slice(at, close).indexOf('//');
      if (comment < 0) break;
      at = text.indexOf('\n', at + comment);
      close = at < 0 ? -1 : text.indexOf('>', at);
    }
    if (close < 0) this.source.fail(open, "a '<' that is closed");
    this.seek(close + 1);
    this.expect(':');
    const type = this.tensorType();
    return { kind: 'elements', value: readElements(this.source, type, open + 1, close) };
  }

  /** `dense_resource<name> : tensor<…>`: the bytes are at the end of the text. */
  #resource(): AttributeBody {
    this.next();
    this.expect('<');
    const at = this.start;
    const name = this.kind === tokens.string ? unquote(this.tokenText()) : this.tokenText();
    this.next();
    this.expect('>');
    this.expect(':');
    const type = this.tensorType();
    this.#resources ??= this.#readResources();
    const blob = this.#resources.get(name);
    if (blob === undefined)
      return this.source.fail(at, 'a resource defined at the end of the text', `'${name}', which was omitted`);
    if (type.shape.includes(dynamicDim)) this.source.fail(at, 'a static type');
    // The first four bytes are the alignment of the rest.
    const digits = blob.start + 1 + 2 + 8;
    if (blob.end - 1 < digits) return { kind: 'elements', value: zeros(type) };
    return { kind: 'elements', value: literalOfHex(this.source, type, at, digits, blob.end - 1) };
  }

  /** `{-# dialect_resources: { builtin: { name: "0x…" } } #-}` */
  #readResources(): ReadonlyMap<string, Span> {
    const blobs = new Map<string, Span>();
    const back = this.start;
    const from = this.text.lastIndexOf('{-#');
    if (from < 0) return blobs;
    this.seek(from);
    const words: string[] = [];
    while (this.kind !== tokens.end && this.kind !== tokens.metadataEnd) {
      if (this.is('{') || this.is('}')) words.length = 0;
      else if (this.kind === tokens.string && words.length === 1)
        blobs.set(words.pop()!, { start: this.start, end: this.end });
      else if (this.kind === tokens.word || this.kind === tokens.string)
        words[0] = this.kind === tokens.word ? this.tokenText() : unquote(this.tokenText());
      this.next();
    }
    this.seek(back);
    return blobs;
  }
}
