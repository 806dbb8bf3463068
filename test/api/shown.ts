// The results that examples show in comments, as in `x.sum() // 3` and `x.exp() // [1, 2.718…]`: read, and compared.
import { isDeepStrictEqual } from 'node:util';

/** A number that is cut off or rounded after these digits. */
class Cut {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}
/** `…` at the end of a list: more follows. */
const more = Symbol('more');

const digits = String.raw`\d+(?:\.\d+)?(?:e[-+]?\d+)?…?`;
/** `1+3i`, `-i` and `2.5i`. */
const complex = new RegExp(String.raw`(?<![\w.…])(?:(-?${digits})(?=[-+]))?([-+]?)(${digits})?i\b`, 'g');
/** Code for the value of unquoted text; complex numbers are pairs. */
function codeOf(text: string): string {
  return text
    .replaceAll(complex, (_, real = '0', sign, imaginary = '1') => `[${real}, ${sign === '-' ? '-' : ''}${imaginary}]`)
    .replaceAll(/(-?\d+(?:\.\d*)?)…/g, "cut('$1')")
    .replaceAll(/, … }/g, ' }')
    .replaceAll('…', 'more')
    .replaceAll('π', 'Math.PI');
}
/** The value that a comment shows; `throws CODE` is not one. */
export function readShown(comment: string): unknown {
  const code = comment.split(/('[^']*')/).map((part, i) => (i % 2 === 1 ? part : codeOf(part)));
  return new Function('cut', 'more', `return (${code.join('')});`)((text: string) => new Cut(text), more);
}

/** Whether `got`, already without tensors, equals the shown result. */
export function isShown(got: unknown, shown: unknown): boolean {
  if (shown instanceof Cut) {
    const decimals = shown.digits.split('.')[1]?.length ?? 0;
    return typeof got === 'number' && Math.abs(got - Number(shown.digits)) < 1.01 * 10 ** -decimals;
  }
  // complex numbers with a zero imaginary part
  if (typeof shown === 'number' && Array.isArray(got))
    return got.length === 2 && isShown(got[0], shown) && got[1] === 0;
  if (typeof shown === 'number')
    return (
      typeof got === 'number' && (Object.is(got, shown) || Math.abs(got - shown) <= 1e-5 * Math.max(1, Math.abs(shown)))
    );
  if (typeof shown === 'string') return typeof got === 'string' && isText(got, shown);
  if (Array.isArray(shown)) {
    if (!Array.isArray(got)) return false;
    const listed = shown.at(-1) === more ? shown.slice(0, -1) : shown;
    return (
      (listed.length === shown.length ? got.length === listed.length : got.length > listed.length) &&
      listed.every((each, i) => isShown(got[i], each))
    );
  }
  if (typeof shown === 'object' && shown !== null)
    return (
      typeof got === 'object' &&
      got !== null &&
      Object.entries(shown).every(([name, each]) => isShown((got as Readonly<Record<string, unknown>>)[name], each))
    );
  return isDeepStrictEqual(got, shown);
}
/** `…` stands for any text. */
export function isText(got: string, shown: string): boolean {
  const parts = shown.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`).test(got);
}
