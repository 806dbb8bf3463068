// Elements with their positions: the results of sorting, searching and running extremes.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import * as move from './move.ts';

/** Values and i64 indices. */
export type Found = readonly [values: Value, indices: Value];

/** The elements at indices along a dim (i32), and these as i64. */
export const withIndices = (b: Builder, x: Value, along: number, indices: Value): Found => [
  shapeOf(x).includes(0) ? b.reshape(x, shapeOf(x)) : move.gather(b, x, along, indices),
  b.convert(indices, 'i64'),
];
