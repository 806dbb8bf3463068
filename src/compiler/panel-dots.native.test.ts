// Multiplies by matrices that are stored in panels: right values, and the same bits of a row for any number of rows.
import { expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../hlo/literal.ts';
import { mainOf } from '../hlo/program.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { interpretKernels } from './cpu/in-process/prepare.ts';
import { hostTarget, targetOf } from './cpu/target/target.ts';
import { planDot } from './lowering/strided-dot.ts';
import { compileForTest } from './testing/compile.testing.ts';

type Type = 'f32' | 'bf16';
const columns = 32;
/** x [m, k] by the transpose of a matrix [n, k] in panels, plus a bias: the text of the program. */
function program(type: Type, result: Type, m: number, n: number, k: number): string {
  const panels = n / columns;
  const pairs = type === 'bf16';
  const [x, w] = pairs
    ? [`tensor<${m}x${k / 2}x2x${type}>`, `tensor<${panels}x${k / 2}x${columns}x2x${type}>`]
    : [`tensor<${m}x${k}x${type}>`, `tensor<${panels}x${k}x${columns}x${type}>`];
  const y = `tensor<${m}x${panels}x${columns}x${result}>`;
  const dims = pairs ? '[1, 2] x [1, 3]' : '[1] x [1]';
  return `module {
  func.func public @main(%0: tensor<${m}x${k}x${type}>, %w: ${w}, %b: tensor<${n}x${result}>) -> tensor<${m}x${n}x${result}> {
    %x = stablehlo.reshape %0 : (tensor<${m}x${k}x${type}>) -> ${x}
    %y = stablehlo.dot_general %x, %w, contracting_dims = ${dims} : (${x}, ${w}) -> ${y}
    %z = stablehlo.reshape %y : (${y}) -> tensor<${m}x${n}x${result}>
    %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<${n}x${result}>) -> tensor<${m}x${n}x${result}>
    %s = stablehlo.add %z, %c : tensor<${m}x${n}x${result}>
    return %s : tensor<${m}x${n}x${result}>
  }
}`;
}
const numbers = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.sin(1 + i * 1.7 + seed * 31) * Math.cos(i * i * 0.37 + seed));

function argsOf(type: Type, result: Type, m: number, n: number, k: number): Literal[] {
  const shape = type === 'bf16' ? [n / columns, k / 2, columns, 2] : [n / columns, k, columns];
  return [
    literal(type, [m, k], numbers(m * k, 1)),
    literal(type, shape, numbers(n * k, 2)),
    literal(result, [n], numbers(n, 3)),
  ];
}

const cases = [
  ['f32', 'f32', 96, 80],
  ['f32', 'f32', 64, 2100],
  ['bf16', 'bf16', 64, 130],
  ['bf16', 'f32', 32, 1000],
] as const;

const targets = [
  ['this processor', hostTarget()],
  ['avx2', targetOf('avx2')],
  ['generic', targetOf('generic')],
] as const;

for (const [name, target] of targets)
  test.each(name === 'this processor' ? cases : cases.filter((_, i) => i % 2 === 0))(
    `${name}: %s to %s, %i columns of %i: results and bits`,
    (type, result, n, k) => {
      const rows = 17;
      const module = parseModule(program(type, result, rows, n, k));
      const dot = mainOf(module).body.ops.find(op => op.name === 'dot_general')!;
      expect(planDot(dot, dot.results[0])!.spec.panel).toBe(columns);
      const args = argsOf(type, result, rows, n, k);
      const tolerance = result === 'bf16' ? 0.02 : 1e-4;
      const expected = toNumbers(interpret(module, args)[0]!);
      const close = (got: readonly number[]): void => {
        got.forEach((x, i) => {
          expect(Math.abs(x - expected[i]!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected[i]!)));
        });
      };
      close(toNumbers(interpretKernels(module, target, args)[0]!));
      const all = toNumbers(compileForTest(module, target).run(args)[0]!);
      close(all);
      for (const few of [1, 8]) {
        const { run } = compileForTest(parseModule(program(type, result, few, n, k)), target);
        const some = args.with(0, literal(type, [few, k], toNumbers(args[0]!).slice(0, few * k)));
        expect(toNumbers(run(some)[0]!)).toEqual(all.slice(0, few * n));
      }
    },
  );
