// Programs that are short as text but describe a lot of work: the size of their expansion is limited, and so is the time to
// detect it. Before these bounds each of them took hours or exhausted the stack.
import { describe, expect, test } from 'vitest';
import { isTrenioError, type TrenioError } from '../base/errors.ts';
import { costOfModule } from '../hlo/cost.ts';
import { maxCallDepth, maxInlinedOps } from '../hlo/inlined-size.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { verify } from '../hlo/verifier.ts';
import { compileToC, hostTarget } from './index.ts';
import { compileForTest } from './testing/compile.testing.ts';

const compiled = (text: string) => {
  const module = parseModule(text);
  verify(module);
  return compileToC(module, hostTarget());
};
function failure(action: () => unknown): TrenioError {
  try {
    action();
  } catch (error) {
    if (isTrenioError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `depth` ifs within each other. */
function ifs(depth: number): string {
  const inner = (k: number): string =>
    k === 0
      ? '%v0 = stablehlo.negate %x : tensor<f32>\n'
      : `%v${k} = "stablehlo.if"(%p) ({\n${inner(k - 1)}stablehlo.return %v${k - 1} : tensor<f32>\n}, {
        stablehlo.return %x : tensor<f32>\n}) : (tensor<i1>) -> tensor<f32>\n`;
  return `func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {\n${inner(depth)}return %v${depth} : tensor<f32>\n}`;
}
/** Functions, each of which calls the next one `times` times. */
function calls(depth: number, times: number, type = 'tensor<f32>', how = 'func.call'): string {
  const call = (callee: string, from: string): string =>
    how === 'func.call'
      ? `func.call @${callee}(${from}) : (${type}) -> ${type}`
      : `stablehlo.composite "a.b" ${from} {decomposition = @${callee}} : (${type}) -> ${type}`;
  const body = (i: number): string =>
    i === 0
      ? `%v1 = stablehlo.sine %v0 : ${type}\nreturn %v1 : ${type}`
      : `${Array.from({ length: times }, (_, k) => `%v${k + 1} = ${call(`f${i - 1}`, `%v${k}`)}`).join('\n')}
        return %v${times} : ${type}`;
  const functions = Array.from(
    { length: depth + 1 },
    (_, i) => `func.func private @f${i}(%v0: ${type}) -> ${type} {\n${body(i)}\n}`,
  );
  return `module @m {
    func.func @main(%x: ${type}) -> ${type} {
      %0 = ${call(`f${depth}`, '%x')}
      return %0 : ${type}
    }
    ${functions.join('\n')}
  }`;
}

test('regions within regions: as deep as the verifier allows', () => {
  const module = parseModule(ifs(190));
  verify(module);
  const inputs = [literal('f32', [], [2]), literal('i1', [], [1])];
  expect(interpret(module, inputs)[0]!.data[0]).toBe(-2);
  expect(compileForTest(module).run(inputs)[0]!.data[0]).toBe(-2);
  expect(failure(() => parseModule(ifs(5000))).code).toBe('HLO_SYNTAX');
});

describe('calls', () => {
  test('25 functions that become 2^25 ops', () => {
    for (const [type, how] of [
      ['tensor<f32>', 'func.call'],
      ['tensor<?xf32>', 'func.call'],
      ['tensor<f32>', 'composite'],
    ] as const)
      expect(failure(() => compiled(calls(24, 2, type, how)))).toMatchObject({
        code: 'PROGRAM_TOO_LARGE',
        data: { function: 'main', what: 'ops', limit: maxInlinedOps },
      });
    expect(failure(() => compiled(calls(1100, 2))).code).toBe('PROGRAM_TOO_LARGE');
    expect(costOfModule(parseModule(calls(24, 2))).byOp.get('sine')!.count).toBe(2 ** 24);
  });
  test('the text of the error', () => {
    expect(failure(() => compiled(calls(24, 2))).message).toMatchInlineSnapshot(`
      "@main would have 50331647 ops after its calls are inlined; the limit is 262144
        fix: put repeated code into a loop (stablehlo.while), or use fewer nested calls"
    `);
  });
  test('a chain of them', () => {
    expect(compiled(calls(maxCallDepth - 1, 1)).kernels).toHaveLength(1);
    expect(compiled(calls(maxCallDepth - 1, 1, 'tensor<?xf32>')).kernels).toHaveLength(1);
    expect(failure(() => compiled(calls(maxCallDepth, 1))).data).toMatchObject({ what: 'nested calls' });
    expect(failure(() => compiled(calls(20_000, 1))).data).toMatchObject({ what: 'nested calls' });
  });
  test('regions that calls put into each other', () => {
    const text = (n: number): string => `module @m {
      func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
        %0 = func.call @f${n}(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
        return %0 : tensor<f32>
      }
      ${Array.from({ length: n + 1 }, (_, i) =>
        i === 0
          ? 'func.func private @f0(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> { return %x : tensor<f32> }'
          : `func.func private @f${i}(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
          %0 = "stablehlo.if"(%p) ({
            %1 = func.call @f${i - 1}(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }, {
            %2 = stablehlo.negate %x : tensor<f32>
            stablehlo.return %2 : tensor<f32>
          }) : (tensor<i1>) -> tensor<f32>
          return %0 : tensor<f32>
        }`,
      ).join('\n')}
    }`;
    expect(compiled(text(199)).kernels.length).toBeGreaterThan(0);
    expect(failure(() => compiled(text(201))).data).toMatchObject({ what: 'nested regions', count: 201 });
  });
  test('gradients through them', async () => {
    const { gradients } = await import('../autodiff/index.ts');
    const { Builder } = await import('../hlo/builder.ts');
    const { functions } = parseModule(calls(24, 2));
    const main = functions[0]!;
    const builder = new Builder({ next: 1000 });
    builder.ops.push(...main.body.ops);
    expect(failure(() => gradients(builder, main.body.results[0]!, main.body.args, { functions })).code).toBe(
      'PROGRAM_TOO_LARGE',
    );
  });
});

test('a concatenation of thousands of values', () => {
  const n = 1500;
  const list = (make: (i: number) => string): string => Array.from({ length: n }, (_, i) => make(i)).join(', ');
  const text = (
    dim: string,
  ): string => `func.func @main(%x: tensor<${dim}xf32>, %y: tensor<${dim}xf32>) -> tensor<${dim === '?' ? dim : n}xf32> {
    %0 = stablehlo.concatenate ${list(i => (i % 3 === 0 ? '%y' : '%x'))}, dim = 0 : (${list(() => `tensor<${dim}xf32>`)}) -> tensor<${dim === '?' ? dim : n}xf32>
    return %0 : tensor<${dim === '?' ? dim : n}xf32>
  }`;
  const module = parseModule(text('1'));
  const inputs = [literal('f32', [1], [2]), literal('f32', [1], [3])];
  expect(compileForTest(module).run(inputs)[0]!.data).toEqual(interpret(module, inputs)[0]!.data);
  expect(compiled(text('?')).kernels.length).toBeGreaterThan(0);
});

test('a tensor of very many dims', () => {
  const type = `tensor<${'1x'.repeat(5000)}f32>`;
  const error = failure(() =>
    compiled(`func.func @main(%x: ${type}) -> ${type} {\n%0 = stablehlo.negate %x : ${type}\nreturn %0 : ${type}\n}`),
  );
  expect(error.data).toMatchObject({ constraint: 'trenio_rank', detail: '5000 dims are more than the maximum of 64' });
  expect(error.message.length).toBeLessThan(1000);
});

test('a module without functions', () => {
  const module = parseModule('module @empty {}');
  verify(module);
  for (const use of [() => compileToC(module, hostTarget()), () => interpret(module, []), () => costOfModule(module)])
    expect(failure(use)).toMatchObject({ code: 'INVALID_PROGRAM', data: { function: 'empty' } });
});

test('a call of a function that is only declared', () => {
  for (const type of ['tensor<4xf32>', 'tensor<?xf32>']) {
    const text = `module @m {
      func.func @main(%x: ${type}) -> ${type} {
        %0 = func.call @g(%x) : (${type}) -> ${type}
        return %0 : ${type}
      }
      func.func private @g(${type}) -> ${type}
    }`;
    expect(failure(() => compiled(text)).code).toBe('UNSUPPORTED');
  }
});
