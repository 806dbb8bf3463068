// Elements and where they are: what sorting, searching and running extremes give.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import * as move from './move.ts';

/** Values and i64 positions. */
export type Found = readonly [values: Value, indices: Value];

/** The elements at positions along a dim (i32), and these as i64. */
export const withIndices = (b: Builder, x: Value, along: number, places: Value): Found => [
  shapeOf(x).includes(0) ? b.reshape(x, shapeOf(x)) : move.gather(b, x, along, places),
  b.convert(places, 'i64'),
];
