// A machine needs nothing but a `Machine`: this one prints kernels as JavaScript, with those parts of the compiler that know no
// CPU.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gradients } from '../../../autodiff/index.ts';
import { type Builder, buildFunc } from '../../../hlo/builder.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import { type Literal, literal, scalar } from '../../../hlo/literal.ts';
import { type Module, mainOf, moduleOf, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { elementCount, type TensorType, tensorType } from '../../../hlo/types.ts';
import { expectClose } from '../closeness.testing.ts';
import { wave } from '../sample-values.testing.ts';
import { compileToJavaScript } from './javascript-machine.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);
const inputsOf = (module: Module): Literal[] =>
  mainOf(module).body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    const values = Array.from({ length: elementCount(shape) }, (_, j) => wave(j + 100 * i));
    return literal(elementType, shape, elementType === 'f32' ? values : values.map(x => Math.abs(Math.trunc(x))));
  });

function expectSame(module: Module): void {
  const inputs = inputsOf(module);
  const expected = interpret(module, inputs);
  compileToJavaScript(module)(inputs).forEach((got, i) => {
    expectClose(got, expected[i]!, `result ${i}`, 1e-5);
  });
}

const rows = (b: Builder, v: Value, like: Value): Value => b.broadcastInDim(v, [0], shapeOf(like));
const columns = (b: Builder, v: Value, like: Value): Value => b.broadcastInDim(v, [1], shapeOf(like));
function softmax(b: Builder, x: Value): Value {
  const max = b.reduce('maximum', x, b.constant(scalar('f32', -Infinity)), [1]);
  const e = b.unary('exponential', b.subtract(x, rows(b, max, x)));
  return b.divide(e, rows(b, b.sum(e, [1]), e));
}
const product = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
const matmul = (b: Builder, x: Value, y: Value): Value =>
  b.dotGeneral(x, y, { ...product, lhsContractingDimensions: [1], rhsContractingDimensions: [0] });

type Body = (b: Builder, args: readonly Value[]) => readonly Value[];
const programs: readonly (readonly [name: string, args: readonly TensorType[], body: Body])[] = [
  [
    'elementwise, with a broadcast',
    [f32(5, 7), f32(7)],
    (b, [x, y]) => [b.unary('tanh', b.add(b.multiply(x!, x!), columns(b, y!, x!)))],
  ],
  [
    'functions',
    [f32(40)],
    (b, [x]) => {
      const positive = b.unary('abs', x!);
      const names = ['exponential', 'logistic', 'sine', 'cosine', 'floor', 'ceil', 'sign', 'negate'] as const;
      return [...names.map(n => b.unary(n, x!)), ...(['sqrt', 'log_plus_one'] as const).map(n => b.unary(n, positive))];
    },
  ],
  [
    'comparisons, integers and booleans',
    [tensorType('i32', [30]), tensorType('i32', [30])],
    (b, [x, y]) => {
      const less = b.compare('LT', x!, y!);
      return [less, b.select(less, b.multiply(x!, y!), b.subtract(x!, y!)), b.convert(less, 'f32')];
    },
  ],
  ['softmax', [f32(6, 33)], (b, [x]) => [softmax(b, x!)]],
  ['a sum of everything', [f32(3, 41)], (b, [x]) => [b.sum(b.multiply(x!, x!))]],
  ['sums of columns', [f32(50, 9)], (b, [x]) => [b.sum(x!, [0])]],
  [
    'normalization, with the statistics as results',
    [f32(8, 64)],
    (b, [x]) => {
      const mean = b.divide(b.sum(x!, [1]), b.fill('f32', [8], 64));
      const centered = b.subtract(x!, rows(b, mean, x!));
      const variance = b.divide(b.sum(b.multiply(centered, centered), [1]), b.fill('f32', [8], 64));
      return [b.multiply(centered, rows(b, b.unary('rsqrt', b.add(variance, b.fill('f32', [8], 1e-5))), x!)), mean];
    },
  ],
  [
    'views, and parts side by side',
    [f32(4, 6), f32(3, 6)],
    (b, [x, y]) => {
      const both = b.concatenate([x!, y!], 0);
      return [b.add(b.transpose(both, [1, 0]), b.fill('f32', [6, 7], 1)), b.slice(both, [1, 0], [7, 6], [2, 3])];
    },
  ],
  [
    'positions, and rows by number',
    [f32(9, 4), tensorType('i32', [5, 1])],
    (b, [table, ids]) => {
      const rowsOf = {
        offsetDims: [1],
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 1,
      };
      const found = b.gather(table!, ids!, rowsOf, [1, 4]);
      return [b.add(found, b.convert(b.iota(tensorType('i32', [5, 4]), 1), 'f32'))];
    },
  ],
  ['a product', [f32(7, 11), f32(11, 5)], (b, [x, y]) => [b.unary('tanh', matmul(b, x!, y!))]],
  [
    'products in batches, of a transposed operand',
    [f32(3, 4, 6), f32(3, 5, 6)],
    (b, [x, y]) => [
      b.dotGeneral(x!, y!, {
        lhsBatchingDimensions: [0],
        rhsBatchingDimensions: [0],
        lhsContractingDimensions: [2],
        rhsContractingDimensions: [2],
      }),
    ],
  ],
];
for (const [name, args, body] of programs) test(name, () => expectSame(moduleOf(buildFunc('main', args, body))));

/** Loss and new parameters of a classifier of two layers, by gradient descent; the old parameters are donated. */
function trainingStep(batch: number, inputs: number, hidden: number, classes: number): Module {
  const parameters = [f32(inputs, hidden), f32(hidden), f32(hidden, classes), f32(classes)];
  const types = [f32(batch, inputs), tensorType('i32', [batch]), ...parameters];
  const body: Body = (b, [x, labels, ...weights]) => {
    const [w1, b1, w2, b2] = weights as [Value, Value, Value, Value];
    const z = matmul(b, x!, w1);
    const h = b.maximum(b.add(z, columns(b, b1, z)), b.like(z, 0));
    const y = matmul(b, h, w2);
    const probabilities = softmax(b, b.add(y, columns(b, b2, y)));
    const number = b.iota(tensorType('i32', [batch, classes]), 1);
    const isLabel = b.convert(b.compare('EQ', number, rows(b, labels!, number)), 'f32');
    const picked = b.sum(b.multiply(isLabel, b.unary('log', probabilities)));
    const loss = b.negate(b.divide(picked, b.fill('f32', [], batch)));
    const steps = gradients(b, loss, weights).map(g => b.multiply(g, b.like(g, 0.05)));
    return [loss, ...weights.map((w, i) => b.subtract(w, steps[i]!))];
  };
  return moduleOf(buildFunc('main', types, body, [undefined, undefined, 1, 2, 3, 4]));
}
test('a training step', () => expectSame(trainingStep(16, 20, 32, 4)));

test('what it lacks is refused by name', () => {
  const refusal = (args: readonly TensorType[], body: Body): (() => unknown) => {
    const module = moduleOf(buildFunc('main', args, body));
    return () => compileToJavaScript(module);
  };
  expect(refusal([f32(4)], (b, [x]) => [b.unary('cbrt', x!)])).toThrow('cbrt of f32');
  expect(refusal([tensorType('bf16', [4])], (b, [x]) => [b.add(x!, x!)])).toThrow('elements of bf16');
  const fft: Body = (b, [x]) => [b.emit('fft', [x!], { fftType: 'RFFT', fftLength: [8] })[0]!];
  expect(refusal([f32(8)], fft)).toThrow('fft');
});

test('it imports nothing that is made for CPUs', () => {
  const folder = import.meta.dirname;
  const sources = readdirSync(folder).filter(name => name.endsWith('.testing.ts'));
  for (const name of sources)
    expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(/from '.*(cpu\/|index\.ts')/);
});
