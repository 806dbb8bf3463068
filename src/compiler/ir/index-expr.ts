// Index arithmetic: where in a tensor a loop iteration reads or writes, as an affine form over loop variables.
//
//   row-major address of x[i0, i1] seen through reshape [8,128,768] ← [1024,768]:
//     idx = (i0 / 128, i0 % 128, i1)  →  98304·(i0/128) + 768·(i0%128) + i1  =  768·i0 + i1
//
// Divisions and remainders are simplified away where the ranges of the variables allow it, and recombined by `add`,
// so that a chain of views over dense memory prints as plain strides. Not a general symbolic algebra.
import { type Index, type Loop, type Node, type Term, visitTerms } from './node.ts';

// An index may be data, and data is read at an index: the types of both are with the nodes.
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
  return make(0, [[1, { kind: 'loop', key: `i${loop.id}`, min: 0, max: loop.size - 1, loop }]]);
}
/** An index read from memory: `node` is an integer known to lie in [0, max]. */
export function dataIndex(node: Node, max: number): Index {
  return max === 0 ? zeroIndex : make(0, [[1, { kind: 'data', key: `n${node.id}`, min: 0, max, node }]]);
}

export function scale(a: Index, factor: number): Index {
  if (factor === 1) return a;
  if (factor === 0) return zeroIndex;
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
    else if (t.kind === 'mod') combinable = true;
  }
  const terms = [...coefficients.values()].sort(byKey);
  const sum = make(a.constant + b.constant, terms);
  return combinable ? recombine(sum) : sum;
}
export function addConstant(a: Index, value: number): Index {
  if (value === 0) return a;
  return a.terms.length === 0 ? constantIndex(a.constant + value) : make(a.constant + value, a.terms);
}

/** c·by·(e / by) + c·(e % by) = c·e */
function recombine(a: Index): Index {
  for (const [c, t] of a.terms) {
    if (t.kind !== 'mod') continue;
    const partner = a.terms.find(
      ([d, u]) => u.kind === 'div' && u.by === t.by && u.of.key === t.of.key && d === c * t.by,
    );
    if (partner === undefined) continue;
    const rest = make(
      a.constant,
      a.terms.filter(([, u]) => u !== t && u !== partner[1]),
    );
    return add(rest, scale(t.of, c));
  }
  return a;
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** Quotient and remainder of a (≥ 0) by a positive constant. */
export function divMod(a: Index, by: number): readonly [quotient: Index, remainder: Index] {
  if (by === 1) return [a, zeroIndex];
  const whole: (readonly [number, Term])[] = [];
  const part: (readonly [number, Term])[] = [];
  for (const [c, t] of a.terms) {
    if (c % by === 0) whole.push([c / by, t]);
    else part.push([c, t]);
  }
  const lowest = make(((a.constant % by) + by) % by, part).min;
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
function opaque(kind: 'div' | 'mod', of: Index, by: number): Index {
  const max = kind === 'div' ? Math.floor(of.max / by) : by - 1;
  const min = kind === 'div' ? Math.floor(of.min / by) : 0;
  return make(0, [[1, { kind, key: `(${of.key})${kind === 'div' ? '/' : '%'}${by}`, min, max, of, by }]]);
}

/** The row-major position of a multi-dimensional index. */
export function linearize(shape: readonly number[], index: readonly Index[]): Index {
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
const byKey = (x: readonly [number, Term], y: readonly [number, Term]): number =>
  x[1].key < y[1].key ? -1 : x[1].key > y[1].key ? 1 : 0;
/** The multi-dimensional index at a row-major position. */
export function delinearize(shape: readonly number[], position: Index): Index[] {
  const out = new Array<Index>(shape.length);
  const straight = oneTermEach(shape, position);
  if (straight) return straight;
  let rest = position;
  let outermost = 0;
  while (outermost < shape.length && shape[outermost] === 1) out[outermost++] = zeroIndex;
  for (let d = shape.length - 1; d > outermost; d--) {
    const [q, r] = divMod(rest, Math.max(1, shape[d]!));
    out[d] = r;
    rest = q;
  }
  if (outermost < shape.length) out[outermost] = rest;
  return out;
}

/** The common case: each dim of the shape is one loop of its size, in order. */
function oneTermEach(shape: readonly number[], position: Index): Index[] | undefined {
  if (position.constant !== 0) return undefined;
  const out = new Array<Index>(shape.length).fill(zeroIndex);
  let used = 0;
  for (let d = shape.length - 1, stride = 1; d >= 0; d--) {
    const size = shape[d]!;
    if (size === 0) return undefined;
    if (size !== 1) {
      const found = position.terms.find(([c]) => c === stride)?.[1];
      if (found?.kind !== 'loop' || found.loop.size !== size) return undefined;
      out[d] = loopIndex(found.loop);
      used++;
    }
    stride *= size;
  }
  return used === position.terms.length ? out : undefined;
}

/** The coefficient of a loop when the index is linear in it, or undefined when it sits inside a division. */
export function coefficientOf(index: Index, loop: Loop): number | undefined {
  let coefficient = 0;
  for (const [c, t] of index.terms) {
    if (t.kind === 'loop') {
      if (t.loop.id === loop.id) coefficient += c;
    } else {
      let found = false;
      visitTerms(make(0, [[1, t]]), inner => {
        if (inner.kind === 'loop' && inner.loop.id === loop.id) found = true;
      });
      if (found) return undefined;
    }
  }
  return coefficient;
}
