// Index arithmetic: where in a tensor a loop iteration reads or writes, as an affine form over loop variables.
//
//   row-major address of x[i0, i1] seen through reshape [8,128,768] ← [1024,768]:
//     idx = (i0 / 128, i0 % 128, i1)  →  98304·(i0/128) + 768·(i0%128) + i1  =  768·i0 + i1
//
// Divisions and remainders are simplified away where the ranges of the variables allow it, and recombined by `add`,
// so that a chain of views over dense memory prints as plain strides. Not a general symbolic algebra.
//
// Sizes may be quantities that are known only when the kernel runs: a term is then scaled by one, and its range has no end.
import { dividedExactly, type Extent, keyOfExtent, plus, type Quantity, sameExtent, times } from './extent.ts';
import { type Index, type Loop, type Node, type Term, type Unscaled, visitTerms } from './node.ts';

// An index may be read from memory, and memory is read at an index, so the types of both are defined with the nodes.
export { type Index, type Loop, type Term, visitTerms };

function make(constant: number, terms: readonly (readonly [number, Term])[]): Index {
  let min = constant;
  let max = constant;
  let key = '';
  for (const [c, t] of terms) {
    min += c > 0 ? c * t.min : c * t.max;
    max += c > 0 ? c * t.max : c * t.min;
    key += `${c}${t.key}+`;
  }
  return { constant, terms, min, max, key: key + constant };
}

const small = Array.from({ length: 64 }, (_, i) => make(i, []));
export const constantIndex = (value: number): Index => small[value] ?? make(value, []);
export const zeroIndex = constantIndex(0);

export function loopIndex(loop: Loop): Index {
  if (loop.size === 1) return zeroIndex;
  const max = typeof loop.size === 'number' ? loop.size - 1 : Infinity;
  return make(0, [[1, { kind: 'loop', key: `i${loop.id}`, min: 0, max, loop }]]);
}
/** A quantity that is known only when the kernel runs, as an index; not negative. */
export const quantityIndex = (by: Extent): Index =>
  typeof by === 'number' ? constantIndex(by) : make(0, [[1, scaled(undefined, by)]]);

function scaled(of: Unscaled | undefined, by: Quantity): Term {
  const key = of === undefined ? by.key : `${of.key}*${by.key}`;
  return { kind: 'scaled', key, min: of !== undefined && of.min < 0 ? -Infinity : 0, max: Infinity, of, by };
}
/** A term times a quantity; a coefficient takes its number. */
function timesTerm(c: number, t: Term, by: Quantity): readonly [number, Term] {
  const [of, whole] = t.kind === 'scaled' ? [t.of, times(t.by, by) as Quantity] : [t, by];
  if (whole.kind !== 'product' || whole.factor === 1) return [c, scaled(of, whole)];
  return [c * whole.factor, scaled(of, dividedExactly(whole, whole.factor) as Quantity)];
}
/** An index read from memory: `node` is an integer known to lie in [0, max]. */
export function dataIndex(node: Node, max: number): Index {
  return max === 0 ? zeroIndex : make(0, [[1, { kind: 'data', key: `n${node.id}`, min: 0, max, node }]]);
}

export function scale(a: Index, factor: Extent): Index {
  if (factor === 1) return a;
  if (factor === 0) return zeroIndex;
  if (typeof factor !== 'number') {
    let sum = make(
      0,
      a.terms.map(([c, t]) => timesTerm(c, t, factor)),
    );
    if (a.constant !== 0) sum = add(sum, scale(quantityIndex(factor), a.constant));
    return sum;
  }
  return make(
    a.constant * factor,
    a.terms.map(([c, t]) => [c * factor, t] as const),
  );
}

export function add(a: Index, b: Index): Index {
  if (a.terms.length === 0) return addConstant(b, a.constant);
  if (b.terms.length === 0) return addConstant(a, b.constant);
  const coefficients = new Map<string, [number, Term]>();
  for (const [c, t] of a.terms) coefficients.set(t.key, [c, t]);
  let combinable = false;
  for (const [c, t] of b.terms) {
    const found = coefficients.get(t.key);
    if (found) found[0] += c;
    else coefficients.set(t.key, [c, t]);
  }
  for (const [key, [c, t]] of coefficients) {
    if (c === 0) coefficients.delete(key);
    else if (t.kind === 'mod' || (t.kind === 'scaled' && t.of?.kind === 'mod')) combinable = true;
  }
  const terms = [...coefficients.values()].sort(byKey);
  const sum = make(a.constant + b.constant, terms);
  return combinable ? recombine(sum) : sum;
}
export function addConstant(a: Index, value: number): Index {
  if (value === 0) return a;
  return a.terms.length === 0 ? constantIndex(a.constant + value) : make(a.constant + value, a.terms);
}

/** A term without its quantity, and the factor that it is multiplied by. */
function factored([c, t]: readonly [number, Term]): readonly [term: Unscaled | undefined, factor: Extent] {
  return t.kind === 'scaled' ? [t.of, times(c, t.by)] : [t, c];
}

/** c·by·(e / by) + c·(e % by) = c·e */
function recombine(a: Index): Index {
  for (const part of a.terms) {
    const [t, c] = factored(part);
    if (t?.kind !== 'mod') continue;
    const partner = a.terms.find(other => {
      const [u, d] = factored(other);
      return u?.kind === 'div' && sameExtent(u.by, t.by) && u.of.key === t.of.key && sameExtent(d, times(c, t.by));
    });
    if (partner === undefined) continue;
    const rest = make(
      a.constant,
      a.terms.filter(other => other !== part && other !== partner),
    );
    return add(rest, scale(t.of, c));
  }
  return a;
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** Quotient and remainder of a (≥ 0) by a quantity that is known only when the kernel runs. */
function divModQuantity(a: Index, by: Quantity): readonly [quotient: Index, remainder: Index] {
  const whole: (readonly [number, Term])[] = [];
  const part: (readonly [number, Term])[] = [];
  for (const [c, t] of a.terms) {
    const factor = t.kind === 'scaled' ? dividedExactly(t.by, by) : undefined;
    if (t.kind !== 'scaled' || factor === undefined) part.push([c, t]);
    else if (typeof factor !== 'number') whole.push([c, scaled(t.of, factor)]);
    else if (t.of !== undefined) whole.push([c * factor, t.of]);
    else return opaquePair(a, by);
  }
  const [term] = part;
  const isBelow =
    part.length === 0
      ? a.constant === 0
      : part.length === 1 && a.constant === 0 && term![0] === 1 && isLoopOf(term![1], by);
  if (!isBelow) return opaquePair(a, by);
  return [make(0, whole), make(0, part)];
}
const isLoopOf = (t: Term, size: Extent): boolean => t.kind === 'loop' && sameExtent(t.loop.size, size);
const opaquePair = (a: Index, by: Extent): readonly [Index, Index] => [opaque('div', a, by), opaque('mod', a, by)];

/** Quotient and remainder of a (≥ 0) by a positive size. */
export function divMod(a: Index, by: Extent): readonly [quotient: Index, remainder: Index] {
  if (typeof by !== 'number') return divModQuantity(a, by);
  if (by === 1) return [a, zeroIndex];
  const whole: (readonly [number, Term])[] = [];
  const part: (readonly [number, Term])[] = [];
  for (const [c, t] of a.terms) {
    if (c % by === 0) whole.push([c / by, t]);
    else part.push([c, t]);
  }
  const lowest = make(((a.constant % by) + by) % by, part).min;
  if (!Number.isFinite(lowest)) return opaquePair(a, by);
  // Multiples of the divisor stay where the rest would be negative without them: C rounds to zero.
  const constantPart = (((a.constant % by) + by) % by) + by * Math.max(0, Math.ceil(-lowest / by));
  const quotient = make((a.constant - constantPart) / by, whole);
  const rest = make(constantPart, part);
  if (rest.min >= 0 && rest.max < by) return [quotient, rest];
  const common = part.reduce((g, [c]) => gcd(g, c), gcd(by, constantPart));
  const of =
    common === 1
      ? rest
      : make(
          constantPart / common,
          part.map(([c, t]) => [c / common, t] as const),
        );
  const d = by / common;
  if (d === 1) return [add(quotient, of), zeroIndex];
  return [add(quotient, opaque('div', of, d)), scale(opaque('mod', of, d), common)];
}

/** Nested divisions stay nested, so that `recombine` can undo them from the inside out. */
function opaque(kind: 'div' | 'mod', of: Index, by: Extent): Index {
  const isKnown = typeof by === 'number';
  const max = !isKnown ? Infinity : kind === 'div' ? Math.floor(of.max / by) : by - 1;
  const min = isKnown && kind === 'div' && Number.isFinite(of.min) ? Math.floor(of.min / by) : 0;
  const key = `(${of.key})${kind === 'div' ? '/' : '%'}${keyOfExtent(by)}`;
  return make(0, [[1, { kind, key, min, max, of, by }]]);
}

/** The row-major position of a multi-dimensional index. */
export function linearize(shape: readonly Extent[], index: readonly Index[]): Index {
  if (!isKnown(shape)) return linearizeQuantities(shape, index);
  // Most indices share no terms and divide nothing: their sum needs no merging.
  let constant = 0;
  const terms: (readonly [number, Term])[] = [];
  let simple = true;
  for (let d = shape.length - 1, stride = 1; d >= 0; d--) {
    const i = index[d]!;
    constant += i.constant * stride;
    for (const [c, t] of i.terms) {
      if (t.kind === 'mod' || terms.some(([, u]) => u.key === t.key)) simple = false;
      terms.push([c * stride, t]);
    }
    stride *= shape[d]!;
  }
  if (simple)
    return terms.length === 0
      ? constantIndex(constant)
      : make(constant, terms.length === 1 ? terms : terms.sort(byKey));
  let out = zeroIndex;
  for (let d = shape.length - 1, stride = 1; d >= 0; d--) {
    out = add(out, scale(index[d]!, stride));
    stride *= shape[d]!;
  }
  return out;
}
const isKnown = (shape: readonly Extent[]): shape is readonly number[] => shape.every(s => typeof s === 'number');
function linearizeQuantities(shape: readonly Extent[], index: readonly Index[]): Index {
  let out = zeroIndex;
  let stride: Extent = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    out = add(out, scale(index[d]!, stride));
    stride = times(stride, shape[d]!);
  }
  return out;
}
const byKey = (x: readonly [number, Term], y: readonly [number, Term]): number =>
  x[1].key < y[1].key ? -1 : x[1].key > y[1].key ? 1 : 0;
/** The multi-dimensional index at a row-major position. */
export function delinearize(shape: readonly Extent[], position: Index): Index[] {
  const out = new Array<Index>(shape.length);
  const straight = oneTermEach(shape, position);
  if (straight) return straight;
  let rest = position;
  let outermost = 0;
  while (outermost < shape.length && shape[outermost] === 1) out[outermost++] = zeroIndex;
  for (let d = shape.length - 1; d > outermost; d--) {
    const [q, r] = divMod(rest, atLeastOne(shape[d]!));
    out[d] = r;
    rest = q;
  }
  if (outermost < shape.length) out[outermost] = rest;
  return out;
}

const atLeastOne = (size: Extent): Extent => (size === 0 ? 1 : size);

/** The common case: each dim of the shape is one loop of its size, in order. */
function oneTermEach(shape: readonly Extent[], position: Index): Index[] | undefined {
  if (position.constant !== 0) return undefined;
  const out = new Array<Index>(shape.length).fill(zeroIndex);
  let used = 0;
  let stride: Extent = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d]!;
    if (size === 0) return undefined;
    if (size !== 1) {
      const found = loopOfStride(position, stride);
      if (found === undefined || !sameExtent(found.size, size)) return undefined;
      out[d] = loopIndex(found);
      used++;
    }
    stride = times(stride, size);
  }
  return used === position.terms.length ? out : undefined;
}
/** The loop of the first term with this coefficient, if it is one. */
function loopOfStride(position: Index, stride: Extent): Loop | undefined {
  const found = position.terms.find(part => sameExtent(factored(part)[1], stride));
  const term = found && factored(found)[0];
  return term?.kind === 'loop' ? term.loop : undefined;
}

/** The coefficient of a loop when the index is linear in it, or undefined when it sits inside a division. */
export function coefficientOf(index: Index, loop: Loop): Extent | undefined {
  let coefficient: Extent = 0;
  for (const part of index.terms) {
    const [plain, by] = factored(part);
    if (plain?.kind === 'loop') {
      if (plain.loop.id === loop.id) coefficient = plus(coefficient, by);
    } else {
      let found = false;
      visitTerms(make(0, [[1, part[1]]]), inner => {
        if (inner.kind === 'loop' && inner.loop.id === loop.id) found = true;
      });
      if (found) return undefined;
    }
  }
  return coefficient;
}
