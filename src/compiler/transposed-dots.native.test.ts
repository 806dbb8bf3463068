// A multiply may write the transpose of its result in its place. A later multiply that reads through that transpose needs the
// untransposed result.
import { test } from 'vitest';
import { buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { moduleOf } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

const shapes = [
  [3, 4, 5],
  [3, 4, 6],
  [7, 5],
] as const;

test.each([false, true])('the transpose has another reader: %s', hasOtherReader => {
  const types = shapes.map(shape => tensorType('f32', shape));
  const func = buildFunc('main', types, (b, [x, y, w]) => {
    const product = b.dotGeneral(x!, y!, {
      lhsBatchingDimensions: [0],
      rhsBatchingDimensions: [0],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [1],
    });
    const turned = b.transpose(product, [0, 2, 1]);
    const projected = b.dotGeneral(turned, w!, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [2],
      rhsContractingDimensions: [1],
    });
    return hasOtherReader ? [projected, b.unary('tanh', turned)] : [projected];
  });
  const module = moduleOf(func);
  const inputs = shapes.map(shape =>
    literal(
      'f32',
      shape,
      Array.from({ length: shape.reduce((a, c) => a * c, 1) }, (_, i) => Math.sin(i)),
    ),
  );
  const expected = interpret(module, inputs);
  compileForTest(module)
    .run(inputs)
    .forEach((result, i) => {
      expectClose(result, expected[i]!, `result ${i}`, 1e-5);
    });
});
