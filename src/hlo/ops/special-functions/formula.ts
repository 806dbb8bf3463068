// Formulas over tensors of one shape, as ops. Numbers among the terms become constants of the element type, each created once.
import type { ComparisonDirection } from '../../attributes.ts';
import type { BaseBuilder } from '../../base-builder.ts';
import { type TensorValue, tensorTypeOf, type Value } from '../../program.ts';
import type { ElementType } from '../../types.ts';

export type Term = Value | number | bigint;

export class Formula {
  readonly elementType: ElementType;
  readonly #builder: BaseBuilder;
  readonly #shape: readonly number[];
  readonly #constants = new Map<number | bigint, TensorValue>();

  /** Constants get the element type and the shape of `like`. */
  constructor(builder: BaseBuilder, like: Value) {
    this.#builder = builder;
    const { elementType, shape } = tensorTypeOf(like);
    this.elementType = elementType;
    this.#shape = shape;
  }

  value(term: Term): Value {
    if (typeof term === 'object') return term;
    const known = this.#constants.get(term);
    if (known !== undefined) return known;
    const constant = this.#builder.fill(this.elementType, this.#shape, term);
    this.#constants.set(term, constant);
    return constant;
  }

  add = (x: Term, y: Term): TensorValue => this.#builder.add(this.value(x), this.value(y));
  subtract = (x: Term, y: Term): TensorValue => this.#builder.subtract(this.value(x), this.value(y));
  multiply = (x: Term, y: Term): TensorValue => this.#builder.multiply(this.value(x), this.value(y));
  divide = (x: Term, y: Term): TensorValue => this.#builder.divide(this.value(x), this.value(y));
  maximum = (x: Term, y: Term): TensorValue => this.#builder.maximum(this.value(x), this.value(y));
  minimum = (x: Term, y: Term): TensorValue => this.#builder.minimum(this.value(x), this.value(y));
  power = (x: Term, y: Term): TensorValue => this.#builder.binary('power', this.value(x), this.value(y));
  remainder = (x: Term, y: Term): TensorValue => this.#builder.binary('remainder', this.value(x), this.value(y));
  atan2 = (x: Term, y: Term): TensorValue => this.#builder.binary('atan2', this.value(x), this.value(y));
  and = (x: Term, y: Term): TensorValue => this.#builder.binary('and', this.value(x), this.value(y));
  or = (x: Term, y: Term): TensorValue => this.#builder.binary('or', this.value(x), this.value(y));
  shiftRight = (x: Term, bits: Term): TensorValue =>
    this.#builder.binary('shift_right_logical', this.value(x), this.value(bits));

  abs = (x: Term): TensorValue => this.#builder.unary('abs', this.value(x));
  negate = (x: Term): TensorValue => this.#builder.negate(this.value(x));
  sign = (x: Term): TensorValue => this.#builder.unary('sign', this.value(x));
  floor = (x: Term): TensorValue => this.#builder.unary('floor', this.value(x));
  sqrt = (x: Term): TensorValue => this.#builder.unary('sqrt', this.value(x));
  exp = (x: Term): TensorValue => this.#builder.unary('exponential', this.value(x));
  expm1 = (x: Term): TensorValue => this.#builder.unary('exponential_minus_one', this.value(x));
  log = (x: Term): TensorValue => this.#builder.unary('log', this.value(x));
  log1p = (x: Term): TensorValue => this.#builder.unary('log_plus_one', this.value(x));
  sine = (x: Term): TensorValue => this.#builder.unary('sine', this.value(x));
  cosine = (x: Term): TensorValue => this.#builder.unary('cosine', this.value(x));
  square = (x: Term): TensorValue => this.multiply(x, x);

  compare = (direction: ComparisonDirection, x: Term, y: Term): TensorValue =>
    this.#builder.compare(direction, this.value(x), this.value(y));
  isFinite = (x: Term): TensorValue => this.#builder.emit1('is_finite', [this.value(x)], {});
  select = (predicate: Value, onTrue: Term, onFalse: Term): TensorValue =>
    this.#builder.select(predicate, this.value(onTrue), this.value(onFalse));

  /** The polynomial with these coefficients, that of the highest power first, by Horner's rule. */
  polynomial(coefficients: readonly Term[], x: Term): Value {
    return coefficients
      .slice(1)
      .reduce<Value>((sum, coefficient) => this.add(this.multiply(sum, x), coefficient), this.value(coefficients[0]!));
  }
  /** Σ cₖ·Tₖ(x/2), half of the last term, coefficients in descending order: Chebyshev polynomials by Clenshaw's recurrence. */
  chebyshev(coefficients: readonly number[], x: Term): Value {
    let [b0, b1, b2]: [Term, Term, Term] = [0, 0, 0];
    for (const coefficient of coefficients) {
      [b2, b1] = [b1, b0];
      b0 = this.add(this.subtract(this.multiply(x, b1), b2), coefficient);
    }
    return this.multiply(this.subtract(b0, b2), 0.5);
  }
}

/** The limits of a float type: those of f64, or of f32, in which less precise types are computed. */
export function limitsOf(type: ElementType) {
  return type === 'f64'
    ? { largest: Number.MAX_VALUE, smallestNormal: 2 ** -1022, smallest: Number.MIN_VALUE }
    : { largest: (2 - 2 ** -23) * 2 ** 127, smallestNormal: 2 ** -126, smallest: 2 ** -149 };
}
