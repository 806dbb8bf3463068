// Samples for many rows: each data type once, and the shapes of edge cases (no dims, no elements).
import type { Sample, tensorContents } from './row.ts';

type Contents = (typeof tensorContents)[number];

/** For a function of one tensor, of every kind of number. */
export const elementwiseSamples = (contents: Contents = 'normal'): readonly Sample[] => [
  ...['f32[2,3]', 'f64[4]', 'bf16[3]', 'f16[3]', 'f32[]', 'f32[0,2]'].map(type => ({ input: `${type} ${contents}` })),
  { input: 'i32[4] positive' },
  { input: 'i1[3]' },
  { input: 'f32[7] special' },
];
/** The same where booleans are refused. */
export const numberSamples = (contents: Contents = 'normal'): readonly Sample[] =>
  elementwiseSamples(contents).filter(({ input }) => !String(input).startsWith('i1'));
/** For a function of floats alone. */
export const floatSamples = (contents: Contents = 'normal'): readonly Sample[] =>
  numberSamples(contents).filter(({ input }) => !String(input).startsWith('i'));

/** For two operands that broadcast and promote. */
export const binarySamples = (second = 'other', contents: Contents = 'normal'): readonly Sample[] =>
  (
    [
      ['f32[2,3]', `f32[2,3] ${contents}`],
      ['f32[2,3]', `f32[3] ${contents}`],
      ['f64[2,1]', `f64[1,2] ${contents}`],
      ['f32[2]', `i32[2] positive`],
      ['bf16[3]', `bf16[3] ${contents}`],
      ['bf16[3]', `f32[3] ${contents}`],
      ['bf16[3]', `f16[3] ${contents}`],
      ['f32[2]', `f64[] ${contents}`],
      ['i32[3]', 'i32[3] positive'],
      ['i32[3]', 'i64[3] positive'],
      ['f32[3]', 2.5],
      ['i32[3]', 2],
      ['f32[0,2]', `f32[2] ${contents}`],
      ['f32[7] special', 0.5],
      ['f32[2,3]', 'f32[4]'],
    ] as const
  ).map(([input, other]) => ({ input, [second]: other }));

/** For a reduction over any number of dims. */
export const reductionSamples: readonly Sample[] = [
  { input: 'f32[2,3]' },
  { input: 'f32[2,3]', dim: 1 },
  { input: 'f32[2,3,2]', dim: [0, -1] },
  { input: 'f64[2,3]', dim: -2, keepDim: true },
  { input: 'bf16[2,4]', dim: 1 },
  { input: 'f32[]' },
  { input: 'f32[2,3]', dim: 2 },
];
