// Rows of the other ops that move elements: concatenate, pad, dynamic_slice, dynamic_update_slice.
import type { Literal } from '../literal.ts';
import { zeros } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { dynamicDim, formatType, isInteger, stridesOf, type TensorType } from '../types.ts';
import { concatenatedType, mapExtents } from './bounds.ts';
import { bytesOfType, moving } from './costs.ts';
import { affineIndices, combinedIndices, copyOf, filled, put, take } from './indices.ts';
import { type Checker, checkerOf, dimsAgree, keepsElements, list, sameElements, withShape } from './shape-checks.ts';

const concatenateChecks: Checker = checkerOf('concatenate');
const padChecks: Checker = checkerOf('pad');
const sliceChecks: Checker = checkerOf('dynamic_slice');
const updateChecks: Checker = checkerOf('dynamic_update_slice');

function checkStarts(
  require: Checker,
  constraints: readonly [size: number, same: number],
  starts: readonly TensorType[],
  rank: number,
): void {
  require(starts.length === rank, constraints[0], () => `${rank} start indices expected, got ${starts.length}`);
  require(starts.every(
    s =>
      s.shape.length === 0 &&
      s.quantization === undefined &&
      isInteger(s.elementType) &&
      s.elementType === starts[0]!.elementType,
  ), constraints[1], () =>
    `start indices must be integer scalars of one type, got ${starts.map(formatType).join(', ')}`);
}

/** Start indices clamped so that the slice is within the operand, as the specification requires. */
function clampedOffset(starts: readonly Literal[], shape: readonly number[], sizes: readonly number[]): number {
  const strides = stridesOf(shape);
  return starts.reduce(
    (sum, start, d) => sum + Math.min(Math.max(Number(start.data[0]), 0), shape[d]! - sizes[d]!) * strides[d]!,
    0,
  );
}

export const movementRows: Rows<'concatenate' | 'pad' | 'dynamic_slice' | 'dynamic_update_slice'> = {
  concatenate: {
    name: 'concatenate',
    kind: 'movement',
    pure: true,
    infer(operands, { dimension }) {
      const types = tensors('concatenate', operands);
      concatenateChecks(types.length > 0, 3, () => 'expected at least one operand');
      const first = types[0]!;
      const what = (): string => `${types.map(formatType).join(', ')} along dim ${dimension}`;
      concatenateChecks(
        types.every(t => sameElements(t, first)),
        1,
        () => `${what()}: element types differ`,
      );
      concatenateChecks(
        Number.isInteger(dimension) && dimension >= 0 && dimension < first.shape.length,
        4,
        () => `${what()}: there is no such dim`,
      );
      concatenateChecks(
        types.every(
          t =>
            t.shape.length === first.shape.length &&
            t.shape.every((d, i) => i === dimension || dimsAgree(d, first.shape[i]!)),
        ),
        2,
        () => `${what()}: shapes differ in another dim`,
      );
      return [concatenatedType(concatenateChecks, 2, types, dimension)];
    },
    verify: keepsElements(concatenateChecks, 5),
    evaluate(op, operands) {
      const { dimension } = op.attributes;
      const first = operands[0].type;
      const total = operands.reduce((sum, x) => sum + x.type.shape[dimension]!, 0);
      const shape = first.shape.map((d, i) => (i === dimension ? total : d));
      const out = zeros(withShape(first, shape));
      const strides = stridesOf(shape);
      let start = 0;
      for (const x of operands) {
        put(out, x, affineIndices(x.type.shape, strides, start * strides[dimension]!));
        start += x.type.shape[dimension]!;
      }
      return [out];
    },
    cost: op => moving(op),
  },
  pad: {
    name: 'pad',
    kind: 'movement',
    pure: true,
    infer(operands, { edgePaddingLow, edgePaddingHigh, interiorPadding }) {
      const [x, value] = tensors('pad', operands);
      padChecks(
        value.shape.length === 0 && sameElements(value, x),
        1,
        () => `${formatType(x)} is padded with a ${formatType(value)}`,
      );
      const rank = x.shape.length;
      padChecks(
        [edgePaddingLow, edgePaddingHigh, interiorPadding].every(l => l.length === rank),
        2,
        () => `expected low, high and interior padding for each of ${rank} dims`,
      );
      padChecks(
        interiorPadding.every(p => p >= 0),
        3,
        () => `interior padding must not be negative, got ${list(interiorPadding)}`,
      );
      const type = mapExtents(x, (size, i) => {
        const padded = size + edgePaddingLow[i]! + Math.max(size - 1, 0) * interiorPadding[i]! + edgePaddingHigh[i]!;
        padChecks(padded >= 0, 4, () => `dim ${i} of ${formatType(x)} would have the size ${padded}`);
        return padded;
      });
      return [type];
    },
    verify: keepsElements(padChecks, 1),
    evaluate(op, [x, value]) {
      const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
      const from = x.type.shape;
      const shape = from.map((d, i) => d + low[i]! + Math.max(d - 1, 0) * interior[i]! + high[i]!);
      const strides = stridesOf(shape);
      const out = filled(withShape(x.type, shape), value);
      // A negative edge padding drops elements: their index is -1.
      const lists = from.map((size, d) =>
        Array.from({ length: size }, (_, k) => {
          const at = low[d]! + k * (interior[d]! + 1);
          return at < 0 || at >= shape[d]! ? -1 : at * strides[d]!;
        }),
      );
      put(out, x, combinedIndices(lists));
      return [out];
    },
    cost: op => ({ ...moving(op), bytesRead: bytesOfType(op.operands[0].type) }),
  },
  dynamic_slice: {
    name: 'dynamic_slice',
    kind: 'movement',
    pure: true,
    infer(operands, { sliceSizes }) {
      const [x, ...starts] = tensors('dynamic_slice', operands);
      sliceChecks(
        x !== undefined && sliceSizes.length === x.shape.length,
        2,
        () => `expected one slice size per dim, got ${list(sliceSizes)}`,
      );
      checkStarts(sliceChecks, [2, 3], starts, x.shape.length);
      sliceChecks(
        sliceSizes.every((s, d) => s >= 0 && (x.shape[d] === dynamicDim || s <= x.shape[d]!)),
        4,
        () => `a slice of ${list(sliceSizes)} does not fit into ${formatType(x)}`,
      );
      return [withShape(x, sliceSizes)];
    },
    verify: keepsElements(sliceChecks, 1),
    evaluate(op, [x, ...starts]) {
      const { sliceSizes } = op.attributes;
      const { shape } = x!.type;
      const indices = affineIndices(sliceSizes, stridesOf(shape), clampedOffset(starts, shape, sliceSizes));
      return [take(withShape(x!.type, sliceSizes), x!, indices)];
    },
    cost: op => moving(op, op.operands.slice(1)),
  },
  dynamic_update_slice: {
    name: 'dynamic_update_slice',
    kind: 'movement',
    pure: true,
    infer(operands) {
      const [x, update, ...starts] = tensors('dynamic_update_slice', operands);
      updateChecks(x !== undefined && update !== undefined, 4, () => 'takes an operand, an update and start indices');
      updateChecks(sameElements(update, x), 2, () => `${formatType(x)} is updated with ${formatType(update)}`);
      updateChecks(
        update.shape.length === x.shape.length,
        3,
        () => `${formatType(x)} is updated with ${formatType(update)}: ranks differ`,
      );
      checkStarts(updateChecks, [4, 5], starts, x.shape.length);
      updateChecks(
        update.shape.every((s, d) => x.shape[d] === dynamicDim || s <= x.shape[d]!),
        6,
        () => `${formatType(update)} does not fit into ${formatType(x)}`,
      );
      return [x];
    },
    verify: keepsElements(updateChecks, 1),
    evaluate(_op, [x, update, ...starts]) {
      const out = copyOf(x);
      const { shape } = x.type;
      put(
        out,
        update,
        affineIndices(update.type.shape, stridesOf(shape), clampedOffset(starts, shape, update.type.shape)),
      );
      return [out];
    },
    // Updated in place: only the update moves.
    cost(op) {
      const bytes = bytesOfType(op.operands[1].type);
      return { flops: 0, transcendentals: 0, bytesRead: bytes, bytesWritten: bytes };
    },
  },
};
