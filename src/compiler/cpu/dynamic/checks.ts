// Sizes while the step function is generated: their arithmetic, and the checks that make the program fail with a reason.
import { invariant, TrenioError } from '../../../base/errors.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { shapeOf } from '../../../hlo/program.ts';
import { dynamicDim } from '../../../hlo/types.ts';
import { assertionValues, failures, type ReportedOp, reportLayout } from '../target/size-report.ts';
import { Names, type Origin } from './names.ts';
import { constantOf, type KnownSizes, largestSize, type Size, type Sizes } from './sizes.ts';

export class Checks extends Names {
  readonly ops: ReportedOp[] = [];
  /** The op that is being generated, for error messages. */
  op: Op | undefined;
  readonly #sizeOfAtom = new Map<string, Size>();
  readonly #numbers = new Map<Op, number>();

  /** The sizes, all of them decided. */
  known(sizes: Sizes): KnownSizes {
    if (sizes.includes(undefined)) throw this.unsupported('a size that nothing decides');
    return sizes as KnownSizes;
  }
  unsupported(
    what: string,
    instead = 'compile the program for known sizes, or run it on the interpreter',
  ): TrenioError {
    const { op } = this;
    return new TrenioError(
      'UNSUPPORTED',
      { what: op === undefined ? what : `${op.name} with ${what}`, where: 'the compiler for unknown sizes', instead },
      { location: op?.location },
    );
  }

  /** A size from an integer of the program; rejected if it is negative or too large. */
  sizeFrom(atom: string): number | string {
    const number = constantOf(atom);
    const size = number ?? this.#sizeOfAtom.get(atom) ?? this.bind('int64_t', `(int64_t)${atom}`);
    if (typeof size !== 'number') {
      if (!this.#sizeOfAtom.has(atom)) this.bounded(size, 0, largestSize);
    } else if (size < 0) this.bounded(`${size}`, 0, largestSize);
    return size;
  }
  /** Any integer of the program as an int64, rejected if its magnitude is unreasonable. */
  integerFrom(atom: string, origin: Origin): number | string {
    const number = constantOf(atom);
    if (number !== undefined) return number;
    const known = this.#sizeOfAtom.get(atom);
    if (known !== undefined) return known as string;
    const name = this.integer(`(int64_t)${atom}`, origin);
    this.bounded(name, -largestSize, largestSize);
    return name;
  }
  /** Records that an atom is a size. Later uses of the atom as a size refer to the size itself. */
  rememberSize(atom: string, size: Size): void {
    if (constantOf(atom) === undefined) this.#sizeOfAtom.set(atom, size);
  }
  sizeOfAtom(atom: string): Size {
    return constantOf(atom) ?? this.#sizeOfAtom.get(atom);
  }
  times(a: number | string, b: number | string): number | string {
    if (typeof a === 'number' && typeof b === 'number') return a * b;
    if (a === 1) return b;
    if (b === 1) return a;
    if (a === 0 || b === 0) return 0;
    return this.integer(`t_mul(${a}, ${b})`, run => this.numberIn(run, a) * this.numberIn(run, b));
  }
  plus(a: number | string, b: number | string): number | string {
    if (typeof a === 'number' && typeof b === 'number') return a + b;
    if (a === 0) return b;
    return b === 0 ? a : this.integer(`t_add(${a}, ${b})`, run => this.numberIn(run, a) + this.numberIn(run, b));
  }
  count(sizes: KnownSizes): number | string {
    // numbers first, so that they make one factor
    const known = sizes.reduce<number>((n, s) => (typeof s === 'number' ? n * s : n), 1);
    return sizes.reduce<number | string>((n, s) => (typeof s === 'number' ? n : this.times(n, s)), known);
  }

  // checks

  opNumber(): number {
    const { op } = this;
    invariant(op !== undefined, 'a check outside an op');
    let number = this.#numbers.get(op);
    if (number === undefined) {
      number = this.ops.length;
      this.#numbers.set(op, number);
      this.ops.push({ name: op.name, location: op.location });
    }
    return number;
  }
  check(ok: string, why: keyof typeof failures, dim: number, first: string | number, second: string | number): void {
    this.once(`check ${ok}`, () => {
      this.out.line(`T_CHECK(${ok}, ${failures[why]}, ${this.opNumber()}, ${dim}, ${first}, ${second});`);
      return '';
    });
  }
  bounded(size: number | string, low: number, high: number): void {
    this.check(`${size} >= ${low} && ${size} <= ${high}`, 'range', -1, size, low);
  }
  /** One size from two that must be equal. */
  agreed(a: Size, b: Size, dim: number): Size {
    if (a === b || b === undefined) return a;
    if (a === undefined) return b;
    if (this.canonical(a) !== this.canonical(b)) this.check(`${a} == ${b}`, 'sizes', dim, a, b);
    this.unite(a, b);
    return typeof a === 'number' ? a : b;
  }
  agreedSizes(list: readonly Sizes[]): Sizes {
    return list.reduce((all, sizes) => all.map((s, d) => this.agreed(s, sizes[d], d)));
  }
  /** The sizes of a result, checked against its declared type. */
  asStated(value: Value, sizes: Sizes): Sizes {
    return shapeOf(value).map((stated, d) => (stated === dynamicDim ? sizes[d] : this.agreed(stated, sizes[d], d)));
  }
  assertion(ok: string, message: string, values: readonly string[]): void {
    const number = this.opNumber();
    this.ops[number] = { ...this.ops[number]!, message };
    this.out.open(`if (!${ok})`);
    values.slice(0, assertionValues).forEach((v, i) => {
      this.out.line(`report[${reportLayout.values + i}] = (int64_t)${v};`);
    });
    this.out.line(`return t_fail(report, ${failures.assertion}, ${number}, 0, 0, 0);`);
    this.out.close();
  }
}
