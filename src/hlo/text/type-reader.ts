// Reads types. There are many tensor types but few different ones, so each is created once and then looked up by its text.

import { integerRange } from '../ops/quantized-data.ts';
import {
  type Bounds,
  dynamicDim,
  type ElementType,
  elementTypes,
  type Quantization,
  type TensorType,
  type Type,
  tokenType,
} from '../types.ts';
import { AliasReader } from './alias-reader.ts';
import { tokens } from './lexer.ts';
import type { SyntaxType } from './syntax.ts';

const elementNames: ReadonlyMap<string, ElementType> = new Map([
  ...elementTypes.map(name => [name, name] as const),
  // The width of `index` depends on the machine.
  ['index', 'i64'],
]);

export class TypeReader extends AliasReader {
  readonly #tensors = new Map<string, TensorType>();

  /** A type of a value. */
  type(): Type {
    const at = this.start;
    const type = this.syntaxType();
    if (type.kind === 'element' || type.kind === 'function' || type.kind === 'other')
      this.source.fail(at, 'the type of a tensor, token, tuple or future');
    return type;
  }
  tensorType(): TensorType {
    const at = this.start;
    const type = this.type();
    return type.kind === 'tensor' ? type : this.source.fail(at, 'the type of a tensor');
  }
  types(close: string): Type[] {
    const types: Type[] = [];
    this.list(close, () => types.push(this.type()));
    return types;
  }

  syntaxType(): SyntaxType {
    switch (this.kind) {
      case tokens.word:
        return this.#namedType();
      case tokens.type:
        return this.#dialectType();
      case 40: {
        this.next();
        return this.nested(() => {
          const inputs = this.types(')');
          if (!this.takeKind(tokens.arrow)) this.fail("'->'");
          return { kind: 'function', inputs, results: this.resultTypes() };
        });
      }
      default:
        return this.fail('a type');
    }
  }
  /** One type, or several in parentheses. */
  resultTypes(): Type[] {
    return this.take('(') ? this.types(')') : [this.type()];
  }

  #namedType(): SyntaxType {
    if (this.isWord('tensor')) return this.#tensor();
    const word = this.tokenText();
    const element = elementNames.get(word);
    if (element !== undefined) {
      this.next();
      return { kind: 'element', elementType: element };
    }
    switch (word) {
      case 'complex': {
        this.next();
        this.expect('<');
        const part = this.takeText(tokens.word, "'f32' or 'f64'");
        this.expect('>');
        const elementType = elementNames.get(`complex<${part}>`);
        if (elementType === undefined) this.source.fail(this.lastEnd - 1, "'complex<f32>' or 'complex<f64>'");
        return { kind: 'element', elementType };
      }
      case 'tuple': {
        this.next();
        this.expect('<');
        return this.nested(() => ({ kind: 'tuple', elements: this.types('>') }));
      }
      case 'none':
        this.next();
        return { kind: 'other' };
      case 'memref':
      case 'vector':
        this.next();
        this.skipBalanced();
        return { kind: 'other' };
      default:
        return this.fail('a type');
    }
  }

  #dialectType(): SyntaxType {
    switch (this.tokenText()) {
      case '!stablehlo.token':
        this.next();
        return tokenType;
      case '!stablehlo.future':
        this.next();
        this.expect('<');
        return this.nested(() => ({ kind: 'future', elements: this.types('>') }));
      case '!quant.uniform':
        return this.#quantized();
      default: {
        const aliased = this.alias(() => this.syntaxType());
        if (aliased !== undefined) return aliased;
        if (!this.tokenText().includes('.')) this.fail('a type, or the alias of one');
        this.next();
        if (this.is('<')) this.skipBalanced();
        return { kind: 'other' };
      }
    }
  }

  #tensor(): TensorType {
    const { text, start } = this;
    // The text of a type without complex or quantized elements contains only one `>`, at the end.
    const end = text.indexOf('>', this.end) + 1;
    const known = this.#tensors.get(text.slice(start, end));
    if (known !== undefined) {
      this.seek(end);
      return known;
    }
    const open = this.skipSpace(this.end);
    if (text[open] !== '<') this.source.fail(open, "'<'");
    const shape: number[] = [];
    let at = this.skipSpace(open + 1);
    for (;;) {
      const dim = at;
      while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
      if (at === dim && text[at] === '?') {
        at++;
        shape.push(dynamicDim);
      } else if (at > dim) {
        shape.push(Number(text.slice(dim, at)));
        if (!Number.isSafeInteger(shape.at(-1))) this.source.fail(dim, 'a size below 2^53');
      } else break;
      at = this.skipSpace(at);
      if (text[at] !== 'x') this.source.fail(at, "'x'");
      at = this.skipSpace(at + 1);
    }
    this.seek(at);
    if (this.is('*')) this.fail('the sizes of a tensor (tensors without a rank are not supported)');
    const element = this.syntaxType();
    if (element.kind !== 'element') this.source.fail(at, 'the type of the elements of a tensor');
    const { elementType, quantization } = element;
    const encoding = this.take(',') ? this.#encoding() : {};
    this.expect('>');
    const key = text.slice(start, this.lastEnd);
    const type: TensorType = this.#tensors.get(key) ?? {
      kind: 'tensor',
      shape,
      elementType,
      ...(quantization === undefined ? {} : { quantization }),
      ...encoding,
    };
    this.#tensors.set(key, type);
    return type;
  }

  #encoding(): { bounds: Bounds } | { encoding: string } {
    const { start } = this;
    switch (this.kind === tokens.attribute ? this.tokenText() : '') {
      case '#stablehlo.bounds':
        this.next();
        this.expect('<');
        return { bounds: this.#bounds('>') };
      case '#stablehlo.type_extensions': {
        this.next();
        this.expect('<');
        this.expectWord('bounds');
        this.expect('=');
        this.expect('[');
        const bounds = this.#bounds(']');
        this.expect('>');
        return { bounds };
      }
      default: {
        const aliased = this.kind === tokens.attribute ? this.alias(() => this.#encoding()) : undefined;
        if (aliased !== undefined) return aliased;
        if (!this.is('{') && !this.takeKind(tokens.attribute) && !this.takeKind(tokens.string))
          this.fail('the encoding of a tensor');
        if (this.is('<') || this.is('{')) this.skipBalanced();
        return { encoding: this.textOf({ start, end: this.lastEnd }) };
      }
    }
  }
  #bounds(close: string): Bounds {
    const bounds: (number | undefined)[] = [];
    this.list(close, () => bounds.push(this.take('?') ? undefined : this.integer('a bound')));
    return bounds;
  }

  /** `!quant.uniform<i8<-128:127>:f32:0, {0.1:-30, 0.5}>` */
  #quantized(): SyntaxType {
    this.next();
    this.expect('<');
    const storage = this.takeText(tokens.word, 'a storage type');
    const elementType = elementNames.get(/^u\d/.test(storage) ? `ui${storage.slice(1)}` : storage);
    if (elementType === undefined || !/^u?i\d/.test(elementType))
      return this.source.fail(this.lastEnd - storage.length, 'a storage type: an integer of at most 32 bits');
    let range = {};
    if (this.take('<')) {
      const storageMin = this.integer('the least stored value');
      this.expect(':');
      const storageMax = this.integer('the greatest stored value');
      const [least, greatest] = integerRange(elementType);
      if (storageMin !== least || storageMax !== greatest) range = { storageMin, storageMax };
      this.expect('>');
    }
    this.expect(':');
    const expressed = this.syntaxType();
    if (expressed.kind !== 'element') return this.fail('an expressed type');
    const scales: number[] = [];
    const zeroPoints: number[] = [];
    const pair = (): void => {
      scales.push(this.#scale());
      zeroPoints.push(this.take(':') ? this.integer('a zero point') : 0);
    };
    let axis = {};
    if (this.take(':')) {
      if (this.is('{')) this.fail('one dim (blocks along several dims are not supported)');
      axis = { axis: this.integer('a dim') };
      this.expect(',');
      this.expect('{');
      this.list('}', pair);
    } else {
      this.expect(',');
      pair();
    }
    this.expect('>');
    const quantization: Quantization = { expressedType: expressed.elementType, ...range, ...axis, scales, zeroPoints };
    return { kind: 'element', elementType, quantization };
  }
  #scale(): number {
    if (this.kind !== tokens.float && this.kind !== tokens.integer) this.fail('a scale');
    const scale = Number(this.tokenText());
    if (!Number.isFinite(scale)) this.fail('a scale');
    this.next();
    return scale;
  }
}
