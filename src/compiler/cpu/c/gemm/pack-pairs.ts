// Bodies of the packing functions for bf16 that is multiplied as such: target[panel][k / 2][w] is a pair of 32 bits, the
// element of the even k below that of the odd one. Their signatures and names are in pack.ts.

import { vectorWidths } from '../../gemm/vector-widths.ts';
import type { PackSpec } from './pack-spec.ts';
import { smallestTranspose, transposeName } from './transpose.ts';

/** Two rows at a time are widened and interleaved. */
export function pairsAcross(s: PackSpec): string[] {
  const step = (both: boolean): string[] => {
    const lines = [
      `  gemm_pair *to = (gemm_pair *)target + k / 2 * ${s.width};`,
      '  for (int64_t panel = 0; panel < panels; panel++, to += panel_stride / 2) {',
      `    const uint16_t *from = source + panel * ${s.columns};`,
    ];
    for (let offset = 0; both && offset < s.columns; offset += 32) {
      const more = offset ? ` + ${offset}` : '';
      lines.push(`    __builtin_prefetch(from + 4 * along${more}), __builtin_prefetch(from + 5 * along${more});`);
    }
    for (const { offset, size } of vectorWidths(s.columns, s.lanes)) {
      const wide = (row: string): string =>
        size === 1
          ? `(uint32_t)from[${row}${offset}]`
          : `__builtin_convertvector(GEMM_LOAD(gemm_u16x${size}, from + ${row}${offset}), gemm_u32x${size})`;
      const value = both ? `${wide('')} | ${wide('along + ')} << 16` : wide('');
      lines.push(
        size === 1 ? `    to[${offset}] = ${value};` : `    GEMM_STORE(gemm_u32x${size}, to + ${offset}, ${value});`,
      );
    }
    if (s.columns < s.width) lines.push(`    for (int64_t w = ${s.columns}; w < ${s.width}; w++) to[w] = 0;`);
    return [...lines, '  }'];
  };
  return [
    'int64_t k = 0;',
    'for (; k + 2 <= depth; k += 2, source += 2 * along) {',
    ...step(true),
    '}',
    'if (k < depth) {',
    ...step(false),
    '}',
  ];
}

/** Squares of pairs are transposed in registers; the rest is copied element by element. */
export function pairsAlong(s: PackSpec): string[] {
  const lines: string[] = [];
  for (const { offset, size } of vectorWidths(s.columns, s.lanes)) {
    const squares = size >= smallestTranspose('bf16');
    const whole = squares ? `depth / ${2 * size} * ${2 * size}` : '0';
    if (squares) {
      lines.push(
        `for (int64_t k = 0; k < ${whole}; k += ${2 * size}) {`,
        `  ${transposeName('bf16', 'copy', size)}(source + ${offset} * across + k, across, target + k * ${s.width} + ${2 * offset}, ${2 * s.width});`,
        '}',
      );
    }
    lines.push(...single(s, whole, offset, offset + size, 'source[w * across + k]', 'source[w * across + k + 1]'));
  }
  if (s.columns < s.width) {
    lines.push(
      'for (int64_t k = 0; k < depth; k += 2) {',
      `  for (int64_t w = ${s.columns}; w < ${s.width}; w++) ((gemm_pair *)target)[k / 2 * ${s.width} + w] = 0;`,
      '}',
    );
  }
  return eachPanel(s, lines);
}

export function pairsStrided(s: PackSpec): string[] {
  const at = 'source[w * across + k * along]';
  const lines = single(s, '0', 0, s.columns, at, 'source[w * across + (k + 1) * along]');
  if (s.columns < s.width) {
    lines.push(
      'for (int64_t k = 0; k < depth; k += 2) {',
      `  for (int64_t w = ${s.columns}; w < ${s.width}; w++) ((gemm_pair *)target)[k / 2 * ${s.width} + w] = 0;`,
      '}',
    );
  }
  return eachPanel(s, lines);
}

function single(s: PackSpec, from: string, first: number, last: number, even: string, odd: string): string[] {
  return [
    `for (int64_t k = ${from}; k < depth; k += 2) {`,
    `  for (int64_t w = ${first}; w < ${last}; w++) {`,
    `    target[k * ${s.width} + 2 * w] = ${even};`,
    `    target[k * ${s.width} + 2 * w + 1] = k + 1 < depth ? ${odd} : 0;`,
    '  }',
    '}',
  ];
}

function eachPanel(s: PackSpec, lines: readonly string[]): string[] {
  return [
    `for (int64_t panel = 0; panel < panels; panel++, source += ${s.columns} * across, target += panel_stride) {`,
    ...lines.map(line => `  ${line}`),
    '}',
  ];
}
