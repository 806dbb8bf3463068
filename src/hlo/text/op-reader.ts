// Ops and regions: statements `%0 = op … loc(…)` in generic or custom form, each converted to a typed op as soon as it is read.
// Values are known by their names within the function.
import type { SourceLocation } from '../../base/errors.ts';
import type { Op, Region, Value } from '../program.ts';
import { formatType, sameType, type Type } from '../types.ts';
import { AttributeReader } from './attribute-reader.ts';
import { type Binding, type Draft, draftOf, type FormReader } from './form-text.ts';
import { tokens } from './lexer.ts';
import { type LocationReader, locationReader } from './location-reader.ts';
import { isTerminator, nameOfOp } from './op-names.ts';
import { opTexts } from './op-texts.ts';
import type { Source } from './source.ts';
import { unquote } from './strings.ts';
import type { AttributeSyntax } from './syntax.ts';
import { toOp } from './to-op.ts';

export class OpReader extends AttributeReader implements FormReader {
  /** Values by name; for ops with several results, all of them. */
  #values = new Map<string, readonly Value[]>();
  /** The names defined in the open regions, innermost last. */
  #scopes: string[][] = [];
  #ids = 0;
  /** Maps for the attributes of ops, reused for all ops. */
  readonly #free: Map<string, AttributeSyntax>[] = [];
  readonly #locations: LocationReader;
  /** True if ops without a location get their position in this text. */
  readonly #locate: boolean;

  constructor(source: Source, options: { readonly locate: boolean }) {
    super(source);
    this.#locate = options.locate;
    this.#locations = locationReader(this);
  }

  // values

  readonly nextId = (): number => this.#ids++;
  /** A use of a value. */
  value(): Value {
    const { start } = this;
    if (this.kind !== tokens.value) this.fail("a value such as '%0'");
    const text = this.tokenText();
    const hash = text.indexOf('#');
    const value = this.#values.get(hash < 0 ? text : text.slice(0, hash))?.[
      hash < 0 ? 0 : Number(text.slice(hash + 1))
    ];
    if (value === undefined) this.source.fail(start, 'a value that is already defined', `'${text}', which is not`);
    this.next();
    return value;
  }
  /** Skips a comma if a value follows it. */
  takeCommaBeforeValue(): boolean {
    if (!this.is(',')) return false;
    const { start } = this;
    this.next();
    if (this.kind === tokens.value) return true;
    this.seek(start);
    return false;
  }
  checkTypes(at: number, values: readonly Value[], types: readonly Type[]): void {
    if (values.length !== types.length)
      this.source.fail(at, `${values.length} types, one for each operand`, String(types.length));
    for (let i = 0; i < values.length; i++)
      if (values[i]!.type !== types[i] && !sameType(values[i]!.type, types[i]!))
        this.source.fail(at, `the type of operand ${i}, ${formatType(values[i]!.type)}`, formatType(types[i]!));
  }
  #define(name: string, values: readonly Value[], at: number): void {
    if (this.#values.has(name)) this.source.fail(at, 'a new name', `'${name}', which is already defined`);
    this.#values.set(name, values);
    this.#scopes.at(-1)!.push(name);
  }

  /** `%a: type`, optionally followed by a location. */
  binding(): Binding {
    const { start } = this;
    const name = this.takeText(tokens.value, "a value such as '%0'");
    this.expect(':');
    const type = this.type();
    this.location();
    return { name, type, at: start };
  }

  // regions

  /** `{ ops }`. Arguments are declared by the op that has the region, or by a label `^bb0(%a: type):`. */
  region(bindings: readonly Binding[] = [], options: { readonly isolated?: boolean } = {}): Region {
    const outer = this.#values;
    if (options.isolated) this.#values = new Map();
    this.expect('{');
    const region = this.nested(() => {
      this.#scopes.push([]);
      const args: Value[] = [];
      for (const { name, type, at } of bindings) args.push(this.#argument(name, type, args.length, at));
      if (this.kind === tokens.block) {
        this.next();
        if (this.take('('))
          this.list(')', () => {
            const { name, type, at } = this.binding();
            args.push(this.#argument(name, type, args.length, at));
          });
        this.expect(':');
      }
      const ops: Op[] = [];
      const results = this.#statements(ops);
      for (const name of this.#scopes.pop()!) this.#values.delete(name);
      return { args, ops, results };
    });
    this.#values = outer;
    return region;
  }
  #argument(name: string, type: Type, index: number, at: number): Value {
    const value: Value = { id: this.nextId(), type, op: undefined, index };
    this.#define(name, [value], at);
    return value;
  }

  /** Reads ops up to and including the `}`; returns the operands of the terminator. */
  #statements(ops: Op[]): readonly Value[] {
    let results: readonly Value[] | undefined;
    while (!this.take('}')) {
      if (results !== undefined) this.fail("'}' (a region has one block, which ends with what it returns)");
      results = this.#statement(ops);
    }
    return results ?? [];
  }

  /** Adds one op to `ops`, or returns the operands of a terminator. */
  #statement(ops: Op[]): readonly Value[] | undefined {
    const at = this.start;
    const names: { readonly name: string; readonly count: number; readonly at: number }[] = [];
    if (this.kind === tokens.value) {
      do {
        const { start } = this;
        const name = this.takeText(tokens.value, "a value such as '%0'");
        if (name.includes('#')) this.source.fail(start, 'a name without a number');
        names.push({ name, count: this.take(':') ? this.integer('a number of results') : 1, at: start });
      } while (this.take(','));
      this.expect('=');
    }
    const { start } = this;
    const isGeneric = this.kind === tokens.string;
    if (!isGeneric && this.kind !== tokens.word) this.fail('an op');
    const name = isGeneric ? unquote(this.tokenText()) : this.tokenText();
    this.next();
    if (isTerminator(name)) {
      if (names.length > 0) this.source.fail(at, 'an op with results', `'${name}'`);
      return this.#terminator(isGeneric);
    }
    const known = nameOfOp(name) ?? this.source.fail(start, `an op of the dialect ${name.split('.')[0]}`);
    const attributes = this.#free.pop() ?? new Map<string, AttributeSyntax>();
    const draft = draftOf(name, start, attributes);
    if (isGeneric) this.generic(draft, known === 'unregistered');
    else {
      const { form } = opTexts[known];
      if (form !== undefined) form.read(this, draft);
      else if (known === 'unregistered') this.source.fail(start, 'an op that is known, or the generic form "op"(…)');
      else this.source.fail(start, `the generic form "${name}"(…), the only form of this op`);
    }
    draft.location ??= this.location() ?? (this.#locate ? this.source.locate(start) : undefined);
    const op = toOp(known, draft, this, this.nextId);
    ops.push(op);
    attributes.clear();
    this.#free.push(attributes);
    this.#results(op, names, at);
    return undefined;
  }

  #results(op: Op, names: readonly { name: string; count: number; at: number }[], at: number): void {
    let next = 0;
    for (const { name, count, at } of names) {
      this.#define(name, count === op.results.length ? op.results : op.results.slice(next, next + count), at);
      next += count;
    }
    if (names.length > 0 && next !== op.results.length)
      this.source.fail(at, `names for ${op.results.length} results`, String(next));
  }

  /** The text between the name of a terminator and the end of its region. */
  #terminator(isGeneric: boolean): readonly Value[] {
    const draft = draftOf('', this.start);
    const values = draft.operands;
    if (isGeneric) this.generic(draft, false);
    else {
      if (this.is('{')) this.dictionary();
      if (this.kind === tokens.value)
        do values.push(this.value());
        while (this.take(','));
      if (this.is('{')) this.dictionary();
      if (this.is(':') || values.length > 0) {
        this.expect(':');
        const { start } = this;
        const types: Type[] = [];
        do types.push(this.type());
        while (this.take(','));
        this.checkTypes(start, values, types);
      }
    }
    this.location();
    return values;
  }

  /** `(%0) <{properties}> ({region}) {attributes} : (types) -> types`. Properties of unknown ops are kept as text. */
  generic(draft: Draft, isUnregistered: boolean): void {
    const { attributes, operands, regions } = draft;
    this.expect('(');
    this.list(')', () => operands.push(this.value()));
    if (this.is('[')) this.fail('an op without successors');
    if (this.take('<')) {
      const { start } = this;
      const node = this.attribute();
      if (node.kind !== 'dictionary') this.source.fail(start, 'a dictionary of properties');
      if (isUnregistered) draft.properties = this.textOf(node);
      else for (const [name, value] of node.entries) attributes.set(name, value);
      this.expect('>');
    }
    if (this.take('(')) {
      const isolated = nameOfOp(draft.name) === 'async_start' || nameOfOp(draft.name) === 'sdy.manual_computation';
      this.list(')', () => regions.push(this.region([], { isolated })));
    }
    if (this.is('{')) this.dictionary(attributes);
    this.expect(':');
    const at = this.start;
    this.expect('(');
    const types = this.types(')');
    this.checkTypes(at, operands, types);
    if (!this.takeKind(tokens.arrow)) this.fail("'->'");
    draft.resultTypes = this.resultTypes();
  }

  /** An optional `loc(…)`. */
  location(): SourceLocation | undefined {
    return this.isWord('loc') ? this.#locations.read() : undefined;
  }
}
