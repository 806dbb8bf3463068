// The last parts of a dim that does not divide evenly are padded with anything. What combines the elements of such a dim gets
// elements that change nothing in their place:
//
//   reduce add of tensor<5> along "x" = 2     0 1 2 | 3 4 ·   ─▶   0 1 2 | 3 4 -0
import type { BinaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import { type Literal, literal, splat } from '../../hlo/literal.ts';
import { bitWidth } from '../../hlo/ops/element-data.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { type ElementType, isFloat, numberKind, tensorType } from '../../hlo/types.ts';
import { type Axes, sizeOfAxes } from './axes.ts';
import type { DeviceIndex } from './device-index.ts';
import type { Layout } from './layout.ts';

const combiningOps: ReadonlySet<string> = new Set(['dot', 'dot_general', 'reduce']);

/** Whether an op can combine a dim whose last parts are padded. */
export const skipsPadding = ({ name, operands }: Op, { combiner }: ShardingRule): boolean =>
  combiningOps.has(name) &&
  combiner !== undefined &&
  operands.every(value => neutralElement(combiner, tensorTypeOf(value).elementType) !== undefined);

/** An operand of an op, and its layout. */
interface Operand {
  readonly op: Op;
  readonly i: number;
  readonly rule: ShardingRule;
  readonly layout: Layout;
}
/** The part of an operand, with neutral elements as padding of the dims that its op combines. */
export function withoutPadding(
  b: Builder,
  part: Value,
  { op, i, rule, layout }: Operand,
  devices: DeviceIndex,
  mesh: Mesh,
): Value {
  const { operands, factors, combiner } = rule;
  if (!combiningOps.has(op.name)) return part;
  const isCombined = (dim: number): boolean => operands[i]![dim]!.some(factor => factors[factor]!.kind === 'reduction');
  let result = part;
  for (const [dim, size] of shapeOf(op.operands[i]!).entries()) {
    const axes: Axes = layout[dim]!;
    if (size % sizeOfAxes(axes, mesh) === 0 || !isCombined(dim)) continue;
    const shape = shapeOf(part);
    const start = devices.start(axes, shape[dim]!);
    const positions = b.add(b.iota(tensorType('i32', [shape[dim]!]), 0), b.broadcastInDim(start, [], [shape[dim]!]));
    const isInside = b.compare('LT', positions, b.like(positions, size));
    const neutral = b.constant(neutralElement(combiner!, tensorTypeOf(part).elementType)!);
    result = b.select(b.broadcastInDim(isInside, [dim], shape), result, b.broadcastInDim(neutral, [], shape));
  }
  return result;
}

/** An element that changes none that it is combined with; undefined for types where it is not known. */
export function neutralElement(combiner: BinaryName, type: ElementType): Literal | undefined {
  const scalar = tensorType(type, []);
  const kind = numberKind(type);
  const isReal = isFloat(type);
  switch (combiner) {
    case 'add':
      return kind === 'boolean' ? literal(type, [], [0]) : splat(scalar, isReal ? -0 : 0);
    case 'multiply':
      return splat(scalar, 1);
    case 'maximum':
    case 'minimum': {
      const sign = combiner === 'maximum' ? -1 : 1;
      if (kind === 'boolean') return literal(type, [], [sign < 0 ? 0 : 1]);
      if (isReal) return ['f64', 'f32', 'f16', 'bf16'].includes(type) ? splat(scalar, sign * Infinity) : undefined;
      if (kind === 'complex') return undefined;
      const bits = BigInt(bitWidth(type));
      const least = kind === 'unsigned' ? 0n : -(1n << (bits - 1n));
      return literal(type, [], [sign < 0 ? least : least + (1n << bits) - 1n]);
    }
    default:
      return undefined;
  }
}
