// Words of codes and scales of matrices that are quantized in memory.

import { type QuantizedFormat, quantizedRuns } from '../../../ir/multiply.ts';
import { loadText } from './formats.ts';

/** The C type of scales in memory. */
export const scaleType = ({ scaleType: type }: QuantizedFormat): string => (type === 'f16' ? 'uint16_t' : 'float');

/** The C of the scales of `lanes` rows in f32. */
export const scalesText = ({ scaleType: type }: QuantizedFormat, lanes: number, pointer: string): string =>
  loadText(type === 'f16' ? 'f16' : 'copy', 'f32', lanes, pointer);

/**
 * The C of each code of a vector of words, as vectors of i32, in the order of k. `words`: its name, a vector of i32.
 */
export function codesOfWords(format: QuantizedFormat, words: string): readonly string[] {
  const { bytes, halves } = quantizedRuns(format);
  return [...Array(halves).keys()].flatMap(half =>
    [...Array(bytes).keys()].map(
      byte => `${words} << ${32 - 8 * byte - (half + 1) * format.bits} >> ${32 - format.bits}`,
    ),
  );
}
