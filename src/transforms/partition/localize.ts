// The program of one device: every value is its part, and collectives move what the parts need of each other.
//
//   %1 = dot_general %x, %w : [{"a"}, {"b"}] · [{"b"}, {}]     ─▶   dot_general of the parts, all_reduce along "b"
//
// Each op is computed in parts if its factors allow it, else on whole operands, which is always right.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { BinaryName, OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { localAttributes } from '../../hlo/factors/local-attributes.ts';
import { shardingRuleOf } from '../../hlo/factors/table.ts';
import { inline } from '../../hlo/inline.ts';
import { splat } from '../../hlo/literal.ts';
import { inferTypes } from '../../hlo/op-table.ts';
import {
  type Func,
  type IdSource,
  type Module,
  mainOf,
  type Op,
  type OpOf,
  type Region,
  tensorTypeOf,
  type Value,
} from '../../hlo/program.ts';
import { deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import { meshOf } from '../../hlo/sharding/of-module.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { formatType, type TensorType, type Type, tensorType } from '../../hlo/types.ts';
import { callsOf, capturesOf } from '../../hlo/walk.ts';
import { withoutAxes } from './data-flow.ts';
import { type Layout, layoutOf, localType, whole } from './layout.ts';
import { layoutsOfOp, type OpLayouts } from './op-layouts.ts';
import { devicesAlong, reshard } from './reshard.ts';

/**
 * The program of each device of the mesh, for `partition_id`s. Its arguments and results are the parts of those of the module,
 * whose shardings are propagated.
 * @throws {UNSUPPORTED} for shardings over different meshes, unreduced arguments and results, and transfers to and from the host
 */
export function localize(module: Module): Module {
  const mesh = module.meshes?.map(declared => declared.mesh).find(({ axes }) => axes.length > 0);
  return mesh === undefined ? module : new Localizer(module, mesh).run();
}

/** A part of a value, and how the value is divided. */
interface Part {
  readonly value: Value;
  readonly layout: Layout;
}
const hostTransfers: ReadonlySet<OpName> = new Set(['send', 'recv', 'infeed', 'outfeed', 'interpreter.run_parallel']);

class Localizer {
  readonly #module: Module;
  readonly #mesh: Mesh;
  readonly #ids: IdSource = { next: 0 };
  /** By the values of the module. */
  readonly #parts = new Map<Value, Part>();

  constructor(module: Module, mesh: Mesh) {
    this.#module = module;
    this.#mesh = mesh;
  }

  run(): Module {
    const main = mainOf(this.#module);
    const b = new Builder(this.#ids);
    const argument = (i: number): Sharding | undefined => main.argAttributes?.[i]?.sharding?.named?.[0];
    const args = main.body.args.map((arg, i) => {
      const layout = this.#border(argument(i), arg.type, `argument ${i}`);
      const value = b.argument(localType(arg.type, layout, this.#mesh), i);
      this.#parts.set(arg, { value, layout });
      return value;
    });
    this.#ops(b, main.body.ops);
    const results = main.body.results.map((value, i) => {
      const sharding = main.resultAttributes?.[i]?.sharding?.named?.[0];
      return this.#in(b, value, this.#border(sharding, value.type, `result ${i}`));
    });
    const body: Region = { args, ops: b.ops, results };
    const { argAttributes: _args, resultAttributes: _results, ...rest } = main;
    const called = this.#module.functions.filter(func => func !== main && isCalledBy(func, b.ops));
    return {
      ...this.#module,
      meshes: [],
      numReplicas: 1,
      numPartitions: deviceCount(this.#mesh),
      functions: [{ ...rest, body }, ...called],
    };
  }

  #border(sharding: Sharding | undefined, type: Type, what: string): Layout {
    if (sharding !== undefined && sharding.unreduced.length > 0)
      throw unsupported(`the unreduced sharding of ${what}`, 'reduce it within the program');
    return this.#layout(sharding, type);
  }
  #layout(sharding: Sharding | undefined, type: Type): Layout {
    const mesh = sharding && meshOf(sharding.mesh, this.#module);
    if (mesh === undefined || mesh.axes.length === 0) return whole(type);
    if (JSON.stringify(mesh) !== JSON.stringify(this.#mesh))
      throw unsupported('a program with shardings over different meshes', 'use one mesh');
    return layoutOf(sharding, type);
  }
  /** The layout that the program states for a result of an op. */
  #stated(op: Op, i: number): Layout {
    return this.#layout(op.sharding?.named?.[i], op.results[i]!.type);
  }

  /** A value in a layout. */
  #in(b: Builder, value: Value, layout: Layout): Value {
    const part = this.#parts.get(value)!;
    if (value.type.kind !== 'tensor') return part.value;
    return reshard(b, part.value, value.type, part.layout, layout, this.#mesh);
  }
  /** Makes a part that has one layout the value of a result, in the layout that is stated. */
  #set(b: Builder, result: Value, value: Value, from: Layout, to: Layout): void {
    const moved = result.type.kind === 'tensor' ? reshard(b, value, result.type, from, to, this.#mesh) : value;
    this.#parts.set(result, { value: moved, layout: to });
  }

  #ops(b: Builder, ops: readonly Op[]): void {
    for (const op of ops) {
      b.location = op.location;
      this.#op(b, op);
    }
  }
  #op(b: Builder, op: Op): void {
    if (hostTransfers.has(op.name)) throw unsupported(op.name, 'remove it from the program', op.location);
    switch (op.name) {
      case 'sdy.sharding_group':
        break;
      case 'sdy.sharding_constraint':
      case 'sdy.reshard': {
        const layout = this.#layout(op.attributes.sharding, op.results[0].type);
        this.#parts.set(op.results[0], { value: this.#in(b, op.operands[0], layout), layout });
        break;
      }
      case 'while':
        this.#loop(b, op);
        break;
      case 'if':
      case 'case':
        this.#branches(b, op);
        break;
      case 'optimization_barrier': {
        const layouts = op.results.map((_, i) => this.#stated(op, i));
        const values = op.operands.map((value, i) => this.#in(b, value, layouts[i]!));
        this.#emitted(op, b.emit('optimization_barrier', values, {}), layouts);
        break;
      }
      case 'func.call':
        this.#call(b, op);
        break;
      case 'sdy.manual_computation':
        this.#manual(b, op);
        break;
      default:
        this.#compute(b, op);
        break;
    }
  }
  #emitted(op: Op, values: readonly Value[], layouts: readonly Layout[]): void {
    for (const [i, result] of (op.results as readonly Value[]).entries())
      this.#parts.set(result, { value: values[i]!, layout: layouts[i]! });
  }

  /** A region whose arguments and results have these layouts. */
  #region(b: Builder, region: Region, args: readonly Layout[], results: readonly Layout[]): Region {
    const types = region.args.map((arg, i) => localType(arg.type, args[i]!, this.#mesh));
    return b.region(types, (inner, values) => {
      for (const [i, arg] of region.args.entries()) this.#parts.set(arg, { value: values[i]!, layout: args[i]! });
      this.#ops(inner, region.ops);
      return region.results.map((value, i) => this.#in(inner, value, results[i]!));
    });
  }
  #loop(b: Builder, op: OpOf<'while'>): void {
    const layouts = op.results.map((_, i) => this.#stated(op, i));
    const values = op.operands.map((value, i) => this.#in(b, value, layouts[i]!));
    const [condition, body] = op.regions;
    const regions = [
      this.#region(b, condition, layouts, [whole(condition.results[0]!.type)]),
      this.#region(b, body, layouts, layouts),
    ];
    this.#emitted(op, b.emit('while', values, op.attributes, regions), layouts);
  }
  #branches(b: Builder, op: OpOf<'if'> | OpOf<'case'>): void {
    const layouts = op.results.map((_, i) => this.#stated(op, i));
    const [selector] = op.operands;
    const index = this.#in(b, selector, whole(selector.type));
    const regions = (op.regions as readonly Region[]).map(region => this.#region(b, region, [], layouts));
    this.#emitted(op, b.emit(op.name, [index], op.attributes as never, regions), layouts);
  }
  #call(b: Builder, op: OpOf<'func.call'>): void {
    const func = this.#module.functions.find(({ name }) => name === op.attributes.callee)!;
    const { args, ops, results } = func.body;
    for (const [i, arg] of args.entries()) {
      const layout = this.#layout(func.argAttributes?.[i]?.sharding?.named?.[0], arg.type);
      this.#parts.set(arg, { value: this.#in(b, op.operands[i]!, layout), layout });
    }
    this.#ops(b, ops);
    for (const [i, result] of op.results.entries()) {
      const layout = this.#stated(op, i);
      this.#parts.set(result, { value: this.#in(b, results[i]!, layout), layout });
    }
  }
  /** The body is a program of each device along the manual axes: what is a part outside is whole inside. */
  #manual(b: Builder, op: OpOf<'sdy.manual_computation'>): void {
    const { inShardings, outShardings, manualAxes } = op.attributes;
    const [body] = op.regions;
    const inside = (sharding: Sharding, type: Type): Layout => this.#layout(withoutAxes(sharding, manualAxes), type);
    for (const [i, arg] of body.args.entries()) {
      const value = this.#in(b, op.operands[i]!, this.#layout(inShardings[i], op.operands[i]!.type));
      this.#parts.set(arg, { value, layout: inside(inShardings[i]!, arg.type) });
    }
    this.#ops(b, body.ops);
    for (const [i, result] of op.results.entries()) {
      const returned = body.results[i]!;
      const value = this.#in(b, returned, inside(outShardings[i]!, returned.type));
      this.#parts.set(result, { value, layout: this.#layout(outShardings[i], result.type) });
    }
  }

  #compute(b: Builder, op: Op): void {
    const rule = isDivisible(op) ? shardingRuleOf(op) : undefined;
    const operands = op.operands as readonly Value[];
    const results = op.results as readonly Value[];
    const stated = results.map((_, i) => this.#stated(op, i));
    const undivided: OpLayouts = {
      operands: operands.map(({ type }) => whole(type)),
      results: results.map(({ type }) => whole(type)),
      reduced: [],
    };
    const wanted =
      rule &&
      layoutsOfOp(
        op,
        rule,
        operands.map(v => this.#parts.get(v)!.layout),
        stated,
        this.#mesh,
      );
    const attributes = wanted && this.#fitting(op, wanted);
    const layouts = attributes === undefined ? undivided : wanted!;
    const parts = operands.map((value, i) => this.#in(b, value, layouts.operands[i]!));
    const combined = layouts.reduced.length === 0 ? undefined : rule!.combiner!;
    const inits = op.name === 'reduce' && combined !== undefined ? parts.splice(results.length) : [];
    const neutral = inits.map(init => neutralInit(b, combined!, init));
    const regions = this.#copied(b, op);
    const emitted = b.emit(op.name, [...parts, ...neutral], (attributes ?? op.attributes) as never, regions);
    for (const [i, result] of results.entries()) {
      let value = emitted[i]!;
      if (combined !== undefined) {
        value = this.#combined(b, value, combined, layouts);
        if (inits[i] !== undefined && inits[i] !== neutral[i]) value = withInit(b, combined, value, inits[i]);
      }
      this.#set(b, result, value, layouts.results[i]!, stated[i]!);
    }
  }
  /** The attributes of the op on parts; undefined if it does not give the parts of its results. */
  #fitting(op: Op, { operands, results }: OpLayouts): object | undefined {
    const local = (values: readonly Value[], layouts: readonly Layout[]): readonly TensorType[] =>
      values.map((value, i) => localType(value.type, layouts[i]!, this.#mesh) as TensorType);
    const [given, expected] = [local(op.operands, operands), local(op.results, results)];
    try {
      const attributes = localAttributes(op as OpOf<OpName>, given, expected);
      const inferred = inferTypes(op.name, given, attributes as never, op.regions, op.location);
      return inferred.every((type, i) => formatType(type) === formatType(expected[i]!)) ? attributes : undefined;
    } catch (error) {
      if (error instanceof TrenioError) return undefined;
      throw error;
    }
  }
  #combined(b: Builder, terms: Value, name: BinaryName, { reduced }: OpLayouts): Value {
    const region = b.region(
      [tensorType(tensorTypeOf(terms).elementType, []), tensorType(tensorTypeOf(terms).elementType, [])],
      (inner, [x, y]) => [inner.binary(name, x!, y!)],
    );
    return b.emit1('all_reduce', [terms], devicesAlong(reduced, this.#mesh), [region]);
  }
  /** The regions of an op, which use whole values: without shardings. */
  #copied(b: Builder, op: Op): readonly Region[] {
    const map = new Map<Value, Value>();
    for (const value of capturesOf(op)) map.set(value, this.#in(b, value, whole(value.type)));
    return op.regions.map(region =>
      b.region(
        region.args.map(arg => arg.type),
        (inner, args) => {
          for (const [i, arg] of region.args.entries()) map.set(arg, args[i]!);
          for (const each of region.ops)
            if (each.name === 'sdy.sharding_constraint' || each.name === 'sdy.reshard')
              map.set(each.results[0], map.get(each.operands[0]) ?? each.operands[0]);
            else inline(inner, [each], map);
          return region.results.map(value => map.get(value) ?? value);
        },
      ),
    );
  }
}

const isDivisible = (op: Op): boolean =>
  [...op.operands, ...op.results].every(({ type }) => type.kind === 'tensor' && type.quantization === undefined) &&
  op.results.length > 0;

/** The result of combining with it is the other value; the init itself if combining with it twice is the same as once. */
function neutralInit(b: Builder, name: BinaryName, init: Value): Value {
  if (name !== 'add' && name !== 'multiply' && name !== 'xor') return init;
  return b.constant(splat(tensorTypeOf(init), name === 'multiply' ? 1 : 0));
}
function withInit(b: Builder, name: BinaryName, value: Value, init: Value): Value {
  return b.binary(name, b.broadcastInDim(init, [], tensorTypeOf(value).shape), value);
}

const isCalledBy = (func: Func, ops: readonly Op[]): boolean =>
  ops.some(op => callsOf(op).includes(func.name) || op.regions.some(region => isCalledBy(func, region.ops)));

const unsupported = (what: string, instead: string, location?: SourceLocation): TrenioError =>
  new TrenioError('UNSUPPORTED', { what, where: 'the partitioner', instead }, { location });
