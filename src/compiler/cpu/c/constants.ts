// Constants of many values as C: string literals of their bytes, which the C compiler reads an order of magnitude faster
// than lists of numbers.
import { bytesOf, type Literal } from '../../../hlo/literal.ts';

export function constantText(name: string, lit: Literal): string {
  const bytes = bytesOf(lit);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 64) {
    let line = '';
    for (const b of bytes.subarray(at, at + 64)) line += escapes[b]!;
    lines.push(`  "${line}"`);
  }
  return `T_HIDDEN _Alignas(64) const char ${name}[${Math.max(1, bytes.length)}] =\n${lines.length === 0 ? '  ""' : lines.join('\n')};`;
}

const escapes = Array.from({ length: 256 }, (_, b) => `\\${b.toString(8).padStart(3, '0')}`);
