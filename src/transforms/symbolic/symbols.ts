// The numbers in which programs of one structure differ. Numbers that are equal in each of them are one symbol: the length of a
// batch of sentences is a size of many values, and all of them have the same symbol.
import type { Structure } from '../../hlo/func-key.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';

/** A number of a program: itself where it is the same in all samples, otherwise a symbol. */
export type Size = number | { readonly symbol: number };

/** How a constant is part of the program for all sizes. */
export type ConstantForm =
  /** It is the same in all samples. */
  | 'fixed'
  /** Its elements are all equal, and the same in all samples, but its sizes differ. */
  | 'spread'
  /** An input. */
  | 'input';

export class Symbols {
  /** How many symbols there are. */
  readonly count: number;
  readonly #samples: readonly Structure[];
  readonly #symbols = new Map<string, number>();
  /** For each number, its symbol; -1 where it never changes. */
  readonly #symbolAt: Int32Array;
  readonly #forms: readonly ConstantForm[];

  /** `samples`: at least two, with equal keys. */
  constructor(samples: readonly Structure[]) {
    this.#samples = samples;
    const [{ numbers, literals }] = samples as [Structure];
    this.#symbolAt = Int32Array.from(numbers, (_, at) => {
      const values = samples.map(sample => sample.numbers[at]!);
      if (isOne(values)) return -1;
      const key = values.join();
      const known = this.#symbols.get(key) ?? this.#symbols.size;
      this.#symbols.set(key, known);
      return known;
    });
    this.count = this.#symbols.size;
    this.#forms = literals.map((_, at) => formOf(samples.map(sample => sample.literals[at]!)));
  }

  /** The size that has these values in the samples. */
  sizeOf(values: readonly number[]): Size {
    return isOne(values) ? values[0]! : { symbol: this.#symbols.get(values.join())! };
  }
  formOf(constant: number): ConstantForm {
    return this.#forms[constant]!;
  }

  /** The values of symbols and constants with which the program for all sizes computes this one; undefined if it cannot. */
  bind({
    numbers,
    literals,
  }: Structure): { readonly sizes: readonly number[]; readonly inputs: Literal[] } | undefined {
    const [first] = this.#samples;
    const sizes = new Array<number>(this.count);
    for (let at = 0; at < numbers.length; at++) {
      const symbol = this.#symbolAt[at]!;
      if (symbol >= 0) sizes[symbol] ??= numbers[at]!;
      const expected = symbol < 0 ? first!.numbers[at] : sizes[symbol];
      if (numbers[at] !== expected) return undefined;
    }
    const inputs: Literal[] = [];
    for (const [at, literal] of literals.entries()) {
      const form = this.#forms[at];
      if (form === 'input') inputs.push(literal);
      else if (formOf([first!.literals[at]!, literal]) === 'input') return undefined;
    }
    return { sizes, inputs };
  }
}

const isOne = (values: readonly number[]): boolean => values.every(value => value === values[0]);

function formOf(literals: readonly Literal[]): ConstantForm {
  const [first] = literals as [Literal];
  if (literals.every(literal => literal === first || isEqual(literal, first))) return 'fixed';
  const isSpread = literals.every(
    ({ data }) => data.length > 0 && isUniform(data) && Object.is(data[0], first.data[0]),
  );
  return isSpread ? 'spread' : 'input';
}
function isEqual(a: Literal, b: Literal): boolean {
  const [x, y] = [a.type.shape, b.type.shape];
  return x.every((size, d) => size === y[d]) && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}
const isUniform = (data: Literal['data']): boolean => data.every(value => Object.is(value, data[0]));
