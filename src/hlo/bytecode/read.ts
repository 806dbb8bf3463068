// Reads a portable artifact: MLIR bytecode of VHLO, as `jax.export` serializes programs. The counterpart in text is
// text/parser.ts; both give the same Module.
import type { SourceLocation } from '../../base/errors.ts';
import type { DiscardableAttributes } from '../attributes.ts';
import type { Func, Module, Op, Region, Value, ValueAttributes } from '../program.ts';
import { withoutSharding } from '../sharding/stated.ts';
import type { Type } from '../types.ts';
import { attributeText } from './attribute-text.ts';
import { locationOf } from './builtin.ts';
import { type Container, readContainer, readSection, versions } from './container.ts';
import type { Cursor } from './cursor.ts';
import { Fields } from './fields.ts';
import { Tables } from './tables.ts';
import type { Attribute } from './values.ts';
import { valueType } from './vhlo.ts';
import { opAttributes } from './vhlo-ops.ts';
import { propertyNames } from './vhlo-properties.ts';

export { isBytecode } from './container.ts';

/**
 * Parses a portable artifact. Types and constraints are checked by the verifier.
 * @throws {HLO_BYTECODE} at the first invalid byte
 * @example
 * ```ts no-run
 * const bytes = await (await fetch('https://example.org/model.mlirbc')).bytes();
 * console.log(hlo.printModule(hlo.readBytecode(bytes)));
 * ```
 */
export function readBytecode(bytes: Uint8Array): Module {
  return new ProgramReader(readContainer(bytes)).module();
}

const maxDepth = 200;

/** The values that ops of one isolated region may refer to, by number. */
interface Scope {
  readonly values: (Value | undefined)[];
}

interface OpHead {
  readonly name: string;
  readonly location: SourceLocation | undefined;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly resultTypes: readonly Type[];
  readonly operands: readonly Value[];
  readonly regions: number;
  readonly isIsolated: boolean;
}

class ProgramReader {
  readonly #container: Container;
  readonly #tables: Tables;
  #nextId = 0;
  #depth = 0;

  constructor(container: Container) {
    this.#container = container;
    this.#tables = new Tables(container);
  }

  module(): Module {
    const { ir } = this.#container;
    let module: Module | undefined;
    this.#block(ir, { values: [] }, 0, (data, scope) => {
      const head = this.#head(data, scope);
      if (head.name !== 'builtin.module') data.refuse(`expected a module, got ${head.name}`);
      module = this.#moduleBody(data, head);
    });
    return module ?? ir.refuse('it has no module');
  }

  #moduleBody(data: Cursor, head: OpHead): Module {
    const functions: Func[] = [];
    this.#regions(data, head, { values: [] }, (inner, scope) => {
      this.#region(inner, scope, (from, within) => {
        const op = this.#head(from, within);
        if (op.name !== 'vhlo.func_v1') from.refuse(`expected a function, got ${op.name}`);
        functions.push(this.#function(from, op));
      });
    });
    const { attributes } = head;
    const count = (name: string): number => {
      const attribute = attributes.get(name);
      return attribute?.kind === 'integer' ? Number(attribute.value) : 1;
    };
    const rest = textOf(attributes, ['mhlo.num_replicas', 'mhlo.num_partitions', 'sym_name']);
    const name = attributes.get('sym_name');
    return {
      name: name?.kind === 'string' ? name.value : 'module',
      functions,
      numReplicas: count('mhlo.num_replicas'),
      numPartitions: count('mhlo.num_partitions'),
      ...(rest === undefined ? {} : { discardable: rest }),
    };
  }
  /** The attributes stored as properties of an op, without their names. */
  #properties(op: string, index: number, asker: Cursor): readonly (readonly [string, Attribute])[] {
    const data = this.#container.properties[index] ?? asker.refuse(`there is no properties entry ${index}`);
    data.at = 0;
    if (op === 'builtin.module') {
      const [name, isThere] = data.flagged();
      return isThere ? [['sym_name', this.#tables.attribute(name, data)]] : [];
    }
    const names = propertyNames(op.replace(/^vhlo\./, ''));
    const list = names.map(name => [name, this.#tables.attribute(data.varint(), data)] as const);
    if (data.left > 0) data.refuse(`${op} has more properties than expected`);
    return list;
  }

  #function(data: Cursor, head: OpHead): Func {
    const fields = new Fields(head.name, [], [], head.attributes, data);
    const type = fields.get('function_type');
    const signature =
      type?.kind === 'type' && type.value.kind === 'function'
        ? type.value
        : fields.refuse('function_type must be a function type');
    const visibility = fields.get('sym_visibility')?.kind === 'string' ? fields.string('sym_visibility') : '';
    const name = fields.string('sym_name');
    const perArgument = attributeLists(fields.get('arg_attrs'));
    const perResult = attributeLists(fields.get('res_attrs'));
    const rest = fields.rest();
    const regions = this.#opRegions(data, head, { values: [] });
    const body = regions[0];
    const aliases = signature.inputs.map((_, i) => {
      const alias = perArgument[i]?.get('tf.aliasing_output');
      return alias?.kind === 'integer' ? Number(alias.value) : undefined;
    });
    const argAttributes = perArgument.map(attributes => valueAttributes(attributes, ['tf.aliasing_output']));
    const resultAttributes = perResult.map(attributes => valueAttributes(attributes, []));
    const isDeclared =
      body === undefined ||
      (body.args.length === 0 && body.ops.length === 0 && body.results.length === 0 && signature.inputs.length > 0);
    const args = signature.inputs.map(
      (argType, index): Value => ({ id: this.#nextId++, type: argType, op: undefined, index }),
    );
    return {
      name,
      body: isDeclared ? { args, ops: [], results: [] } : body,
      aliases,
      ...(visibility === 'private' || visibility === 'public' || visibility === 'nested' ? { visibility } : {}),
      ...(isDeclared ? { declaredResults: signature.results } : {}),
      ...(rest === undefined ? {} : { discardable: rest }),
      ...(argAttributes.some(a => a !== undefined) ? { argAttributes } : {}),
      ...(resultAttributes.some(a => a !== undefined) ? { resultAttributes } : {}),
    };
  }

  /** The fixed part of an op, up to its regions. */
  #head(data: Cursor, scope: Scope): OpHead {
    const { opNames, version } = this.#container;
    const name = opNames[data.varint()] ?? data.refuse('unknown op');
    const mask = data.byte();
    const location = locationOf(this.#tables.attribute(data.varint(), data));
    const dictionary = mask & 0x01 ? this.#tables.attribute(data.varint(), data) : undefined;
    const properties = mask & 0x40 ? data.varint() : undefined;
    const resultTypes = mask & 0x02 ? data.list(() => valueType(data, this.#tables.type(data.varint(), data))) : [];
    const operands =
      mask & 0x04
        ? data.list(() => {
            const id = data.varint();
            return scope.values[id] ?? data.refuse(`${name} uses the value ${id} before it is defined`);
          })
        : [];
    if (mask & 0x08) data.refuse(`${name} has successors, which no op here may have`);
    if (mask & 0x20) {
      if (version < versions.useListOrder) data.refuse('a use-list order in a version that has none');
      skipUseListOrder(data, resultTypes.length);
    }
    const [regions, isIsolated] = mask & 0x10 ? data.flagged() : [0, false];
    if (regions > data.left) data.refuse(`${regions} regions expected, more than the data can contain`);
    return {
      name,
      location,
      attributes: new Map([
        ...(dictionary?.kind === 'dictionary' ? dictionary.entries : []),
        ...(properties === undefined ? [] : this.#properties(name, properties, data)),
      ]),
      resultTypes,
      operands,
      regions,
      isIsolated,
    };
  }

  /** Reads the regions of an op, each with `read`, in a separate scope if they are isolated. */
  #regions(data: Cursor, head: OpHead, scope: Scope, read: (data: Cursor, scope: Scope) => void): void {
    if (head.regions === 0) return;
    if (++this.#depth > maxDepth) data.refuse(`regions are nested more than ${maxDepth} levels deep`);
    const isLazy = head.isIsolated && this.#container.version >= versions.lazyRegions;
    const from = isLazy ? readSection(data).data : data;
    for (let i = 0; i < head.regions; i++) read(from, head.isIsolated ? { values: [] } : scope);
    this.#depth--;
  }
  #opRegions(data: Cursor, head: OpHead, scope: Scope): readonly Region[] {
    const regions: Region[] = [];
    this.#regions(data, head, scope, (from, within) => {
      const ops: Op[] = [];
      let results: readonly Value[] = [];
      const args = this.#region(from, within, (inner, innerScope, define) => {
        const opHead = this.#head(inner, innerScope);
        if (opHead.name === 'vhlo.return_v1') results = opHead.operands;
        else ops.push(this.#op(inner, opHead, innerScope, define));
      });
      regions.push({ args, ops, results });
    });
    return regions;
  }

  #op(data: Cursor, head: OpHead, scope: Scope, define: (value: Value) => void): Op {
    const plain = /^vhlo\.(.*)_v\d+$/.exec(head.name)?.[1] ?? data.refuse(`${head.name} is not a VHLO op`);
    const name = plain === 'call' ? 'func.call' : plain;
    const fields = new Fields(name, head.operands, head.resultTypes, head.attributes, data);
    const attributes = opAttributes(name, fields);
    const discardable = fields.rest();
    const results: Value[] = [];
    const regions: Region[] = [];
    const op = {
      name,
      operands: head.operands,
      attributes,
      regions,
      results,
      location: head.location,
      ...withoutSharding(discardable, 'op'),
    } as unknown as Op;
    head.resultTypes.forEach((type, index) => {
      const value: Value = { id: this.#nextId++, type, op, index };
      results.push(value);
      define(value);
    });
    regions.push(...this.#opRegions(data, head, scope));
    return op;
  }

  /** Reads a region of at most one block, each op with `readOp`; returns the block's arguments. */
  #region(
    data: Cursor,
    scope: Scope,
    readOp: (data: Cursor, scope: Scope, define: (value: Value) => void) => void,
  ): readonly Value[] {
    const blocks = data.varint();
    if (blocks === 0) return [];
    if (blocks > 1) data.refuse('a region has several blocks');
    return this.#block(data, scope, data.varint(), readOp);
  }

  #block(
    data: Cursor,
    scope: Scope,
    values: number,
    readOp: (data: Cursor, scope: Scope, define: (value: Value) => void) => void,
  ): readonly Value[] {
    const { version } = this.#container;
    if (values > this.#container.ir.bytes.length)
      data.refuse(`${values} values expected, more than the data can contain`);
    // The values of a region are numbered after those of the surrounding regions, and go out of scope at its end.
    const first = scope.values.length;
    let next = first;
    scope.values.length += values;
    const define = (value: Value): void => {
      if (next >= first + values) data.refuse('more values than declared');
      scope.values[next++] = value;
    };
    const [ops, hasArguments] = data.flagged();
    const args: Value[] = [];
    if (hasArguments) {
      const count = data.count();
      for (let index = 0; index < count; index++) {
        const [type, hasLocation] = version >= versions.elidedLocations ? data.flagged() : [data.varint(), true];
        if (hasLocation) data.varint();
        const value: Value = {
          id: this.#nextId++,
          type: valueType(data, this.#tables.type(type, data)),
          op: undefined,
          index,
        };
        args.push(value);
        define(value);
      }
      if (version >= versions.useListOrder && data.byte() !== 0) skipUseListOrder(data, args.length);
    }
    for (let i = 0; i < ops; i++) readOp(data, scope, define);
    scope.values.length = first;
    return args;
  }
}

/** Skips the use-list order, which does not matter here. */
function skipUseListOrder(data: Cursor, values: number): void {
  const listed = values > 1 ? data.count() : 1;
  for (let i = 0; i < listed; i++) {
    if (values > 1) data.varint();
    const [indices] = data.flagged();
    for (let k = 0; k < indices; k++) data.varint();
  }
}

function attributeLists(attribute: Attribute | undefined): readonly ReadonlyMap<string, Attribute>[] {
  if (attribute?.kind !== 'array') return [];
  return attribute.elements.map(e => (e.kind === 'dictionary' ? e.entries : new Map<string, Attribute>()));
}

function valueAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  without: readonly string[],
): ValueAttributes | undefined {
  const texts = textOf(attributes, without);
  return texts && withoutSharding(texts, 'value');
}
function textOf(
  attributes: ReadonlyMap<string, Attribute>,
  without: readonly string[],
): DiscardableAttributes | undefined {
  const list = [...attributes].filter(([name]) => !without.includes(name));
  if (list.length === 0) return undefined;
  return Object.fromEntries(list.map(([name, value]) => [name, value.kind === 'unit' ? '' : attributeText(value)]));
}
