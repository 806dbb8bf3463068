// Rebuilds a function op by op. Each op is first offered to the rules, which may replace it by other values; the remaining ops
// are kept, merged with an equal earlier op (common subexpressions), or dropped at the end if nothing uses them.
//
// Not a `BaseBuilder`: emitted ops may be replaced by values of earlier ops, and regions built by rules are not simplified.

import type { SourceLocation } from '../base/errors.ts';
import type { BinaryName, OpAttributes, OpName } from '../hlo/attributes.ts';
import { Builder } from '../hlo/builder.ts';
import { bytesOf, type Literal } from '../hlo/literal.ts';
import type { OpRow } from '../hlo/op-row.ts';
import { opTable } from '../hlo/op-table.ts';
import { dispatch, isIn, type PerOp } from '../hlo/per-op.ts';
import type { Func, IdSource, Module, Op, Region, Value } from '../hlo/program.ts';
import { actsOnQuantized } from '../hlo/quantized-ops.ts';
import { type ElementType, formatType, type Type } from '../hlo/types.ts';
import {
  calleeOf,
  capturesOf,
  cloneRegion,
  forEachOp,
  isPure as isPureOp,
  nextId,
  reachableOps,
  regionsHold,
} from '../hlo/walk.ts';

/**
 * The replacement of an op: other values, or undefined if the rule does not apply. The operands of `op` are already rewritten.
 */
export type Rule = (op: Op, rewriter: Rewriter) => readonly Value[] | undefined;

/** Rules by the name of the op that they apply to. */
export const ruleFor =
  <N extends OpName>(table: PerOp<N, readonly Value[] | undefined, [Rewriter]>): Rule =>
  (op, r) =>
    isIn(table, op) ? dispatch(table, op as Op as Op<N>, r) : undefined;

const origins = new WeakMap<Op, Op>();
/** The recorded op from which passes derived this one. */
export function originOf(op: Op): Op {
  let origin = op;
  for (let from = origins.get(op); from !== undefined; from = origins.get(from)) origin = from;
  return origin;
}
export const setOrigin = (op: Op, from: Op): void => {
  if (op !== from) origins.set(op, from);
};

export class Rewriter {
  readonly module: Module;
  readonly #rules: readonly Rule[];
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #ids: IdSource;
  /** Creates the ops that rules emit. */
  readonly #builder: Builder;
  #ops: Op[] = [];
  /** Ops by the key of common-subexpression elimination, innermost scope last. */
  #scopes: Map<string, Op>[] = [new Map()];
  #location: SourceLocation | undefined;
  #renumbers = false;
  #source: Op | undefined;
  readonly #isPure: (op: Op) => boolean;

  /** @param isPure the ops that are merged with equal ones, and dropped if nothing uses them */
  constructor(module: Module, func: Func, rules: readonly Rule[], isPure: (op: Op) => boolean = isPureOp) {
    this.module = module;
    this.#rules = rules;
    this.#isPure = isPure;
    this.#functions = new Map(module.functions.map(f => [f.name, f]));
    let next = nextId(func.body);
    for (const f of module.functions) next = Math.max(next, nextId(f.body));
    this.#ids = { next };
    this.#builder = new Builder(this.#ids);
  }

  functionOf(name: string): Func | undefined {
    return this.#functions.get(name);
  }
  /** The op of the function that is being rewritten. */
  get source(): Op | undefined {
    return this.#source;
  }

  run(func: Func): Func {
    const map = new Map<Value, Value>();
    for (const op of func.body.ops) {
      this.#source = op;
      this.#walk([op], map);
    }
    const results = func.body.results.map(v => map.get(v) ?? v);
    const body = { args: func.body.args, ops: live(this.#ops, results, this.#isPure), results };
    return { ...func, body };
  }

  /** Copies ops, as changed by the rules, to the end of the region being built; records the values that replace their results. */
  #walk(ops: readonly Op[], map: Map<Value, Value>): void {
    for (const op of ops) {
      this.#location = op.location;
      const fresh = this.#rebuilt(op, map);
      const results = this.#simplified(fresh);
      op.results.forEach((v, i) => {
        map.set(v, results[i]!);
      });
    }
  }

  /**
   * Copies the ops of a body with other arguments. Values of another function get new ids: ids are unique only within a function.
   */
  inline(body: Region, args: readonly Value[], from: 'this function' | 'another' = 'this function'): readonly Value[] {
    const map = new Map<Value, Value>(body.args.map((a, i) => [a, args[i]!]));
    const [location, renumbers] = [this.#location, this.#renumbers];
    this.#renumbers ||= from === 'another';
    this.#walk(body.ops, map);
    this.#location = location;
    this.#renumbers = renumbers;
    return body.results.map(v => map.get(v) ?? v);
  }

  /** A derived op decomposed into simpler ops; undefined if it cannot be. */
  decompose(op: Op): readonly Value[] | undefined {
    return this.decomposed(op, builder =>
      (opTable[op.name] as OpRow<OpName>).decompose?.(builder, op as never, op.operands),
    );
  }
  /** Replaces an op by the ops that `build` appends and the values it returns. */
  decomposed(op: Op, build: (builder: Builder) => readonly Value[] | undefined): readonly Value[] | undefined {
    const builder = new Builder(this.#ids);
    builder.location = op.location;
    const results = build(builder);
    return results && this.inline({ args: [], ops: builder.ops, results }, []);
  }

  /** Appends an op; the rules see it, too. */
  emit<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = [],
  ): readonly Value[] {
    this.#builder.location = this.#location;
    const op = this.#builder.create(name, operands, attributes, regions) as Op;
    return this.#simplified(op);
  }
  emit1<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = [],
  ): Value {
    return this.emit(name, operands, attributes, regions)[0]!;
  }

  /** A region over scalars that applies one op: (a, b) → name(a, b). */
  combiner(name: BinaryName, elementType: ElementType): Region {
    return this.#builder.combiner(name, elementType);
  }
  /** A copy of a region for another op: the ids of values differ within a function. */
  copyOf(region: Region): Region {
    return cloneRegion(region, new Map(), this.#ids);
  }
  /** Builds a region of an emitted op. */
  region(argTypes: readonly Type[], body: (inner: Builder, args: readonly Value[]) => readonly Value[]): Region {
    return this.#builder.region(argTypes, body);
  }

  #simplified(op: Op): readonly Value[] {
    for (const rule of this.#rules) {
      const replaced = rule(op, this);
      if (replaced) return replaced;
    }
    return this.#append(op);
  }

  #append(op: Op): readonly Value[] {
    if (this.#isPure(op)) {
      const key = keyOf(op);
      for (const scope of this.#scopes) {
        const same = scope.get(key);
        if (same) return same.results;
      }
      this.#scopes.at(-1)!.set(key, op);
    }
    this.#ops.push(op);
    if (this.#source !== undefined) setOrigin(op, this.#source);
    return op.results;
  }

  /** The op with its current operands and regions; the op itself if nothing changed. */
  #rebuilt(op: Op, map: Map<Value, Value>): Op {
    const operands = op.operands.map(v => map.get(v) ?? v);
    const regions = opTable[op.name].controlFlow
      ? op.regions.map(r => this.#region(r, map))
      : !actsOnQuantized(op) && regionsHold(op, mustChange)
        ? op.regions.map(r => this.#alone(r, map))
        : [...capturesOf(op)].some(v => map.has(v))
          ? op.regions.map(r => cloneRegion(r, new Map(map), this.#ids))
          : op.regions;
    const isSame = operands.every((v, i) => v === op.operands[i]) && regions === op.regions;
    if (isSame && !this.#renumbers) return op;
    const results: Value[] = [];
    const copy = { ...op, operands, regions, results } as unknown as Op;
    for (const v of op.results) results.push({ id: this.#ids.next++, type: v.type, op: copy, index: v.index });
    return copy;
  }
  /** A region of scalars, isolated: its ops are not merged with equal ops outside. */
  #alone(region: Region, map: Map<Value, Value>): Region {
    const scopes = this.#scopes;
    this.#scopes = [];
    const built = this.#region(region, map);
    this.#scopes = scopes;
    return built;
  }
  #region(region: Region, map: Map<Value, Value>): Region {
    const outer = this.#ops;
    this.#ops = [];
    this.#scopes.push(new Map());
    // Fresh arguments: the function that holds this region may be inlined more than once.
    const args = region.args.map((arg): Value => {
      const fresh: Value = { id: this.#ids.next++, type: arg.type, op: undefined, index: arg.index };
      map.set(arg, fresh);
      return fresh;
    });
    this.#walk(region.ops, map);
    const results = region.results.map(v => map.get(v) ?? v);
    const built = { args, ops: live(this.#ops, results, this.#isPure), results };
    this.#scopes.pop();
    this.#ops = outer;
    return built;
  }
}

/**
 * True for ops that passes always remove: calls, derived ops, and ops on values that are not tensors. The region of a reduction
 * is only rewritten if it contains such ops.
 */
function mustChange(op: Op): boolean {
  const isTensor = (v: Value): boolean => v.type.kind === 'tensor';
  return (
    calleeOf(op) !== undefined ||
    (opTable[op.name] as OpRow<OpName>).decompose !== undefined ||
    !(op.operands.every(isTensor) && op.results.every(isTensor))
  );
}

/** The ops that results depend on, and those with side effects. */
function live(ops: readonly Op[], results: readonly Value[], isPure: (op: Op) => boolean): Op[] {
  const roots = [...results];
  const effects = ops.filter(op => !opTable[op.name].removable && !isPure(op));
  for (const op of effects) roots.push(...op.results, ...op.operands, ...capturesOf(op));
  const needed = new Set<Op>([...reachableOps(roots), ...effects]);
  return ops.filter(op => needed.has(op));
}

/** The key for common-subexpression elimination: equal for equal computations. */
function keyOf(op: Op): string {
  const operands = op.operands.map(v => v.id).join();
  if (op.name === 'constant') return `constant ${literalKey(op.attributes.value)}`;
  const regions = op.regions.map(regionKey).join('|');
  return `${op.name} ${operands} ${JSON.stringify(op.attributes)} ${regions} ${op.results.map(v => formatType(v.type)).join()}`;
}

/** The type and bytes of a literal. */
function literalKey(lit: Literal): string {
  return `${formatType(lit.type)} ${Buffer.from(bytesOf(lit)).toString('latin1')}`;
}

function regionKey(region: Region): string {
  const numbers = new Map<Value, number>();
  const number = (v: Value): void => {
    numbers.set(v, numbers.size);
  };
  const name = (v: Value): string => (numbers.has(v) ? `%${numbers.get(v)}` : String(v.id));
  region.args.forEach(number);
  const parts: string[] = [];
  forEachOp(region, op => {
    for (const r of op.regions) r.args.forEach(number);
    const attributes = op.name === 'constant' ? literalKey(op.attributes.value) : JSON.stringify(op.attributes);
    parts.push(`${op.name} ${op.operands.map(name).join()} ${attributes}`);
    op.results.forEach(number);
  });
  return `${parts.join(';')} ${region.results.map(name).join()}`;
}
