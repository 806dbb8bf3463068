// Combines sums of many small tensors, such as the gradients of an unrolled recurrence, into one op:
//
//   pad(a) + pad(b) + …            disjoint parts of one tensor          →  concatenate(a, b, …) + 0
//   x₀ᵀ·d₀ + x₁ᵀ·d₁ + …            products over few terms each          →  one product over all terms
//   sum(d₀) + sum(d₁) + …          sums over the same dims               →  one sum
//
// Products and sums are combined only if the parts of one of their operands lie in a concatenation created by the first rule:
// they are then already adjacent in memory. Sums of micro-batches do not have this form, and keep their fixed order.
// Not a rule of the rewriter, because it needs the users of a value: a separate pass, between two runs of the rules.
import { Builder } from '../hlo/builder.ts';
import { freeDimensions } from '../hlo/ops/contraction.ts';
import { type Func, type Op, shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { reducerOf } from '../hlo/reducer.ts';
import { elementCount, isFloat, isInteger } from '../hlo/types.ts';
import { cloneOp, nextId, usesOf } from '../hlo/walk.ts';
import { splatNumber } from './facts.ts';
import { setOrigin } from './rewriter.ts';

/** The minimum number of terms to combine. */
const fewest = 4;

type Dot = Op<'dot_general'>;
type Pad = Op<'pad'>;
type Reduce = Op<'reduce'>;

/** Terms of a sum that are replaced by one term, at the position of the first. */
type Gathering =
  | { readonly kind: 'pads'; readonly terms: readonly Pad[]; readonly dim: number }
  | { readonly kind: 'products'; readonly terms: readonly Dot[] }
  | { readonly kind: 'sums'; readonly terms: readonly Reduce[] };

interface Sum {
  readonly leaves: readonly Value[];
  readonly gatherings: readonly Gathering[];
}

/** The function with its sums combined; the same object if there are none. */
export function gatherSums(func: Func): Func {
  const sums = new SumFinder(func).find();
  if (sums.size === 0) return func;
  const ids = { next: nextId(func.body) };
  const b = new Builder(ids);
  const map = new Map<Value, Value>();
  for (const op of func.body.ops) {
    const sum = sums.get(op);
    if (sum === undefined) {
      const copy = cloneOp(op, map, ids);
      setOrigin(copy, op);
      b.ops.push(copy);
    } else {
      b.location = op.location;
      const first = b.ops.length;
      map.set(
        op.results[0]!,
        emitSum(b, sum, v => map.get(v) ?? v),
      );
      for (const made of b.ops.slice(first)) setOrigin(made, op);
    }
  }
  const results = func.body.results.map(v => map.get(v) ?? v);
  return { ...func, body: { args: func.body.args, ops: b.ops, results } };
}

class SumFinder {
  readonly #func: Func;
  readonly #uses: ReturnType<typeof usesOf>;
  readonly #results: ReadonlySet<Value>;
  readonly #own: ReadonlySet<Op>;
  /** For a value that becomes part of a concatenation in place of pads: the concatenation and the position in it. */
  readonly #parts = new Map<Value, { readonly join: Gathering; readonly position: number }>();

  constructor(func: Func) {
    this.#func = func;
    this.#uses = usesOf(func.body);
    this.#results = new Set(func.body.results);
    this.#own = new Set(func.body.ops);
  }

  find(): ReadonlyMap<Op, Sum> {
    const roots: { readonly op: Op; readonly leaves: readonly Value[] }[] = [];
    for (const op of this.#func.body.ops) {
      if (op.name !== 'add' || this.#isInner(op)) continue;
      const leaves = this.#leavesOf(op);
      if (leaves.length > 1) roots.push({ op, leaves });
    }
    const found = new Map<Op, Gathering[]>(roots.map(({ op }) => [op, []]));
    for (const { op, leaves } of roots) found.get(op)!.push(...this.#pads(leaves));
    if (this.#parts.size > 0)
      for (const { op, leaves } of roots) found.get(op)!.push(...this.#products(leaves), ...this.#sums(leaves));
    return new Map(
      roots.flatMap(({ op, leaves }) => {
        const gatherings = found.get(op)!;
        return gatherings.length === 0 ? [] : [[op, { leaves, gatherings }] as const];
      }),
    );
  }

  /** Whether the only use of a value is by an op at the top level of the function. */
  #isUsedOnce(value: Value): boolean {
    return this.#uses.get(value)?.length === 1 && !this.#results.has(value);
  }
  /** Whether the result of an addition is a term of another addition. */
  #isInner(op: Op): boolean {
    const [result] = op.results;
    if (result === undefined || !this.#isUsedOnce(result)) return false;
    const { user } = this.#uses.get(result)![0]!;
    return user.name === 'add' && this.#own.has(user);
  }
  /** The terms of a sum, first to last. */
  #leavesOf(root: Op): Value[] {
    const leaves: Value[] = [];
    const stack: Value[] = [...root.operands].reverse();
    for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
      if (v.op?.name === 'add' && this.#isInner(v.op)) stack.push(...[...v.op.operands].reverse());
      else leaves.push(v);
    }
    return leaves;
  }

  /** Zero-padded tensors that are disjoint along one dim, and whole along the others. */
  #pads(leaves: readonly Value[]): Gathering[] {
    const byDim = new Map<number, Pad[]>();
    for (const { op } of leaves) {
      const dim = op?.name === 'pad' && this.#isUsedOnce(op.results[0]) ? paddedDim(op) : undefined;
      if (dim !== undefined) byDim.set(dim, [...(byDim.get(dim) ?? []), op as Pad]);
    }
    return [...byDim].flatMap(([dim, pads]) => {
      const sorted = [...pads].sort((a, b) => startOf(a, dim) - startOf(b, dim));
      const terms: Pad[] = [];
      let end = 0;
      for (const pad of sorted) {
        if (startOf(pad, dim) < end) continue;
        terms.push(pad);
        end = startOf(pad, dim) + shapeOf(pad.operands[0])[dim]!;
      }
      if (terms.length < 2) return [];
      const gathering: Gathering = { kind: 'pads', terms, dim };
      terms.forEach((pad, position) => {
        const part = withoutReshapes(pad.operands[0]);
        if (dim === 0 && !this.#parts.has(part)) this.#parts.set(part, { join: gathering, position });
      });
      return [gathering];
    });
  }

  #products(leaves: readonly Value[]): Gathering[] {
    const dots = leaves.flatMap(({ op }) =>
      op?.name === 'dot_general' && this.#isUsedOnce(op.results[0]) && isOfFewTerms(op) ? [op] : [],
    );
    const groups = groupBy(dots, op => JSON.stringify([op.attributes, ...op.operands.map(v => v.type)]));
    return groups.flatMap((terms): Gathering[] => {
      const order = this.#positions(terms.map(t => t.operands[0])) ?? this.#positions(terms.map(t => t.operands[1]));
      return order === undefined ? [] : [{ kind: 'products', terms: sortedBy(terms, order) }];
    });
  }

  #sums(leaves: readonly Value[]): Gathering[] {
    const reduces = leaves.flatMap(({ op }) =>
      op?.name === 'reduce' && this.#isUsedOnce(op.results[0]!) && isSum(op) ? [op] : [],
    );
    const groups = groupBy(reduces, op => JSON.stringify([op.attributes, op.operands[0].type]));
    return groups.flatMap((terms): Gathering[] => {
      const order = this.#positions(terms.map(t => t.operands[0]));
      return order === undefined ? [] : [{ kind: 'sums', terms: sortedBy(terms, order) }];
    });
  }

  /**
   * The position of each value in the one concatenation that contains them all; undefined if there is none, or the values are too
   * few.
   */
  #positions(values: readonly Value[]): readonly number[] | undefined {
    if (values.length < fewest) return undefined;
    const parts = values.map(v => this.#parts.get(withoutReshapes(v)));
    const [first] = parts;
    if (first === undefined || parts.some(p => p?.join !== first.join)) return undefined;
    return parts.map(p => p!.position);
  }
}

function emitSum(b: Builder, { leaves, gatherings }: Sum, now: (value: Value) => Value): Value {
  const gatheredIn = new Map<Value, Gathering>();
  for (const gathering of gatherings)
    for (const op of gathering.terms) gatheredIn.set((op as Op).results[0]!, gathering);
  const made = new Set<Gathering>();
  let total: Value | undefined;
  for (const leaf of leaves) {
    const gathering = gatheredIn.get(leaf);
    if (gathering !== undefined && made.has(gathering)) continue;
    if (gathering !== undefined) made.add(gathering);
    const term = gathering === undefined ? now(leaf) : emitGathering(b, gathering, now);
    total = total === undefined ? term : b.add(total, term);
  }
  return total!;
}

function emitGathering(b: Builder, gathering: Gathering, now: (value: Value) => Value): Value {
  switch (gathering.kind) {
    case 'pads': {
      const joined = emitConcatenation(b, gathering.terms, gathering.dim, now);
      // each element was added to the zeros of the other pads: -0 + 0 is 0
      return isFloat(tensorTypeOf(joined).elementType) ? b.add(joined, b.like(joined, 0)) : joined;
    }
    case 'products': {
      const [{ attributes: a }] = gathering.terms as [Dot];
      const [lhs, rhs] = [
        stacked(
          b,
          gathering.terms.map(op => now(op.operands[0])),
        ),
        stacked(
          b,
          gathering.terms.map(op => now(op.operands[1])),
        ),
      ];
      return b.emit1('dot_general', [lhs, rhs], {
        ...a,
        lhsContractingDimensions: [0, ...a.lhsContractingDimensions.map(d => d + 1)],
        rhsContractingDimensions: [0, ...a.rhsContractingDimensions.map(d => d + 1)],
      });
    }
    case 'sums': {
      const [first] = gathering.terms as [Reduce];
      const all = stacked(
        b,
        gathering.terms.map(op => now(op.operands[0])),
      );
      return b.sum(all, [0, ...first.attributes.dimensions.map(d => d + 1)]);
    }
  }
}

/** The parts in order, with zeros in the gaps. */
function emitConcatenation(b: Builder, pads: readonly Pad[], dim: number, now: (value: Value) => Value): Value {
  const shape = shapeOf(pads[0]!.results[0]);
  const { elementType } = tensorTypeOf(pads[0]!.results[0]);
  const parts: Value[] = [];
  let end = 0;
  const fillTo = (start: number): void => {
    if (start > end)
      parts.push(
        b.fill(
          elementType,
          shape.map((size, d) => (d === dim ? start - end : size)),
          0,
        ),
      );
  };
  for (const pad of pads) {
    fillTo(startOf(pad, dim));
    parts.push(now(pad.operands[0]));
    end = startOf(pad, dim) + shapeOf(pad.operands[0])[dim]!;
  }
  fillTo(shape[dim]!);
  return b.concatenate(parts, dim);
}

/** Values of one shape as [n, …shape]. */
const stacked = (b: Builder, values: readonly Value[]): Value =>
  b.concatenate(
    values.map(v => b.reshape(v, [1, ...shapeOf(v)])),
    0,
  );

/** The one dim along which zeros are added; undefined if several dims are padded, or the padding is not zero. */
function paddedDim(op: Pad): number | undefined {
  const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding } = op.attributes;
  const { elementType } = tensorTypeOf(op.results[0]);
  if (!isFloat(elementType) && !isInteger(elementType)) return undefined;
  if (!Object.is(splatNumber(op.operands[1]), 0) || interiorPadding.some(n => n !== 0)) return undefined;
  if ([...low, ...high].some(n => n < 0) || elementCount(shapeOf(op.operands[0])) === 0) return undefined;
  const dims = low.flatMap((n, d) => (n > 0 || high[d]! > 0 ? [d] : []));
  return dims.length === 1 ? dims[0] : undefined;
}
const startOf = (op: Pad, dim: number): number => op.attributes.edgePaddingLow[dim]!;

/**
 * A product whose operands together are smaller than its result, so that adding up results would take longer than multiplying.
 * Its contracting dim is the outermost dim of both operands, so that operands can be stacked along it.
 */
function isOfFewTerms(op: Dot): boolean {
  const a = op.attributes;
  const [l, r] = op.operands.map(shapeOf) as [readonly number[], readonly number[]];
  const { elementType } = tensorTypeOf(op.results[0]);
  // Products of lower precision are rounded before they are added.
  if ((elementType !== 'f32' && elementType !== 'f64') || a.lhsBatchingDimensions.length > 0) return false;
  if (![a.lhsContractingDimensions, a.rhsContractingDimensions].every(dims => dims.every((d, i) => d === i)))
    return false;
  const free = freeDimensions(a, l.length, r.length);
  return (
    free.lhs.length > 0 &&
    free.rhs.length > 0 &&
    elementCount(l) + elementCount(r) <= elementCount(shapeOf(op.results[0]))
  );
}

function isSum(op: Reduce): boolean {
  const [, init] = op.operands;
  return (
    op.operands.length === 2 && reducerOf(op.regions[0]) === 'add' && init !== undefined && splatNumber(init) === 0
  );
}

function withoutReshapes(value: Value): Value {
  let v = value;
  while (v.op?.name === 'reshape') v = v.op.operands[0];
  return v;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const list = groups.get(key(item));
    if (list) list.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}
const sortedBy = <T>(items: readonly T[], order: readonly number[]): T[] =>
  items
    .map((item, i) => [item, order[i]!] as const)
    .sort((a, b) => a[1] - b[1])
    .map(([item]) => item);
