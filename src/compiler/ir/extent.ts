// Sizes in kernels: numbers, or quantities that are known only when a kernel runs, as integer and real arithmetic over the
// sizes that the caller passes. Arithmetic on numbers gives numbers, so a planner is written once for both.
//
//   cutTasks(1024 rows)   ─▶ 8 tasks                          cutTasks(n rows)  ─▶ ceil(n / round(120000 / …)) tasks
//
// Where the form of a kernel depends on a size (the lanes of a sum), the planner asks `isAtLeast`; size-cases.ts plans both
// answers.
import { assertNever, invariant } from '../../base/errors.ts';

export type Extent = number | Quantity;

type Operation = 'add' | 'times' | 'quotient' | 'ceilDiv' | 'min' | 'max';
type Rounding = 'floor' | 'ceil' | 'round';

interface Common {
  /** Its index among the quantities of a kernel, after those that it depends on. */
  readonly id: number;
  readonly key: string;
  readonly graph: QuantityGraph;
  /** Not an integer. */
  readonly isReal: boolean;
}
export type Quantity = Common &
  (
    | { readonly kind: 'size'; readonly position: number }
    /** A product of sorted sizes and a number: equal products are one quantity. */
    | { readonly kind: 'product'; readonly factor: number; readonly of: readonly SizeQuantity[] }
    | { readonly kind: 'operation'; readonly name: Operation; readonly args: readonly [Extent, Extent] }
    | { readonly kind: 'rounding'; readonly name: Rounding; readonly of: Quantity }
    /** `a` ≥ `b` ? `onTrue` : `onFalse` */
    | {
        readonly kind: 'select';
        readonly a: Extent;
        readonly b: Extent;
        readonly onTrue: Extent;
        readonly onFalse: Extent;
      }
  );
export type SizeQuantity = Extract<Quantity, { kind: 'size' }>;
type Fields<Q extends Quantity = Quantity> = Q extends Quantity ? Omit<Q, keyof Common> : never;

/** A condition on a quantity. */
export interface Condition {
  readonly quantity: Quantity;
  readonly least: number;
}

/** The quantities of a kernel, each once. */
export class QuantityGraph {
  readonly quantities: Quantity[] = [];
  readonly #interned = new Map<string, Quantity>();
  /** Answers whether a quantity is at least a number; set while a kernel is planned. */
  decide: ((condition: Condition) => boolean) | undefined;
  /** Takes it as known that a quantity is at least a number, in the case that is planned. */
  assume: ((condition: Condition) => void) | undefined;
  /** The greatest value that a quantity can have in the case that is planned, if known. */
  bound: ((quantity: Quantity) => number | undefined) | undefined;

  /** The size that the caller passes at a position. */
  size(position: number): Quantity {
    return this.add(`s${position}`, false, { kind: 'size', position });
  }
  add(key: string, isReal: boolean, fields: Fields): Quantity {
    let found = this.#interned.get(key);
    if (found === undefined) {
      found = { id: this.quantities.length, key, graph: this, isReal, ...fields } as Quantity;
      this.quantities.push(found);
      this.#interned.set(key, found);
    }
    return found;
  }
}

const isNumber = (e: Extent): e is number => typeof e === 'number';
export const keyOfExtent = (e: Extent): string => (isNumber(e) ? String(e) : e.key);
export const sameExtent = (a: Extent, b: Extent): boolean => keyOfExtent(a) === keyOfExtent(b);
const isReal = (e: Extent): boolean => (isNumber(e) ? !Number.isInteger(e) : e.isReal);

/** The value of an extent in a program of known sizes. */
export function numberOf(e: Extent): number {
  invariant(isNumber(e), 'a size that is known only when the program runs');
  return e;
}

function operation(name: Operation, args: readonly [Extent, Extent], real: boolean): Quantity {
  const of = args.find(a => !isNumber(a)) as Quantity;
  return of.graph.add(`${name}(${args.map(keyOfExtent).join()})`, real, { kind: 'operation', name, args });
}

/** The number and the sizes that an integer product consists of. */
function factorsOf(e: Extent): { readonly factor: number; readonly of: readonly SizeQuantity[] } | undefined {
  if (isNumber(e)) return Number.isInteger(e) ? { factor: e, of: [] } : undefined;
  if (e.kind === 'size') return { factor: 1, of: [e] };
  return e.kind === 'product' ? e : undefined;
}
function product(factor: number, of: readonly SizeQuantity[]): Extent {
  const [first] = of;
  if (first === undefined || factor === 0) return factor;
  if (factor === 1 && of.length === 1) return first;
  const sorted = [...of].sort((a, b) => a.position - b.position);
  return first.graph.add(`${factor}*${sorted.map(s => s.key).join('*')}`, false, {
    kind: 'product',
    factor,
    of: sorted,
  });
}

export function times(a: Extent, b: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return a * b;
  const [x, y] = [factorsOf(a), factorsOf(b)];
  if (x !== undefined && y !== undefined) return product(x.factor * y.factor, [...x.of, ...y.of]);
  if (a === 1) return b;
  return b === 1 ? a : operation('times', [a, b], isReal(a) || isReal(b));
}
/** The number of elements of a shape. */
export const countOf = (sizes: readonly Extent[]): Extent => sizes.reduce<Extent>(times, 1);
/** The strides of a row-major shape. */
export const rowMajor = (sizes: readonly Extent[]): readonly Extent[] =>
  sizes.map((_, d) => countOf(sizes.slice(d + 1)));
/** a / b if both are integer products and b divides a; undefined otherwise. */
export function dividedExactly(a: Extent, b: Extent): Extent | undefined {
  const [x, y] = [factorsOf(a), factorsOf(b)];
  if (x === undefined || y === undefined || y.factor === 0 || x.factor % y.factor !== 0) return undefined;
  const rest = [...x.of];
  for (const s of y.of) {
    const at = rest.indexOf(s);
    if (at < 0) return undefined;
    rest.splice(at, 1);
  }
  return product(x.factor / y.factor, rest);
}
export function plus(a: Extent, b: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return a + b;
  if (a === 0) return b;
  return b === 0 ? a : operation('add', [a, b], isReal(a) || isReal(b));
}
/** a / b, a real number. */
export const quotient = (a: Extent, b: Extent): Extent =>
  isNumber(a) && isNumber(b) ? a / b : operation('quotient', [a, b], true);
/** The least integer not below a / b, of integers; 0 where b is. */
export function ceilDiv(a: Extent, b: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return Math.ceil(a / b);
  return b === 1 ? a : operation('ceilDiv', [a, b], false);
}
function toInteger(name: Rounding, f: (x: number) => number, a: Extent): Extent {
  if (isNumber(a)) return f(a);
  return a.isReal ? a.graph.add(`${name}(${a.key})`, false, { kind: 'rounding', name, of: a }) : a;
}
/** Defined for numbers that are not negative. */
export const floor = (a: Extent): Extent => toInteger('floor', Math.floor, a);
export const ceil = (a: Extent): Extent => toInteger('ceil', Math.ceil, a);
export const round = (a: Extent): Extent => toInteger('round', Math.round, a);
export function least(a: Extent, b: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return Math.min(a, b);
  return sameExtent(a, b) ? a : operation('min', [a, b], isReal(a) || isReal(b));
}
export function greatest(a: Extent, b: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return Math.max(a, b);
  return sameExtent(a, b) ? a : operation('max', [a, b], isReal(a) || isReal(b));
}
/** a ≥ b ? onTrue : onFalse */
export function select(a: Extent, b: Extent, onTrue: Extent, onFalse: Extent): Extent {
  if (isNumber(a) && isNumber(b)) return a >= b ? onTrue : onFalse;
  if (sameExtent(a, b) || sameExtent(onTrue, onFalse)) return onTrue;
  const key = `${keyOfExtent(a)}>=${keyOfExtent(b)}?${keyOfExtent(onTrue)}:${keyOfExtent(onFalse)}`;
  const of = (isNumber(a) ? b : a) as Quantity;
  return of.graph.add(key, isReal(onTrue) || isReal(onFalse), { kind: 'select', a, b, onTrue, onFalse });
}

/** Whether a number divides an extent, as far as known. */
export const divides = (by: Extent, e: Extent): boolean => isNumber(e) && isNumber(by) && e % by === 0;

/** Whether an extent is at least a number, if the form of a kernel depends on it: both answers are planned. */
export function isAtLeast(e: Extent, bound: number): boolean {
  if (isNumber(e)) return e >= bound;
  const { decide } = e.graph;
  invariant(decide !== undefined, 'a size is compared where no cases are planned');
  return decide({ quantity: e, least: bound });
}

/** States what follows from answers about other extents, so that no case is planned that cannot occur. */
export function assumeAtLeast(e: Extent, bound: number): void {
  if (!isNumber(e)) e.graph.assume?.({ quantity: e, least: bound });
}

/** The greatest value of an extent in the case that is planned, if known. */
export const boundOf = (e: Extent): number | undefined => (isNumber(e) ? e : e.graph.bound?.(e));

/** Larger numbers cannot be element counts; used as the value of a quotient by zero. */
export const largestInteger = 2 ** 53 - 1;

/** The values of quantities for given sizes. */
export function quantityValues(sizes: readonly number[]): (extent: Extent) => number {
  const known = new Map<Quantity, number>();
  const integer = (x: number): number => Math.min(x, largestInteger);
  const value = (e: Extent): number => {
    if (isNumber(e)) return e;
    let found = known.get(e);
    if (found === undefined) {
      found = compute(e);
      known.set(e, found);
    }
    return found;
  };
  const compute = (q: Quantity): number => {
    switch (q.kind) {
      case 'size':
        return sizes[q.position]!;
      case 'product':
        return q.of.reduce((n, s) => n * value(s), q.factor);
      case 'select':
        return value(q.a) >= value(q.b) ? value(q.onTrue) : value(q.onFalse);
      case 'operation': {
        const [a, b] = [value(q.args[0]), value(q.args[1])];
        switch (q.name) {
          case 'add':
            return a + b;
          case 'times':
            return a * b;
          case 'quotient':
            return a / b;
          case 'ceilDiv':
            return b > 0 ? Math.ceil(a / b) : 0;
          case 'min':
            return Math.min(a, b);
          case 'max':
            return Math.max(a, b);
          default:
            return assertNever(q);
        }
      }
      case 'rounding': {
        const a = value(q.of);
        switch (q.name) {
          case 'floor':
            return integer(Math.floor(a));
          case 'ceil':
            return integer(Math.ceil(a));
          case 'round':
            return integer(Math.floor(a + 0.5));
          default:
            return assertNever(q);
        }
      }
      default:
        return assertNever(q);
    }
  };
  return value;
}
