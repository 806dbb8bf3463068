// The user-defined reductions of `omp simd` clauses.

/** The declarations of those that a text names. */
export function reductionsFor(text: string): string {
  const lines: string[] = [];
  for (const [type, c, inf] of [
    ['f32', 'float', '__builtin_inff()'],
    ['f64', 'double', '__builtin_inf()'],
  ] as const) {
    for (const [name, start] of [
      ['max', `-${inf}`],
      ['min', inf],
    ] as const) {
      const f = `t_${name}_${type}`;
      if (text.includes(`reduction(${f}:`))
        lines.push(
          `#pragma omp declare reduction(${f}:${c}:omp_out = ${f}(omp_out, omp_in)) initializer(omp_priv = ${start})`,
        );
    }
  }
  return lines.join('\n');
}
