// Ops that only move elements along a divided dim: slices, padding, concatenation, reversal. Each device gets the elements of its
// part of the result (`windows.ts`). A slice that lies in one part can be a sum instead, to which other devices add nothing.
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { isInteger, tensorType } from '../../hlo/types.ts';
import { type Layout, localSize, type OpLayouts } from './layout.ts';
import { neutralElement } from './padding.ts';
import type { Site } from './reshard.ts';
import { windowsOf } from './windows.ts';

type Shift = Op<'slice' | 'pad' | 'concatenate' | 'reverse'>;

/** Whether an op moves elements along a dim of its result, in a way that is known. */
export function shiftsAlong(op: Op, dim: number): boolean {
  switch (op.name) {
    case 'slice': {
      const size = shapeOf(op.results[0])[dim]!;
      return size > 0 && size !== shapeOf(op.operands[0])[dim];
    }
    case 'pad': {
      const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
      const size = shapeOf(op.results[0])[dim]!;
      return size > 0 && interior[dim] === 0 && (low[dim] !== 0 || high[dim] !== 0);
    }
    case 'concatenate':
      return op.attributes.dimension === dim;
    case 'reverse':
      return op.attributes.dimensions.includes(dim);
    default:
      return false;
  }
}
const shiftedDims = (op: Op, { results: [layout] }: OpLayouts): readonly number[] =>
  layout!.flatMap((axes, dim) => (axes.length > 0 && shiftsAlong(op, dim) ? [dim] : []));
export const isShift = (op: Op, layouts: OpLayouts): op is Shift => shiftedDims(op, layouts).length > 0;
/** The layouts of the operands without the division of these dims. */
export const beforeShift = (op: Op, layouts: OpLayouts): readonly Layout[] => {
  const dims = shiftedDims(op, layouts);
  return layouts.operands.map(layout => layout.map((axes, dim) => (dims.includes(dim) ? [] : axes)));
};

/** The part of the result, of parts of the operands that are divided along the same axes. */
export function emitShift(site: Site, op: Shift, operands: readonly Value[], layouts: OpLayouts): Value {
  const { b, mesh, devices } = site;
  const layout = layouts.results[0]!;
  const dims = shiftedDims(op, layouts);
  const sizes = shapeOf(op.operands[0]!);
  const parts = shapeOf(op.results[0]).map((size, dim) => localSize(size, layout[dim]!, mesh));
  const windows = (part: Value, dim: number, start: number, step: number, length: number, end = Infinity): Value =>
    windowsOf(site, [{ part, size: sizes[dim]! }], dim, layout[dim]!, { start, step, length, end });
  /** Positions along dims that are not divided. */
  const own = (given: readonly number[], otherwise: (dim: number) => number): readonly number[] =>
    given.map((n, dim) => (layout[dim]!.length > 0 ? otherwise(dim) : n));
  let value = operands[0]!;
  switch (op.name) {
    case 'slice': {
      // First along other dims, so that less is sent.
      const { startIndices, limitIndices, strides } = op.attributes;
      const shape = shapeOf(value);
      value = b.slice(
        value,
        own(startIndices, () => 0),
        own(limitIndices, dim => shape[dim]!),
        own(strides, () => 1),
      );
      for (const dim of dims) {
        const [part, stride] = [parts[dim]!, strides[dim]!];
        value = windows(value, dim, startIndices[dim]!, part * stride, (part - 1) * stride + 1, limitIndices[dim]);
        if (stride === 1) continue;
        const shape = shapeOf(value);
        value = b.slice(
          value,
          shape.map(() => 0),
          shape,
          shape.map((_, d) => (d === dim ? stride : 1)),
        );
      }
      return value;
    }
    case 'pad': {
      const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
      for (const dim of dims) value = windows(value, dim, -low[dim]!, parts[dim]!, parts[dim]!);
      const none = (): number => 0;
      value = b.pad(value, operands[1]!, own(low, none), own(high, none), own(interior, none));
      for (const dim of dims) {
        const [part, first] = [parts[dim]!, low[dim]!];
        const end = first + sizes[dim]!;
        const positions = b.add(
          b.iota(tensorType('i32', [part]), 0),
          b.broadcastInDim(devices.start(layout[dim]!, part), [], [part]),
        );
        const isInside = b.binary(
          'and',
          b.compare('GE', positions, b.like(positions, first)),
          b.compare('LT', positions, b.like(positions, end)),
        );
        const filled = b.broadcastInDim(operands[1]!, [], shapeOf(value));
        value = b.select(b.broadcastInDim(isInside, [dim], shapeOf(value)), value, filled);
      }
      return value;
    }
    case 'concatenate': {
      const { dimension: dim } = op.attributes;
      const length = parts[dim]!;
      const sources = operands.map((part, i) => ({ part, size: shapeOf(op.operands[i]!)[dim]! }));
      return windowsOf(site, sources, dim, layout[dim]!, { start: 0, step: length, length, end: Infinity });
    }
    case 'reverse':
      for (const dim of dims) value = windows(value, dim, sizes[dim]! - parts[dim]!, -parts[dim]!, parts[dim]!);
      return b.emit1('reverse', [value], op.attributes);
  }
}

/** Types in which adding -0 changes no element. */
const wideFloats: ReadonlySet<string> = new Set(['f64', 'f32', 'f16', 'bf16']);
/** The layouts with which a slice is such a sum; undefined if it is not. `layout`: of its operand. */
export function layoutsOfOwned(op: Op, layout: Layout, mesh: Mesh): OpLayouts | undefined {
  if (op.name !== 'slice') return undefined;
  const { startIndices, limitIndices } = op.attributes;
  const { elementType, shape } = tensorTypeOf(op.operands[0]);
  const dims = shape.flatMap((_, dim) => (layout[dim]!.length > 0 && shiftsAlong(op, dim) ? [dim] : []));
  const isInOnePart = dims.every(dim => {
    const part = localSize(shape[dim]!, layout[dim]!, mesh);
    return Math.floor(startIndices[dim]! / part) === Math.floor((limitIndices[dim]! - 1) / part);
  });
  if (dims.length === 0 || !isInOnePart || !(isInteger(elementType) || wideFloats.has(elementType))) return undefined;
  return {
    operands: [layout],
    results: [layout.map((axes, dim) => (dims.includes(dim) ? [] : axes))],
    reduced: dims.flatMap(dim => layout[dim]!),
  };
}
export function emitOwned({ b, devices }: Site, op: Op<'slice'>, part: Value, layout: Layout): Value {
  const { startIndices, limitIndices, strides } = op.attributes;
  const shape = shapeOf(part);
  const dims = layout.flatMap((axes, dim) => (axes.length > 0 && shiftsAlong(op, dim) ? [dim] : []));
  /** How many elements come before the part that has the slice; for a dim that is divided and kept, the slice is the part. */
  const before = startIndices.map((start, dim) => (dims.includes(dim) ? start - (start % shape[dim]!) : 0));
  const value = b.slice(
    part,
    startIndices.map((start, dim) => start - before[dim]!),
    limitIndices.map((limit, dim) => Math.min(limit - before[dim]!, shape[dim]!)),
    strides,
  );
  const isOwner = dims
    .map(dim => devices.start(layout[dim]!, shape[dim]!))
    .map((start, i) => b.compare('EQ', start, b.like(start, before[dims[i]!]!)))
    .reduce((all, one) => b.binary('and', all, one));
  const nothing = b.constant(neutralElement('add', tensorTypeOf(part).elementType)!);
  return b.select(isOwner, value, b.broadcastInDim(nothing, [], shapeOf(value)));
}
