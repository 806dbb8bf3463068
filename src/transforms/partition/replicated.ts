// Ops that every device computes whole although an operand is divided: the operand is gathered, and the work is not divided.
import type { SourceLocation } from '../../base/errors.ts';
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import { type Op, tensorTypeOf } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { byteSize } from '../../hlo/types.ts';
import { sizeOfAxes } from './axes.ts';
import type { Layout } from './layout.ts';

/** The names of the axes of each dim. */
export type AxisNames = readonly (readonly string[])[];

/** An op that is computed whole, and the operand that is gathered for it. */
export interface Replicated {
  /** That of the op, or of a custom operator. */
  readonly name: string;
  /** Whether it is a custom operator: it is computed whole, as it says nothing about parts. */
  readonly isOperator: boolean;
  /** The line of the user's code. */
  readonly location: SourceLocation | undefined;
  /** The bytes of the whole operand. */
  readonly bytes: number;
  readonly divided: AxisNames;
  /** A division of the operand that the op keeps; undefined if there is none. */
  readonly instead: AxisNames | undefined;
}

const namesOf = (layout: Layout): AxisNames => layout.map(axes => axes.map(({ name }) => name));

export function replicated(op: Op, i: number, layout: Layout, rule: ShardingRule | undefined, mesh: Mesh): Replicated {
  const type = tensorTypeOf(op.operands[i]!);
  const axes = layout.flat();
  const isKept = (dim: number): boolean => {
    const [factor, ...others] = rule?.operands[i]?.[dim] ?? [];
    return (
      others.length === 0 &&
      factor !== undefined &&
      rule!.factors[factor]!.kind === 'passThrough' &&
      rule!.results.some(dims => dims.some(([first]) => first === factor)) &&
      type.shape[dim]! % sizeOfAxes(axes, mesh) === 0
    );
  };
  const kept = type.shape.findIndex((_, dim) => layout[dim]!.length === 0 && isKept(dim));
  return {
    ...(op.name === 'custom_call'
      ? { name: op.attributes.callTargetName, isOperator: true }
      : { name: op.name, isOperator: false }),
    ...{ location: op.location, bytes: byteSize(type), divided: namesOf(layout) },
    instead: kept < 0 ? undefined : namesOf(layout.map((_, dim) => (dim === kept ? axes : []))),
  };
}
