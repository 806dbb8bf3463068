// Modules and functions.

import type { DiscardableAttributes } from '../attributes.ts';
import { toNumbers } from '../literal.ts';
import type { DeclaredMesh, Func, Module, ValueAttributes } from '../program.ts';
import { checkMesh, type Mesh } from '../sharding/mesh.ts';
import { readMesh } from '../sharding/shardy-reader.ts';
import { withoutSharding } from '../sharding/stated.ts';
import type { Type } from '../types.ts';
import { fromText } from './codecs.ts';
import type { Binding } from './form-text.ts';
import { draftOf } from './form-text.ts';
import { tokens } from './lexer.ts';
import type { OpReader } from './op-reader.ts';
import { unquote } from './strings.ts';
import type { AttributeMap, AttributeSyntax } from './syntax.ts';
import { textsOf } from './to-op.ts';

/** Reads all of the text: one module, or the functions of a module without a header. */
export function readModule(reader: OpReader): Module {
  const parts = new ModuleParts(reader);
  while (reader.kind === tokens.attribute || reader.kind === tokens.type) parts.aliasDefinition();
  if (reader.isWord('module') || reader.isWord('builtin.module')) {
    reader.next();
    if (reader.kind === tokens.symbol) parts.name = reader.symbolName();
    if (reader.takeWord('attributes')) parts.attributes(reader.dictionary());
    reader.expect('{');
    while (!reader.take('}')) parts.statement();
    reader.location();
  } else if (reader.kind === tokens.string && unquote(reader.tokenText()) === 'builtin.module') {
    parts.genericModule();
  } else {
    while (reader.kind !== tokens.end && reader.kind !== tokens.metadata) parts.statement();
  }
  while (reader.kind === tokens.attribute || reader.kind === tokens.type) parts.aliasDefinition();
  if (reader.kind === tokens.metadata) {
    skipMetadata(reader);
  }
  if (reader.kind !== tokens.end) reader.fail('the end of the text');
  return parts.module();
}

/** `{-# … #-}`: its contents are read on first use. */
function skipMetadata(reader: OpReader): void {
  while (reader.kind !== tokens.metadataEnd && reader.kind !== tokens.end) reader.next();
  if (!reader.takeKind(tokens.metadataEnd)) reader.fail("'#-}'");
}

/** `{axes = [{name = "x", size = 2 : i64}], device_ids = dense<…>}`: a mesh in attributes that every dialect has. */
function meshOfDictionary(node: AttributeSyntax | undefined, reader: OpReader, at: number): Mesh {
  const entries = node?.kind === 'dictionary' ? node.entries : undefined;
  const list = entries?.get('axes');
  if (list?.kind !== 'array')
    return reader.refuse(at, "a mesh: the attribute 'mesh', or 'stablehlo.mesh' with its axes");
  const axes = list.elements.map(element => {
    const fields = element.kind === 'dictionary' ? element.entries : undefined;
    const [name, size] = [fields?.get('name'), fields?.get('size')];
    if (name?.kind !== 'string' || size?.kind !== 'integer')
      return reader.refuse(element.start, 'an axis: its name and size');
    return { name: name.value, size: Number(size.digits) };
  });
  const ids = entries?.get('device_ids');
  if (ids === undefined) return { axes };
  if (ids.kind !== 'elements') return reader.refuse(ids.start, 'device ids: dense<…>');
  return { axes, deviceIds: toNumbers(ids.value) };
}

class ModuleParts {
  readonly #reader: OpReader;
  readonly #functions: Func[] = [];
  readonly #meshes: DeclaredMesh[] = [];
  readonly #declarations: string[] = [];
  #numReplicas = 1;
  #numPartitions = 1;
  #discardable: DiscardableAttributes | undefined;
  name = 'module';

  constructor(reader: OpReader) {
    this.#reader = reader;
  }

  module(): Module {
    return {
      name: this.name,
      functions: this.#functions,
      numReplicas: this.#numReplicas,
      numPartitions: this.#numPartitions,
      ...(this.#discardable === undefined ? {} : { discardable: this.#discardable }),
      ...(this.#meshes.length === 0 ? {} : { meshes: this.#meshes }),
      ...(this.#declarations.length === 0 ? {} : { declarations: this.#declarations }),
    };
  }

  attributes(all: AttributeMap): void {
    const rest = new Map(all);
    const count = (name: string): number | undefined => {
      const node = rest.get(name);
      if (node?.kind !== 'integer') return undefined;
      const value = Number(node.digits);
      if (!Number.isSafeInteger(value) || value < 1) this.#reader.refuse(node.start, 'a number of processes');
      rest.delete(name);
      return value;
    };
    this.#numReplicas = count('mhlo.num_replicas') ?? 1;
    this.#numPartitions = count('mhlo.num_partitions') ?? 1;
    if (rest.size > 0) this.#discardable = textsOf(rest, this.#reader);
  }

  aliasDefinition(): void {
    const reader = this.#reader;
    reader.skipAliasDefinition(() => {
      if (reader.isWord('loc')) reader.location();
      else reader.attribute();
    });
  }

  /** A function or another declaration. */
  statement(): void {
    const reader = this.#reader;
    if (reader.kind === tokens.attribute || reader.kind === tokens.type) this.aliasDefinition();
    else if (reader.takeWord('func.func') || reader.takeWord('func')) this.#functions.push(readFunc(reader));
    else if (reader.kind === tokens.string && unquote(reader.tokenText()) === 'func.func')
      this.#functions.push(readGenericFunc(reader));
    else if (reader.isWord('sdy.mesh')) this.#mesh();
    else if (reader.kind === tokens.string && unquote(reader.tokenText()).startsWith('sdy.'))
      this.#genericDeclaration();
    else reader.fail('a function');
  }

  /** `sdy.mesh @mesh = <["data"=4]> {…}` */
  #mesh(): void {
    const reader = this.#reader;
    reader.next();
    const name = reader.symbolName();
    reader.expect('=');
    if (reader.kind === tokens.attribute && reader.tokenText() === '#sdy.mesh') reader.next();
    const { start } = reader;
    const mesh = readMesh(reader);
    this.#addMesh(name, mesh, reader.is('{') ? reader.dictionary() : new Map(), start);
    reader.location();
  }
  #addMesh(name: string, mesh: Mesh, attributes: AttributeMap, at: number): void {
    const problem = checkMesh(mesh);
    if (problem !== undefined) this.#reader.refuse(at, 'a valid mesh', `one where ${problem}`);
    if (this.#meshes.some(m => m.name === name)) this.#reader.refuse(at, 'each mesh once', `@${name} again`);
    const discardable = attributes.size === 0 ? {} : { discardable: textsOf(attributes, this.#reader) };
    this.#meshes.push({ name, mesh, ...discardable });
  }

  /** `"sdy.mesh"() <{mesh = #sdy.mesh<…>, sym_name = "mesh"}> : () -> ()`; declarations of other kinds are kept as text. */
  #genericDeclaration(): void {
    const reader = this.#reader;
    const { start } = reader;
    const isMesh = unquote(reader.tokenText()) === 'sdy.mesh';
    reader.next();
    const draft = draftOf('', start);
    reader.generic(draft, !isMesh);
    if (draft.regions.length > 0) reader.refuse(start, 'a declaration without a body');
    if (isMesh) this.#genericMesh(draft.attributes, start);
    else this.#declarations.push(reader.textOf({ start, end: reader.lastEnd }));
    reader.location();
  }
  #genericMesh(attributes: AttributeMap, start: number): void {
    const reader = this.#reader;
    const [name, node] = [attributes.get('sym_name'), attributes.get('mesh')];
    const symbolName = name?.kind === 'string' ? name.value : reader.refuse(start, "a mesh with a 'sym_name'");
    const mesh =
      node === undefined
        ? meshOfDictionary(attributes.get('stablehlo.mesh'), reader, start)
        : fromText(node, reader, readMesh, '#sdy.mesh');
    const others = new Map([...attributes].filter(([key]) => key !== 'sym_name' && key !== 'mesh'));
    this.#addMesh(symbolName, mesh, others, start);
  }

  /** `"builtin.module"() <{sym_name = "m"}> ({ … }) {attributes} : () -> ()` */
  genericModule(): void {
    const reader = this.#reader;
    reader.next();
    reader.expect('(');
    reader.expect(')');
    const properties = readProperties(reader);
    reader.expect('(');
    reader.expect('{');
    if (reader.takeKind(tokens.block)) reader.expect(':');
    while (!reader.take('}')) this.statement();
    reader.expect(')');
    if (reader.is('{')) reader.dictionary(properties);
    emptySignature(reader);
    reader.location();
    const name = properties.get('sym_name');
    if (name?.kind === 'string') this.name = name.value;
    properties.delete('sym_name');
    this.attributes(properties);
  }
}

function readProperties(reader: OpReader): Map<string, AttributeSyntax> {
  const properties = new Map<string, AttributeSyntax>();
  if (reader.take('<')) {
    reader.dictionary(properties);
    reader.expect('>');
  }
  return properties;
}
function emptySignature(reader: OpReader): void {
  for (const char of ':()') reader.expect(char);
  if (!reader.takeKind(tokens.arrow)) reader.fail("'->'");
  for (const char of '()') reader.expect(char);
}

type Visibility = NonNullable<Func['visibility']>;
const visibilities: readonly Visibility[] = ['public', 'private', 'nested'];
const visibilityOf = (word: string): Visibility | undefined => visibilities.find(v => v === word);

/** The text after `func.func`. */
function readFunc(reader: OpReader): Func {
  const word = reader.kind === tokens.word ? visibilityOf(reader.tokenText()) : undefined;
  if (word !== undefined) reader.next();
  const name = reader.symbolName();
  const bindings: Binding[] = [];
  const argAttributes: (AttributeMap | undefined)[] = [];
  let isDeclared = false;
  reader.expect('(');
  reader.list(')', () => {
    if (reader.kind === tokens.value && !isDeclared) {
      const { start } = reader;
      const arg = reader.takeText(tokens.value, "a value such as '%0'");
      reader.expect(':');
      bindings.push({ name: arg, type: reader.type(), at: start });
    } else {
      isDeclared = true;
      bindings.push({ name: `%${bindings.length}`, type: reader.type(), at: reader.start });
    }
    argAttributes.push(reader.is('{') ? reader.dictionary() : undefined);
    reader.location();
  });
  const resultTypes: Type[] = [];
  const resultAttributes: (AttributeMap | undefined)[] = [];
  if (reader.takeKind(tokens.arrow)) {
    if (reader.take('('))
      reader.list(')', () => {
        resultTypes.push(reader.type());
        resultAttributes.push(reader.is('{') ? reader.dictionary() : undefined);
      });
    else {
      resultTypes.push(reader.type());
      resultAttributes.push(undefined);
    }
  }
  const attributes = reader.takeWord('attributes') ? reader.dictionary() : undefined;
  const parts = {
    name,
    visibility: word ?? 'public',
    argAttributes,
    resultTypes,
    resultAttributes,
    attributes,
  } as const;
  if (!reader.is('{')) {
    const { start } = reader;
    reader.location();
    if (!isDeclared && bindings.length > 0) reader.refuse(start, `the body of @${name}`);
    return funcOf(reader, parts, declaredBody(reader, bindings), true);
  }
  if (isDeclared) reader.fail('names for the arguments of a function with a body');
  const { start } = reader;
  const body = reader.region(bindings, { isolated: true });
  reader.location();
  reader.checkTypes(start, body.results, resultTypes);
  return funcOf(reader, parts, body, false);
}

const declaredBody = (reader: OpReader, bindings: readonly Binding[]): Func['body'] => ({
  args: bindings.map(({ type }, index) => ({ id: reader.nextId(), type, op: undefined, index })),
  ops: [],
  results: [],
});

interface FuncParts {
  readonly name: string;
  readonly visibility: Visibility;
  readonly argAttributes: readonly (AttributeMap | undefined)[];
  readonly resultTypes: readonly Type[];
  readonly resultAttributes: readonly (AttributeMap | undefined)[];
  readonly attributes: AttributeMap | undefined;
}
function funcOf(reader: OpReader, parts: FuncParts, body: Func['body'], isDeclared: boolean): Func {
  const { name, visibility, attributes } = parts;
  const given = (all: AttributeMap | undefined): ValueAttributes | undefined =>
    all === undefined || all.size === 0 ? undefined : withoutSharding(textsOf(all, reader), 'value');
  const argAttributes = parts.argAttributes.map(all => {
    if (all?.has(aliasing) !== true) return given(all);
    return given(new Map([...all].filter(([key]) => key !== aliasing)));
  });
  const resultAttributes = parts.resultAttributes.map(given);
  return {
    name,
    visibility,
    body,
    aliases: parts.argAttributes.map(all => aliasOf(reader, all)),
    ...(isDeclared ? { declaredResults: parts.resultTypes } : {}),
    ...(attributes === undefined || attributes.size === 0 ? {} : { discardable: textsOf(attributes, reader) }),
    ...(argAttributes.some(a => a !== undefined) ? { argAttributes } : {}),
    ...(resultAttributes.some(a => a !== undefined) ? { resultAttributes } : {}),
  };
}
const aliasing = 'tf.aliasing_output';
function aliasOf(reader: OpReader, all: AttributeMap | undefined): number | undefined {
  const node = all?.get(aliasing);
  if (node === undefined) return undefined;
  const value = node.kind === 'integer' ? Number(node.digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : reader.refuse(node.start, 'the index of a result');
}

/** `"func.func"() <{function_type = (…) -> …, sym_name = "f"}> ({ ^bb0(%a: T): … }) : () -> ()` */
function readGenericFunc(reader: OpReader): Func {
  const { start } = reader;
  reader.next();
  reader.expect('(');
  reader.expect(')');
  const all = readProperties(reader);
  reader.expect('(');
  const isDeclared = reader.text[reader.skipSpace(reader.end)] === '}';
  const region = reader.region([], { isolated: true });
  reader.expect(')');
  if (reader.is('{')) reader.dictionary(all);
  emptySignature(reader);
  reader.location();
  const take = (name: string): AttributeSyntax | undefined => {
    const node = all.get(name);
    all.delete(name);
    return node;
  };
  const [name, type, visibility] = [take('sym_name'), take('function_type'), take('sym_visibility')];
  if (name?.kind !== 'string') return reader.refuse(start, "the attribute 'sym_name' of a function", 'none');
  if (type?.kind !== 'type' || type.value.kind !== 'function')
    return reader.refuse(start, "the attribute 'function_type' of a function", 'none');
  const { inputs, results } = type.value;
  const dictionaries = (key: string, count: number): (AttributeMap | undefined)[] => {
    const node = take(key);
    return Array.from({ length: count }, (_, i) => {
      const one = node?.kind === 'array' ? node.elements[i] : undefined;
      return one?.kind === 'dictionary' ? one.entries : undefined;
    });
  };
  const parts: FuncParts = {
    name: name.value,
    visibility: (visibility?.kind === 'string' ? visibilityOf(visibility.value) : undefined) ?? 'public',
    argAttributes: dictionaries('arg_attrs', inputs.length),
    resultTypes: results,
    resultAttributes: dictionaries('res_attrs', results.length),
    attributes: all,
  };
  if (isDeclared) {
    const bindings = inputs.map((input, i): Binding => ({ name: `%${i}`, type: input, at: start }));
    return funcOf(reader, parts, declaredBody(reader, bindings), true);
  }
  reader.checkTypes(start, region.args, inputs);
  reader.checkTypes(start, region.results, results);
  return funcOf(reader, parts, region, false);
}
