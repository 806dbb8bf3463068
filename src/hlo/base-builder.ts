// Builds programs: appends ops to a list. `emit` is the primitive; the other methods are shorthands for it.
// It is used by the decompositions in op rows, so it does not depend on the op table: `Builder` (builder.ts) adds inference.
import { invariant, type SourceLocation } from '../base/errors.ts';
import type { PerResult } from './arity.ts';
import type {
  BinaryName,
  ComparisonDirection,
  DotDimensionNumbers,
  GatherDimensionNumbers,
  OpAttributes,
  OpName,
  ScatterDimensionNumbers,
  UnaryName,
} from './attributes.ts';
import { type Literal, splat } from './literal.ts';
import {
  type IdSource,
  type Op,
  type OpOf,
  type Region,
  shapeOf,
  type TensorValue,
  tensorTypeOf,
  type Value,
} from './program.ts';
import { type ElementType, numberKind, type TensorType, type Type, tensorType } from './types.ts';

const noRegions: readonly Region[] = [];
const noValue: Value = { id: -1, type: { kind: 'token' }, op: undefined, index: 0 };

/**
 * Appends ops to a list, with one method per op: checks operands and infers result types.
 * @example
 * const add = (b: hlo.BaseBuilder, x: hlo.Value, y: hlo.Value) => b.add(x, y);
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32'), hlo.tensorType('f32')], (b, [x, y]) => [add(b, x!, y!)]);
 * main.body.ops.map(({ name }) => name) // ['add']
 */
export abstract class BaseBuilder {
  /** The ops that were appended. */
  readonly ops: Op[] = [];
  /** The location of the ops that are appended from now on. */
  location: SourceLocation | undefined;
  /** Called with each op that is appended; but not with ops in regions. */
  onEmit: ((op: Op) => void) | undefined;
  protected readonly ids: IdSource;

  /** `ids` is shared between a builder and those of its regions, so that ids stay unique within a function. */
  constructor(ids: IdSource = { next: 0 }) {
    this.ids = ids;
  }

  /** The result types of an op; throws INVALID_OP if operands or attributes are invalid. */
  protected abstract infer<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[],
  ): readonly Type[];
  /** A builder for a region in the same function. */
  protected abstract inner(): this;

  /** The largest id given to a value so far; -1 before the first. */
  get lastId(): number {
    return this.ids.next - 1;
  }

  /** An argument of the function or region that is being built. */
  argument<T extends Type>(type: T, index: number): Value<T> {
    return { id: this.ids.next++, type, op: undefined, index };
  }

  /** Creates an op with its results, without appending it. */
  create<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = noRegions,
  ): OpOf<N> {
    const types = this.infer(name, operands, attributes, regions);
    // Not `push`, which reserves memory for 17 results.
    const results = types.length === 1 ? [noValue] : types.map(() => noValue);
    const op = { name, operands, attributes, regions, results, location: this.location } as unknown as OpOf<N>;
    for (let index = 0; index < types.length; index++)
      results[index] = { id: this.ids.next++, type: types[index]!, op: op as unknown as Op, index };
    return op;
  }
  /** Appends an op. */
  emit<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = noRegions,
  ): PerResult<N, Value> {
    const op = this.create(name, operands, attributes, regions);
    this.ops.push(op as unknown as Op);
    this.onEmit?.(op as unknown as Op);
    return op.results;
  }
  /** `emit` for ops with one tensor result. */
  emit1<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[] = noRegions,
  ): TensorValue {
    const result = this.emit(name, operands, attributes, regions)[0] as Value | undefined;
    if (result?.type.kind !== 'tensor') invariant(false, `${name} has no tensor result`);
    return result as TensorValue;
  }

  /** A region built by `body` from its arguments; it may capture values from outside. */
  region(argTypes: readonly Type[], body: (inner: this, args: readonly Value[]) => readonly Value[]): Region {
    const inner = this.inner();
    inner.location = this.location;
    const args = argTypes.map((type, i) => inner.argument(type, i));
    const results = body(inner, args);
    return { args, ops: inner.ops, results };
  }

  // sources
  /** A constant. */
  constant(value: Literal): TensorValue {
    return this.emit1('constant', [], { value });
  }
  /** A constant whose elements are all `value`; a scalar broadcast if the shape is not empty. */
  fill(elementType: ElementType, shape: readonly number[], value: number | bigint | boolean): TensorValue {
    const one = this.constant(splat(tensorType(elementType), value));
    return shape.length === 0 ? one : this.broadcastInDim(one, [], shape);
  }
  /** A number, in the type and shape of another value. */
  like(value: Value, fill: number): TensorValue {
    const { elementType, shape } = tensorTypeOf(value);
    return this.fill(elementType, shape, fill);
  }
  /** The position of each element along a dim. */
  iota(type: TensorType, iotaDimension: number): TensorValue {
    return this.emit1('iota', [], { iotaDimension, type });
  }

  // elementwise
  /** An elementwise op of one operand. */
  unary(name: UnaryName, x: Value): TensorValue {
    return this.emit1(name, [x], {});
  }
  /** An elementwise op of two operands of the same type. */
  binary(name: BinaryName, x: Value, y: Value): TensorValue {
    return this.emit1(name, [x, y], {});
  }
  /** x + y, element by element. */
  add = (x: Value, y: Value): TensorValue => this.binary('add', x, y);
  /** x − y, element by element. */
  subtract = (x: Value, y: Value): TensorValue => this.binary('subtract', x, y);
  /** x · y, element by element. */
  multiply = (x: Value, y: Value): TensorValue => this.binary('multiply', x, y);
  /** x / y, element by element. */
  divide = (x: Value, y: Value): TensorValue => this.binary('divide', x, y);
  /** The larger of two elements. */
  maximum = (x: Value, y: Value): TensorValue => this.binary('maximum', x, y);
  /** The smaller of two elements. */
  minimum = (x: Value, y: Value): TensorValue => this.binary('minimum', x, y);
  /** −x. */
  negate = (x: Value): TensorValue => this.unary('negate', x);
  /** Compares element by element; the result is i1. */
  compare(comparisonDirection: ComparisonDirection, x: Value, y: Value): TensorValue {
    const { elementType, quantization } = tensorTypeOf(x);
    const kind = quantization === undefined ? numberKind(elementType) : 'float';
    const isReal = kind === 'float' || kind === 'complex';
    const compareType = isReal ? 'FLOAT' : kind === 'signed' ? 'SIGNED' : 'UNSIGNED';
    return this.emit1('compare', [x, y], { comparisonDirection, compareType });
  }
  /** `onTrue` where the predicate holds, `onFalse` elsewhere. */
  select(predicate: Value, onTrue: Value, onFalse: Value): TensorValue {
    return this.emit1('select', [predicate, onTrue, onFalse], {});
  }
  /** The elements converted to a type; the value itself if it has that type. */
  convert(x: Value, elementType: ElementType): TensorValue {
    if (tensorTypeOf(x).elementType === elementType) return x as TensorValue;
    return this.emit1('convert', [x], { elementType });
  }

  // moving elements
  /** The same elements in another shape. */
  reshape(x: Value, shape: readonly number[]): TensorValue {
    return this.emit1('reshape', [x], { shape });
  }
  /** Repeats a value along new dims; `broadcastDimensions` are the positions of its dims in the result. */
  broadcastInDim(x: Value, broadcastDimensions: readonly number[], shape: readonly number[]): TensorValue {
    return this.emit1('broadcast_in_dim', [x], { broadcastDimensions, shape });
  }
  /** Permutes dims. */
  transpose(x: Value, permutation: readonly number[]): TensorValue {
    return this.emit1('transpose', [x], { permutation });
  }
  /** A part of each dim. */
  slice(
    x: Value,
    startIndices: readonly number[],
    limitIndices: readonly number[],
    strides: readonly number[] = startIndices.map(() => 1),
  ): TensorValue {
    return this.emit1('slice', [x], { startIndices, limitIndices, strides });
  }
  /** Concatenates values along a dim. */
  concatenate(xs: readonly Value[], dimension: number): TensorValue {
    return this.emit1('concatenate', xs, { dimension });
  }
  /** Adds elements at the edges of dims and between elements; negative amounts at edges remove elements. */
  pad(
    x: Value,
    value: Value,
    low: readonly number[],
    high: readonly number[],
    interior: readonly number[] = low.map(() => 0),
  ): TensorValue {
    return this.emit1('pad', [x, value], { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior });
  }
  /** Slices of a value at computed positions. */
  gather(
    operand: Value,
    startIndices: Value,
    dimensionNumbers: GatherDimensionNumbers,
    sliceSizes: readonly number[],
  ): TensorValue {
    return this.emit1('gather', [operand, startIndices], { dimensionNumbers, sliceSizes, indicesAreSorted: false });
  }
  /** A value in which slices at computed positions are combined with updates. */
  scatter(
    combiner: BinaryName,
    input: Value,
    indices: Value,
    updates: Value,
    dimensionNumbers: ScatterDimensionNumbers,
  ): TensorValue {
    const region = this.combiner(combiner, tensorTypeOf(input).elementType);
    return this.emit1(
      'scatter',
      [input, indices, updates],
      { dimensionNumbers, indicesAreSorted: false, uniqueIndices: false },
      [region],
    );
  }

  // contractions and reductions
  /** A product of matrices or tensors. The result has the batch dims, then the other dims of lhs and rhs. */
  dotGeneral(lhs: Value, rhs: Value, dims: DotDimensionNumbers): TensorValue {
    return this.emit1('dot_general', [lhs, rhs], { ...dims, precision: ['DEFAULT', 'DEFAULT'] });
  }
  /** A region (a, b) → combiner(a, b) over scalars. */
  combiner(name: BinaryName, elementType: ElementType): Region {
    const type = tensorType(elementType);
    return this.region([type, type], (b, [x, y]) => [b.binary(name, x!, y!)]);
  }
  /** Reduces over `dimensions` with a binary op from `init` (a scalar value). */
  reduce(name: BinaryName, x: Value, init: Value, dimensions: readonly number[]): TensorValue {
    return this.emit1('reduce', [x, init], { dimensions }, [this.combiner(name, tensorTypeOf(x).elementType)]);
  }
  /** The sum over dims; all of them by default. */
  sum(x: Value, dimensions: readonly number[] = shapeOf(x).map((_, i) => i)): TensorValue {
    return this.reduce('add', x, this.fill(tensorTypeOf(x).elementType, [], 0), dimensions);
  }
}
