// One executable for all sizes: the compiled backend compared with the interpreter, for several sizes of one program.
import { afterAll, describe, expect, test } from 'vitest';
import { gradients } from '../../autodiff/gradient.ts';
import { inheritedVariables } from '../../base/environment.ts';
import { loosened } from '../../compiler/testing/loosen.testing.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, moduleOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { sampleLiteral } from '../../hlo/sample-literal.testing.ts';
import { dynamicDim, type TensorType, tensorType } from '../../hlo/types.ts';
import type { Backend } from '../backends/backend.ts';
import { f32, quiet, temporaryCache } from '../engine.testing.ts';
import { Runtime } from '../runtime.ts';
import type { HostBuffer } from './buffer.ts';
import type { DeviceBuffer, Executable } from './executable.ts';

const directory = temporaryCache();
afterAll(() => directory[Symbol.dispose]());
const variables = { PATH: inheritedVariables().PATH, TRENIO_CACHE_DIR: directory.path, TRENIO_NUM_THREADS: '2' };

const upload = (backend: Backend, x: Literal): DeviceBuffer => backend.upload(x.type, bytesOf(x));
function run(backend: Backend, executable: Executable, inputs: readonly Literal[]): Literal[] {
  return executable.run(inputs.map(x => upload(backend, x))).map(output => {
    output.wait();
    return literalOfBytes(output.type, output.copyToHost());
  });
}
function expectClose(got: readonly Literal[], expected: readonly Literal[], scale: number): void {
  expect(got.map(x => x.type)).toEqual(expected.map(x => x.type));
  got.forEach((x, i) => {
    x.data.forEach((value, k) => {
      expect(Math.abs(Number(value) - Number(expected[i]!.data[k]))).toBeLessThan(scale);
    });
  });
}

const hidden = 16;
/** A batch size that differs from all other sizes, so that it can be replaced by an unknown size. */
const some = 53;
/** A two-layer network on a batch of unknown size: its output, the sum of squared errors, and the gradients. */
function network(): Module {
  const types: TensorType[] = [f32(some, 8), f32(some, 4), f32(8, hidden), f32(hidden), f32(hidden, 4), f32(4)];
  const dims = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  };
  const func = buildFunc('main', types, (b, args) => {
    const [x, y, w1, b1, w2, b2] = args as [Value, Value, Value, Value, Value, Value];
    const layer = (v: Value, w: Value, bias: Value): Value => {
      const product = b.dotGeneral(v, w, dims);
      return b.add(product, b.broadcastInDim(bias, [1], tensorTypeOf(product).shape));
    };
    const output = layer(b.unary('tanh', layer(x, w1, b1)), w2, b2);
    const error = b.subtract(output, y);
    const loss = b.sum(b.multiply(error, error), [0, 1]);
    const wrt = [w1, b1, w2, b2, x];
    return [output, loss, ...gradients(b, loss, wrt)];
  });
  return moduleOf(loosened(func, some));
}

describe('a program of unknown sizes', () => {
  const runtime = new Runtime({ variables, log: quiet });
  afterAll(() => runtime.close());
  const cpu = runtime.backend('cpu');
  const interpreter = runtime.backend('interpreter');

  test('is compiled once and runs with batches of 1, 7, 128 and 0', () => {
    const { executable, report } = cpu.compile(network());
    expect(report.fromCache).toBe(false);
    const oracle = interpreter.compile(network()).executable;
    expect(executable.outputTypes[0]!.shape).toEqual([dynamicDim, 4]);
    for (const batch of [1, 7, 128, 0, 7]) {
      const sizes = [[batch, 8], [batch, 4], [8, hidden], [hidden], [hidden, 4], [4]];
      const inputs = sizes.map((shape, i) => sampleLiteral('f32', shape, i + 1));
      expectClose(run(cpu, executable, inputs), run(interpreter, oracle, inputs), 1e-3 * Math.max(1, batch));
      expect(cpu.compile(network()).report.fromCache).toBe(true);
    }
  });

  test('rejects incompatible sizes, before or during execution', () => {
    const { executable } = cpu.compile(network());
    const given = (shapes: readonly (readonly number[])[]): Literal[] => shapes.map(s => sampleLiteral('f32', s));
    const rest = [[8, hidden], [hidden], [hidden, 4], [4]];
    expect(() => run(cpu, executable, given([[3, 9], [3, 4], ...rest]))).toThrow(
      expect.objectContaining({ code: 'INPUT_MISMATCH' }),
    );
    expect(() => run(cpu, executable, given([[3, 8], [4, 4], ...rest]))).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [SIZES_DO_NOT_FIT]: subtract: sizes 3 and 4 of dim 0 are incompatible
        fix: these sizes are known only at run time: pass tensors with compatible shapes]
    `);
    // and still works afterwards
    expect(run(cpu, executable, given([[3, 8], [3, 4], ...rest]))[0]!.type.shape).toEqual([3, 4]);
  });

  test('returns results whose sizes depend on data', () => {
    const count = moduleOf(
      buildFunc('main', [tensorType('i64', [1])], (b, [n]) => [
        b.emit1('dynamic_iota', [n!], { iotaDimension: 0, type: f32(dynamicDim) }),
      ]),
    );
    for (const backend of [cpu, interpreter]) {
      const { executable } = backend.compile(count);
      const of = (n: bigint): Literal =>
        run(backend, executable, [{ type: tensorType('i64', [1]), data: BigInt64Array.of(n) }])[0]!;
      expect(Array.from(of(3n).data as Float32Array)).toEqual([0, 1, 2]);
      expect(of(0n).type.shape).toEqual([0]);
    }
    const { executable } = cpu.compile(count);
    const of = (n: bigint): Literal[] =>
      run(cpu, executable, [{ type: tensorType('i64', [1]), data: BigInt64Array.of(n) }]);
    expect(() => of(-1n)).toThrow(expect.objectContaining({ code: 'SIZES_DO_NOT_FIT' }));
    expect(() => of(1n << 45n)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(() => of(1n << 62n)).toThrow(expect.objectContaining({ code: 'SIZES_DO_NOT_FIT' }));
  });

  test('reuses donated inputs of known size', () => {
    const step = moduleOf(
      buildFunc(
        'main',
        [f32(4), f32(dynamicDim, 4), f32(dynamicDim)],
        (b, [w, x, y]) => [b.subtract(w!, b.sum(x!, [0])), b.add(y!, y!)],
        [0, undefined, 1],
      ),
    );
    for (const backend of [cpu, interpreter]) {
      const { executable } = backend.compile(step);
      expect(executable.donated).toEqual([0, undefined]);
      const w = upload(backend, sampleLiteral('f32', [4]));
      const memory = (w as HostBuffer).block;
      const [after, twice] = executable.run([
        w,
        upload(backend, sampleLiteral('f32', [3, 4])),
        upload(backend, sampleLiteral('f32', [5])),
      ]);
      expect((after as HostBuffer).block).toBe(memory);
      expect(twice!.type.shape).toEqual([5]);
      expect(() => w.copyToHost()).toThrow(expect.objectContaining({ code: 'BUFFER_CONSUMED' }));
    }
  });
});
