// The values that filter patterns compare with: numbers, texts with * for any characters, and regular expressions between %. The
// last come from clients, so they are matched by RE2, in linear time.
import { RE2JS, RE2JSException } from 're2js';

export class PatternError extends Error {}

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A value in a message. */
export type Found = string | number | boolean | null | object;

/** Longer texts are not searched by regular expressions. */
const MAX_SEARCHED = 16_384;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** @throws {PatternError} */
export function searchOf(regex: string): (text: string) => boolean {
  try {
    const pattern = RE2JS.compile(regex);
    return text => text.length <= MAX_SEARCHED && pattern.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    throw error;
  }
}

/**
 * Whether a value fulfills a comparison.
 * @param written a number, a text, or a regular expression between %
 * @param isQuoted a text in quotes, which is never a number
 * @throws {PatternError}
 */
export function comparison(operator: Operator, written: string, isQuoted: boolean): (found: Found) => boolean {
  const isNumber = !isQuoted && NUMBER.test(written);
  if (operator !== '=' && operator !== '!=') {
    if (!isNumber) throw new PatternError(`${operator} compares numbers, got '${written}'`);
    const limit = Number(written);
    return found => isOrdered(operator, numberOf(found), limit);
  }
  const regex = isQuoted ? null : /^%(.*)%$/.exec(written);
  const matches = regex === null ? textTest(written) : searchOf(regex[1]!);
  const isEqual = (found: Found): boolean =>
    (isNumber && numberOf(found) === Number(written)) || (typeof found !== 'object' && matches(String(found)));
  return operator === '=' ? isEqual : found => !isEqual(found);
}

const numberOf = (found: Found): number =>
  typeof found === 'number' || (typeof found === 'string' && NUMBER.test(found)) ? Number(found) : Number.NaN;

function isOrdered(operator: Exclude<Operator, '=' | '!='>, a: number, b: number): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** Equality, with * for any characters. */
function textTest(wanted: string): (text: string) => boolean {
  const [start = '', ...rest] = wanted.split('*');
  const end = rest.pop();
  if (end === undefined) return text => text === wanted;
  return text => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false;
    let at = start.length;
    for (const piece of rest) {
      const next = text.indexOf(piece, at);
      if (next < 0) return false;
      at = next + piece.length;
    }
    return at <= text.length - end.length;
  };
}
