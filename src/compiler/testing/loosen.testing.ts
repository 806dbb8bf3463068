// For tests: makes sizes of a program's arguments unknown. Its ops infer their types again; those that state an unknown
// size become dynamic ops, which read it from an argument.
import { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import type { Func, Op, Region, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim, type Type } from '../../hlo/types.ts';
import { nextId } from '../../hlo/walk.ts';

/**
 * Without `forgotten`, arguments lose all their static sizes, and ops that name sizes keep them; with it, dims of that size
 * become dynamic everywhere. Throws what inference throws where an op cannot do without a size.
 */
export function loosened(func: Func, forgotten?: number): Func {
  const ids = { next: nextId(func.body) };
  const isOpen = (size: number): boolean => forgotten === undefined || size === forgotten;
  const open = (type: Type): Type =>
    type.kind === 'tensor' ? { ...type, shape: type.shape.map(s => (isOpen(s) ? dynamicDim : s)) } : type;
  const map = new Map<Value, Value>();

  /** The sizes of a shape as an operand: a forgotten one is that of an argument. */
  const sizes = (b: Builder, shape: readonly number[]): Value => {
    const source = func.body.args.find(v => shapeOf(v).includes(forgotten!))!;
    const parts = shape.map(size => {
      if (size !== forgotten) return b.constant(literal('i32', [1], [size]));
      const dimension = shapeOf(source).indexOf(size);
      return b.reshape(b.emit1('get_dimension_size', [map.get(source)!], { dimension }), [1]);
    });
    return b.concatenate(parts, 0);
  };
  const region = (from: Region, argTypes: readonly Type[]): Region => {
    const inner = new Builder(ids);
    const args = argTypes.map((type, i) => inner.argument(type, i));
    from.args.forEach((v, i) => {
      map.set(v, args[i]!);
    });
    for (const op of from.ops) emit(inner, op);
    return { args, ops: inner.ops, results: from.results.map(v => map.get(v) ?? v) };
  };
  const emit = (b: Builder, op: Op): void => {
    const operands = op.operands.map(v => map.get(v) ?? v);
    const loose = forgotten === undefined ? undefined : dynamicForm(b, op, operands);
    const regions = (): Region[] =>
      op.regions.map(r => region(r, op.name === 'while' ? operands.map(v => v.type) : r.args.map(v => v.type)));
    const results = loose === undefined ? b.emit(op.name, operands, op.attributes as never, regions()) : [loose];
    op.results.forEach((v, i) => {
      map.set(v, results[i]!);
    });
  };
  const dynamicForm = (b: Builder, op: Op, [x]: readonly Value[]): Value | undefined => {
    const [result] = op.results;
    if (result?.type.kind !== 'tensor' || !shapeOf(result).includes(forgotten!)) return undefined;
    const type = { ...tensorTypeOf(result), shape: shapeOf(result).map(s => (isOpen(s) ? dynamicDim : s)) };
    const shape = (): Value => sizes(b, shapeOf(result));
    switch (op.name) {
      case 'broadcast_in_dim': {
        const { broadcastDimensions } = op.attributes;
        return x && b.emit1('dynamic_broadcast_in_dim', [x, shape()], { broadcastDimensions, type });
      }
      case 'reshape':
        return x && b.emit1('dynamic_reshape', [x, shape()], { type });
      case 'iota':
        return b.emit1('dynamic_iota', [shape()], { iotaDimension: op.attributes.iotaDimension, type });
      default:
        return undefined;
    }
  };
  return {
    ...func,
    body: region(
      func.body,
      func.body.args.map(v => open(v.type)),
    ),
  };
}
