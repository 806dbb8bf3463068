// Gather and scatter on parts of a table: indices count from the start of a part.
//
//   gather    each device looks up the rows that it has, and zeros for the others: terms of a sum
//   scatter   each device updates the rows that it has; updates of others are out of range, and dropped
import type { Builder } from '../../hlo/builder.ts';
import { literal, splat } from '../../hlo/literal.ts';
import { type OpOf, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';
import type { DeviceIndex } from './device-index.ts';
import type { Layout } from './layout.ts';

/** One component of the index vectors. */
interface Component {
  readonly dim: number;
  /** Where the part starts; undefined if the dim is not divided. */
  readonly start: Value | undefined;
}

/** Whether rows are looked up in a divided dim. */
export const looksUpParts = (
  { attributes: { dimensionNumbers, sliceSizes } }: OpOf<'gather'>,
  table: Layout,
): boolean => dimensionNumbers.startIndexMap.some(dim => sliceSizes[dim] === 1 && table[dim]!.length > 0);
/** Whether updates go into a divided dim. */
export const updatesParts = ({ attributes: { dimensionNumbers: d } }: OpOf<'scatter'>, table: Layout): boolean =>
  d.scatterDimsToOperandDims.some(dim => d.insertedWindowDims.includes(dim) && table[dim]!.length > 0);

export function gatherFromPart(
  b: Builder,
  op: OpOf<'gather'>,
  attributes: OpOf<'gather'>['attributes'],
  [table, indices]: readonly [Value, Value],
  layout: Layout,
  devices: DeviceIndex,
): Value {
  const { startIndexMap, indexVectorDim, offsetDims } = attributes.dimensionNumbers;
  const [size, part] = [shapeOf(op.operands[0]), shapeOf(table)];
  const components = startIndexMap.map((dim): Component => {
    const isDivided = op.attributes.sliceSizes[dim] === 1 && layout[dim]!.length > 0;
    return { dim, start: isDivided ? devices.start(layout[dim]!, part[dim]!) : undefined };
  });
  const vectors = new IndexVectors(b, widened(b, indices), indexVectorDim);
  // Starts outside of the whole are moved into it.
  const inWhole = b.emit1(
    'clamp',
    [
      vectors.of(() => 0),
      vectors.value,
      vectors.of(k => size[startIndexMap[k]!]! - op.attributes.sliceSizes[startIndexMap[k]!]!),
    ],
    {},
  );
  const starts = vectors.with(b.convert(inWhole, 'i32'));
  const local = starts.with(b.subtract(starts.value, starts.ofComponents(components)));
  const isIn = b.binary(
    'and',
    b.compare(
      'GE',
      local.value,
      local.of(() => 0),
    ),
    b.compare(
      'LT',
      local.value,
      local.of(k => part[startIndexMap[k]!]!),
    ),
  );
  const rows = b.emit1('gather', [table, local.value], attributes);
  const batch = shapeOf(rows).flatMap((_, d) => (offsetDims.includes(d) ? [] : [d]));
  const isRow = b.broadcastInDim(local.all(isIn), batch, shapeOf(rows));
  return b.select(isRow, rows, b.broadcastInDim(b.constant(nothing(tensorTypeOf(rows))), [], shapeOf(rows)));
}

/** The indices of a scatter into parts. */
export function indicesInPart(
  b: Builder,
  { attributes: { dimensionNumbers: d } }: OpOf<'scatter'>,
  table: Value,
  indices: Value,
  layout: Layout,
  devices: DeviceIndex,
): Value {
  const components = d.scatterDimsToOperandDims.map((dim): Component => {
    const isDivided = d.insertedWindowDims.includes(dim) && layout[dim]!.length > 0;
    return { dim, start: isDivided ? devices.start(layout[dim]!, shapeOf(table)[dim]!) : undefined };
  });
  const vectors = new IndexVectors(b, widened(b, indices), d.indexVectorDim);
  return b.subtract(vectors.value, vectors.ofComponents(components));
}

/** Adding it changes no number, not even the sign of a zero. */
const nothing = ({ elementType }: TensorType) =>
  splat(tensorType(elementType, []), ['f64', 'f32', 'f16', 'bf16'].includes(elementType) ? -0 : 0);

/** Indices in a type that has the sizes of all tensors. */
function widened(b: Builder, indices: Value): Value {
  const { elementType } = tensorTypeOf(indices);
  return ['i32', 'ui32', 'i64', 'ui64'].includes(elementType) ? indices : b.convert(indices, 'i32');
}

/** Index vectors along a dim of a tensor; a tensor without that dim has vectors of one component. */
class IndexVectors {
  readonly value: Value;
  readonly #b: Builder;
  readonly #dim: number;

  constructor(b: Builder, value: Value, dim: number) {
    this.#b = b;
    this.value = value;
    this.#dim = dim;
  }

  with(value: Value): IndexVectors {
    return new IndexVectors(this.#b, value, this.#dim);
  }
  /** The same vector everywhere. */
  of(component: (k: number) => number): Value {
    const numbers = Array.from({ length: this.#count }, (_, k) => component(k));
    return this.#repeated(this.#b.constant(literal(this.#elementType, [this.#count], numbers)));
  }
  ofComponents(components: readonly Component[]): Value {
    const b = this.#b;
    const starts = components.map(({ start }) =>
      start === undefined
        ? b.constant(literal(this.#elementType, [1], [0]))
        : b.reshape(b.convert(start, this.#elementType), [1]),
    );
    return this.#repeated(starts.length === 1 ? starts[0]! : b.emit1('concatenate', starts, { dimension: 0 }));
  }
  /** Whether all components are true. */
  all(isTrue: Value): Value {
    const b = this.#b;
    const shape = shapeOf(isTrue);
    if (this.#dim === shape.length) return isTrue;
    const scalar = tensorType('i1', []);
    const and = b.region([scalar, scalar], (inner, [x, y]) => [inner.binary('and', x!, y!)]);
    const init = b.constant(literal('i1', [], [1]));
    return b.emit('reduce', [isTrue, init], { dimensions: [this.#dim] }, [and])[0]!;
  }

  get #count(): number {
    return shapeOf(this.value)[this.#dim] ?? 1;
  }
  get #elementType(): ElementType {
    return tensorTypeOf(this.value).elementType;
  }
  #repeated(vector: Value): Value {
    const shape = shapeOf(this.value);
    return this.#dim === shape.length
      ? this.#b.broadcastInDim(this.#b.reshape(vector, []), [], shape)
      : this.#b.broadcastInDim(vector, [this.#dim], shape);
  }
}
