// Costs of ops, for the common kinds of ops. Bytes count operands read and results written, without fusion.
import type { Cost } from '../op-row.ts';
import type { Op, Region, Value } from '../program.ts';
import { byteSize, dynamicDim, elementCount, type Type } from '../types.ts';

export const noCost: Cost = { flops: 0, transcendentals: 0, bytesRead: 0, bytesWritten: 0 };

/** Elements of a tensor type; unknown dims count as one element. */
export function countOf(type: Type): number {
  if (type.kind === 'tuple' || type.kind === 'future') return type.elements.reduce((sum, t) => sum + countOf(t), 0);
  if (type.kind === 'token') return 0;
  return elementCount(type.shape.map(d => (d === dynamicDim ? 1 : d)));
}
export function bytesOfType(type: Type): number {
  if (type.kind === 'tuple' || type.kind === 'future') return type.elements.reduce((sum, t) => sum + bytesOfType(t), 0);
  if (type.kind === 'token') return 0;
  return type.shape.includes(dynamicDim)
    ? byteSize({ ...type, shape: type.shape.map(d => (d === dynamicDim ? 1 : d)) })
    : byteSize(type);
}
export const totalBytes = (values: readonly Value[]): number => values.reduce((sum, v) => sum + bytesOfType(v.type), 0);

type AnyOp = Pick<Op, 'operands' | 'results' | 'regions'>;

/** Reads every operand once, writes every result once; `flops` and `transcendentals` as given. */
export function streaming(op: AnyOp, flops = 0, transcendentals = 0): Cost {
  return { flops, transcendentals, bytesRead: totalBytes(op.operands), bytesWritten: totalBytes(op.results) };
}
/** Moves as many bytes as the results hold (and reads `extra` operands such as indices). */
export function moving(op: AnyOp, extra: readonly Value[] = []): Cost {
  const bytes = totalBytes(op.results);
  return { flops: 0, transcendentals: 0, bytesRead: bytes + totalBytes(extra), bytesWritten: bytes };
}
/** The number of ops in one application of a reducer. */
export const regionOps = (region: Region | undefined): number => region?.ops.length ?? 0;
