// A tile of `lanes` features times a small matrix from both sides, as C: one vector per pixel, first down the columns,
// then along the rows.
import type { Matrix } from '../../ir/winograd.ts';

export interface TransformSpec {
  readonly name: string;
  readonly matrix: Matrix;
  /** The C type of a vector. */
  readonly vector: string;
  /** Elements from a row of the tile to the next, and from a column to the next, in C. */
  readonly from: { readonly row: string; readonly column: string };
  readonly to: { readonly row: string; readonly column: string };
}

/**
 * `static void NAME(const float *from, int64_t from_step, float *to, int64_t to_step)`: to = matrix · from · matrixᵀ;
 * strides may name the steps.
 */
export function emitTransform({ name, matrix, vector: V, from, to }: TransformSpec): string {
  const [rows, columns] = [matrix.length, matrix[0]!.length];
  const named = (letter: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  const pass = (
    count: number,
    load: (i: number) => string,
    store: (i: number, value: string) => string,
  ): readonly string[] => [
    `  for (int64_t n = 0; n < ${count}; n++) {`,
    ...named('x', columns).map((x, i) => `    const ${V} ${x} = ${load(i)};`),
    ...product(matrix, named('x', columns), V),
    ...named('y', rows).map((y, i) => `    ${store(i, y)}`),
    '  }',
  ];
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${name}(const float *restrict from, int64_t from_step, float *restrict to, int64_t to_step) { GEMM_CONTRACT`,
    `  ${V} half[${rows}][${columns}];`,
    ...pass(
      columns,
      i => `GEMM_LOAD(${V}, from + ${i} * ${from.row} + n * ${from.column})`,
      (i, y) => `half[${i}][n] = ${y};`,
    ),
    ...pass(
      rows,
      i => `half[n][${i}]`,
      (i, y) => `GEMM_STORE(${V}, to + n * ${to.row} + ${i} * ${to.column}, ${y});`,
    ),
    '}',
  ].join('\n');
}

/**
 * Declarations of y0, y1, …: the matrix times a vector. Two columns that differ only in sign are first added and
 * subtracted; two such rows share the sum of the terms that agree, and that of the others.
 */
function product(matrix: Matrix, x: readonly string[], V: string): string[] {
  const lines: string[] = [];
  /** Per input (or pair of inputs): the name and coefficient in a row. */
  const inputs: ((row: readonly number[]) => Term)[] = [];
  for (let next = 0; next < x.length; ) {
    const j = next;
    const [a, b] = [x[j]!, x[j + 1]];
    const isPair = b !== undefined && matrix.every(row => Math.abs(row[j]!) === Math.abs(row[j + 1]!));
    if (isPair) {
      lines.push(`    const ${V} ${a}p = ${a} + ${b}, ${a}m = ${a} - ${b};`);
      inputs.push(row => ({ name: row[j] === row[j + 1] ? `${a}p` : `${a}m`, factor: row[j]! }));
    } else inputs.push(row => ({ name: a, factor: row[j]! }));
    next += isPair ? 2 : 1;
  }
  const terms = matrix.map(row => inputs.map(of => of(row)));
  for (let i = 0; i < terms.length; i++) {
    const [row, next] = [terms[i]!, terms[i + 1]];
    const differs = row.map((t, n) => next !== undefined && t.factor !== next[n]!.factor);
    const isPair =
      next !== undefined &&
      row.every((t, n) => t.name === next[n]!.name && Math.abs(t.factor) === Math.abs(next[n]!.factor)) &&
      differs.some(Boolean);
    if (isPair) {
      lines.push(
        `    const ${V} even${i} = ${sum(row.filter((_, n) => !differs[n]))}, odd${i} = ${sum(row.filter((_, n) => differs[n]))};`,
        `    const ${V} y${i} = even${i} + odd${i}, y${i + 1} = even${i} - odd${i};`,
      );
      i++;
    } else lines.push(`    const ${V} y${i} = ${sum(row)};`);
  }
  return lines;
}

interface Term {
  readonly name: string;
  readonly factor: number;
}

/** Terms without a factor come first, so that each of the others is one multiply-add. */
function sum(terms: readonly Term[]): string {
  const present = terms.filter(t => t.factor !== 0);
  const isPlain = (t: Term): boolean => t.factor === 1;
  return [...present.filter(isPlain), ...present.filter(t => !isPlain(t))]
    .map(t => (isPlain(t) ? t.name : `${t.name} * ${floatText(t.factor)}`))
    .join(' + ');
}

function floatText(x: number): string {
  return `${Number.isInteger(x) ? x.toFixed(1) : x}f`;
}
