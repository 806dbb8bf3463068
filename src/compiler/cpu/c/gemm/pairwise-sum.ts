// The sum of the lanes of a vector of f32: one half is added to the other, as vectors, until two lanes are left.
import { vectorType } from './gemm-types.ts';

/** Statements that declare `name` as the sum of the lanes of `vector`, an expression with an address. */
export function pairwiseSum(name: string, vector: string, lanes: number): readonly string[] {
  const lines: string[] = [];
  let from = `(const float *)&${vector}`;
  for (let half = lanes / 2; half >= 2; half /= 2) {
    const V = vectorType('f32', half);
    lines.push(`const ${V} half${half} = GEMM_LOAD(${V}, ${from}) + GEMM_LOAD(${V}, ${from} + ${half});`);
    from = `(const float *)&half${half}`;
  }
  lines.push(`float ${name} = (${from})[0] + (${from})[1];`);
  return lines;
}
