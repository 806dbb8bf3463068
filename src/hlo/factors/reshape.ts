// The factors of a reshape: both shapes are walked from the major dim on, and share the greatest common factors.
//
//   tensor<8x6> → tensor<4x12>    ([ij, k])->([i, jk]) {i=4, j=2, k=6}
import type { OpOf } from '../program.ts';
import { shapeOf } from '../program.ts';
import { elementCount } from '../types.ts';
import { RuleBuilder, type ShardingRule } from './rule.ts';

/** One of the two shapes. */
class Side {
  readonly #shape: readonly number[];
  dim = 0;
  /** The product of the dims up to the current one, and of the factors so far. */
  #dims = 1;
  product = 1;

  constructor(shape: readonly number[]) {
    this.#shape = shape;
  }
  get isOpen(): boolean {
    return this.dim < this.#shape.length;
  }
  get isOne(): boolean {
    return this.isOpen && this.#shape[this.dim] === 1;
  }
  /** Enters the current dim, if it has no factor yet. */
  enter(): void {
    if (this.isOpen && this.#dims === this.product) this.#dims *= this.#shape[this.dim]!;
  }
  /** The rest of the current dim. */
  get rest(): number {
    return this.#dims / this.product;
  }
  take(factor: number): void {
    this.product *= factor;
  }
  leave(): void {
    if (this.isOpen && this.#dims === this.product) this.dim++;
  }
}

export function reshapeFactors(op: OpOf<'reshape'>): ShardingRule | undefined {
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  if (elementCount(from) === 0) return undefined;
  const builder = new RuleBuilder(op);
  const [source, target] = [new Side(from), new Side(to)];
  const addToSource = (size: number): void => {
    builder.add(size, [source.dim], []);
    source.take(size);
  };
  const addToTarget = (size: number): void => {
    builder.add(size, [], [target.dim]);
    target.take(size);
  };
  while (source.isOpen || target.isOpen) {
    if (source.isOne) {
      builder.add(1, [source.dim++], []);
      continue;
    }
    if (target.isOne) {
      builder.add(1, [], [target.dim++]);
      continue;
    }
    source.enter();
    target.enter();
    const common = gcd(source.rest, target.rest);
    if (source.product < target.product) addToSource(catchUp(source, target, common));
    else if (target.product < source.product) addToTarget(catchUp(target, source, common));
    else if (common > 1) {
      builder.add(common, [source.dim], [target.dim]);
      source.take(common);
      target.take(common);
    } else {
      addToSource(source.rest);
      addToTarget(target.rest);
    }
    source.leave();
    target.leave();
  }
  return builder.build();
}

/** The next factor of the side whose product is smaller: one that makes the products equal, or leaves `common` for later. */
function catchUp(behind: Side, ahead: Side, common: number): number {
  const ratio = ahead.product / behind.product;
  if (Number.isInteger(ratio) && behind.rest % ratio === 0) return ratio;
  return behind.rest > common ? behind.rest / common : behind.rest;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
