// The words (int64) through which a dynamic program and its caller communicate: sizes of inputs in; sizes of results out, or
// the reason for a failure.
//
//   0 what failed (0: nothing) │ 1 number of the op │ 2 which dim │ 3, 4 two numbers │ 5 … values of an assertion
//   memory limit │ bytes the arena was grown to │ sizes of the inputs …
//   for each result of unknown size: its address, its sizes …
import type { SourceLocation } from '../../../base/errors.ts';
import type { TensorType } from '../../../hlo/types.ts';

export const failures = {
  /** Two sizes that must agree do not. */
  sizes: 1,
  /** A size, padding or stride is out of bounds. */
  range: 2,
  /** A reshape to another number of elements. */
  elements: 3,
  memory: 4,
  assertion: 5,
} as const;

export const reportLayout = {
  failure: 0,
  op: 1,
  dim: 2,
  first: 3,
  second: 4,
  values: 5,
  limit: 21,
  grown: 22,
  sizes: 23,
} as const;
export const assertionValues = reportLayout.limit - reportLayout.values;

/** An op that can fail, for messages. */
export interface ReportedOp {
  readonly name: string;
  readonly location: SourceLocation | undefined;
  /** The message of an assertion, with {0}, {1} … for its values. */
  readonly message?: string;
}

/** Additional information that a runtime needs for a program with dynamic shapes. */
export interface DynamicParts {
  /** The function that copies the results of unknown size: args are the report, then where each goes. */
  readonly collect: string;
  readonly reportWords: number;
  /** For each result of unknown size: which one it is, and the word of the report where its address is. */
  readonly results: readonly { readonly output: number; readonly word: number }[];
  readonly ops: readonly ReportedOp[];
}

/** Where the sizes of each input are in the report, and how many words the inputs take in all. */
export function inputWords(inputTypes: readonly TensorType[]): {
  readonly starts: readonly number[];
  readonly end: number;
} {
  let end: number = reportLayout.sizes;
  const starts = inputTypes.map(type => {
    const start = end;
    end += type.shape.length;
    return start;
  });
  return { starts, end };
}
