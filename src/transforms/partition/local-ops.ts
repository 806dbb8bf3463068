// An op on the parts of its operands. Where results are terms, what is added once for all is added by one device.
import type { BinaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { splat } from '../../hlo/literal.ts';
import { type Op, type Region, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Axes } from './axes.ts';
import { isFilledWith } from './constant-elements.ts';
import type { DeviceIndex } from './device-index.ts';
import { gatherFromPart, indicesInPart, looksUpParts, updatesParts } from './indexed-parts.ts';
import type { OpLayouts } from './layout.ts';

/** An op, with the attributes and regions that fit its parts. */
export interface LocalOp {
  readonly op: Op;
  readonly attributes: object;
  readonly regions: readonly Region[];
  readonly operands: readonly Value[];
  readonly layouts: OpLayouts;
  /** How terms are combined, if there are any. */
  readonly combiner: BinaryName | undefined;
}

export function emitLocal(b: Builder, local: LocalOp, devices: DeviceIndex): readonly Value[] {
  const { op, attributes, regions, layouts } = local;
  const { reduced } = layouts;
  const count = op.results.length;
  const operands = [...local.operands];
  const addOnce = (i: number): void => {
    if (reduced.length > 0)
      operands[i] = ofOneDevice(b, operands[i]!, op.operands[i]!, local.combiner!, reduced, devices);
  };
  switch (op.name) {
    case 'gather': {
      const [table, indices] = operands as [Value, Value];
      if (!looksUpParts(op, layouts.operands[0]!)) break;
      return [
        gatherFromPart(b, op, attributes as typeof op.attributes, [table, indices], layouts.operands[0]!, devices),
      ];
    }
    case 'scatter':
      for (let i = 0; i < count; i++) addOnce(i);
      if (updatesParts(op, layouts.operands[0]!))
        operands[count] = indicesInPart(b, op, operands[0]!, operands[count]!, layouts.operands[0]!, devices);
      break;
    case 'reduce':
      for (let i = count; i < 2 * count; i++) addOnce(i);
      break;
    default:
      break;
  }
  return b.emit(op.name, operands, attributes as never, regions);
}

/** A value that the first device along some axes combines with its terms, the others with what changes nothing. */
export function ofOneDevice(
  b: Builder,
  part: Value,
  whole: Value,
  combiner: BinaryName,
  axes: Axes,
  devices: DeviceIndex,
): Value {
  if (combiner !== 'add' && combiner !== 'multiply' && combiner !== 'xor') return part;
  const neutral = combiner === 'multiply' ? 1 : 0;
  if (isFilledWith(whole, neutral)) return part;
  const isFirst = b.compare('EQ', devices.start(axes, 1), devices.zero);
  const none = b.constant(splat(tensorType(tensorTypeOf(part).elementType, []), neutral));
  return b.select(isFirst, part, b.broadcastInDim(none, [], shapeOf(part)));
}
