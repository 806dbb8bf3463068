// The text of an errno, as native functions return it.
import { getSystemErrorMap } from 'node:util';

export function errnoText(errno: number): string {
  const [code, text] = getSystemErrorMap().get(-errno) ?? ['', `error ${errno}`];
  return code === '' ? text : `${text} (${code})`;
}
