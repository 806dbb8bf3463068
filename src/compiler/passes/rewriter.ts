// Rebuilds a function op by op. Each op is first offered to the rules, which may replace it by other values; what remains
// is kept, made one with an equal earlier op (common subexpressions), or dropped at the end if nothing needs it.

import type { SourceLocation } from '../../base/errors.ts';
import type { BinaryName, OpAttributes, OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { inferTypes } from '../../hlo/op-table.ts';
import type { Func, Module, Op, Region, Value } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';
import { capturesOf, cloneRegion, forEachOp, isPure, nextId, reachableOps } from '../../hlo/walk.ts';

/** What an op becomes: other values, or undefined where the rule does not apply. `op` has its new operands. */
export type Rule = (op: Op, rewriter: Rewriter) => readonly Value[] | undefined;

export class Rewriter {
  readonly module: Module;
  readonly #rules: readonly Rule[];
  readonly #ids: { next: number };
  #ops: Op[] = [];
  /** Equal ops by key, innermost scope last. */
  #scopes: Map<string, Op>[] = [new Map()];
  #location: SourceLocation | undefined;

  constructor(module: Module, func: Func, rules: readonly Rule[]) {
    this.module = module;
    this.#rules = rules;
    let next = nextId(func.body);
    for (const f of module.functions) next = Math.max(next, nextId(f.body));
    this.#ids = { next };
  }

  run(func: Func): Func {
    const map = new Map<Value, Value>();
    this.#walk(func.body.ops, map);
    const results = func.body.results.map(v => map.get(v) ?? v);
    const body = { args: func.body.args, ops: live(this.#ops, results), results };
    return { ...func, body };
  }

  /** Copies ops, as changed by the rules, to the end of the region being built; enters what became of their results. */
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

  /** The ops of a function's body at other arguments. */
  inline(body: Region, args: readonly Value[]): readonly Value[] {
    const map = new Map<Value, Value>(body.args.map((a, i) => [a, args[i]!]));
    const location = this.#location;
    this.#walk(body.ops, map);
    this.#location = location;
    return body.results.map(v => map.get(v) ?? v);
  }

  /** Appends an op; the rules see it, too. */
  emit<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = [],
  ): readonly Value[] {
    const types = inferTypes(
      name,
      operands.map(v => v.type),
      attributes,
      regions,
      this.#location,
    );
    const results: Value[] = [];
    const op = { name, operands, attributes, regions, results, location: this.#location } as unknown as Op;
    types.forEach((type, index) => {
      results.push({ id: this.#ids.next++, type, op, index });
    });
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

  /** A region (a, b) → name(a, b) over scalars. */
  combiner(name: BinaryName, elementType: ElementType): Region {
    return new Builder(this.#ids).combiner(name, elementType);
  }

  #simplified(op: Op): readonly Value[] {
    for (const rule of this.#rules) {
      const replaced = rule(op, this);
      if (replaced) return replaced;
    }
    return this.#append(op);
  }

  #append(op: Op): readonly Value[] {
    if (isPure(op)) {
      const key = keyOf(op);
      for (const scope of this.#scopes) {
        const same = scope.get(key);
        if (same) return same.results;
      }
      this.#scopes.at(-1)!.set(key, op);
    }
    this.#ops.push(op);
    return op.results;
  }

  /** The op with its operands and regions as they are now; the op itself if nothing changed. */
  #rebuilt(op: Op, map: Map<Value, Value>): Op {
    const operands = op.operands.map(v => map.get(v) ?? v);
    const isControl = op.name === 'while' || op.name === 'if' || op.name === 'case';
    const regions = isControl
      ? op.regions.map(r => this.#region(r, map))
      : [...capturesOf(op)].some(v => map.has(v))
        ? op.regions.map(r => cloneRegion(r, new Map(map), this.#ids))
        : op.regions;
    if (operands.every((v, i) => v === op.operands[i]) && regions === op.regions) return op;
    const results: Value[] = [];
    const copy = { ...op, operands, regions, results } as unknown as Op;
    for (const v of op.results) results.push({ id: this.#ids.next++, type: v.type, op: copy, index: v.index });
    return copy;
  }
  #region(region: Region, map: Map<Value, Value>): Region {
    const outer = this.#ops;
    this.#ops = [];
    this.#scopes.push(new Map());
    this.#walk(region.ops, map);
    const results = region.results.map(v => map.get(v) ?? v);
    const built = { args: region.args, ops: live(this.#ops, results), results };
    this.#scopes.pop();
    this.#ops = outer;
    return built;
  }
}

/** The ops that results need, and those with effects of their own. */
function live(ops: readonly Op[], results: readonly Value[]): Op[] {
  const roots = [...results];
  const effects = ops.filter(op => op.name !== 'optimization_barrier' && op.name !== 'func.call' && !isPure(op));
  for (const op of effects) roots.push(...op.results, ...op.operands, ...capturesOf(op));
  const needed = new Set<Op>([...reachableOps(roots), ...effects]);
  return ops.filter(op => needed.has(op));
}

/** A text that is equal for equal computations. */
function keyOf(op: Op): string {
  const operands = op.operands.map(v => v.id).join();
  if (op.name === 'constant') return `constant ${literalKey(op.attributes.value)}`;
  const regions = op.regions.map(regionKey).join('|');
  return `${op.name} ${operands} ${JSON.stringify(op.attributes)} ${regions} ${op.results[0]?.type.kind === 'tensor' ? op.results[0].type.elementType : ''}`;
}

/** The type and bytes of a literal. */
function literalKey(lit: Literal): string {
  return `${lit.type.elementType} ${lit.type.shape.join('x')} ${Buffer.from(bytesOf(lit)).toString('latin1')}`;
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
