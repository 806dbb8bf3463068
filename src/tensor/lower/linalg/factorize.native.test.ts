// The factorizations that are kernels: compiled results equal the interpreter's bit for bit for any batch; gradients of functions
// that do not depend on the angles of eigenvectors; programs with types that the kernels do not support are rejected.
import { expect, test } from 'vitest';
import { isTrenioError } from '../../../base/errors.ts';
import { parseModule } from '../../../hlo/index.ts';
import { verify } from '../../../hlo/verifier.ts';
import { InterpreterBackend } from '../../../runtime/backends/interpreter/interpreter-backend.ts';
import { defaultRuntime } from '../../../runtime/index.ts';
import { autograd, complex, Device, func, linalg, manualSeed, randn, type Tensor, tensor } from '../../index.ts';

const devices = [defaultRuntime().backend('cpu'), new InterpreterBackend()].map(
  backend => new Device(backend, { seed: 1, log: () => {} }),
);
const functions = {
  eigh: (x: Tensor) => [...linalg.eigh(x)],
  svd: (x: Tensor) => [...linalg.svd(x, { fullMatrices: false })],
  'svd of wide matrices': (x: Tensor) => [...linalg.svd(x.narrow(-2, 0, 9), { fullMatrices: false })],
  'svd of tall matrices': (x: Tensor) => [...linalg.svd(x.narrow(-1, 0, 4), { fullMatrices: false })],
  eig: (x: Tensor) => [...linalg.eig(x)],
};
const bytesOf = (x: Tensor): string => {
  const { buffer, byteOffset, byteLength } = x.literal().data;
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
};

test.each(Object.entries(functions))('%s: the same bits compiled and interpreted', (_, f) => {
  for (const dtype of ['f32', 'f64'] as const)
    for (const shape of [
      [1, 17, 17],
      [6, 11, 11],
    ]) {
      manualSeed(7);
      const data = randn(shape, { dtype: 'f64' }).data as Float64Array;
      const [compiled, interpreted] = devices.map(device => f(tensor(data, { device, dtype, shape })).map(bytesOf));
      expect(compiled).toEqual(interpreted);
    }
});
test('non-finite numbers give NaN, and empty batches give empty results', () => {
  for (const device of devices) {
    const bad = tensor(
      [
        [1, Number.NaN],
        [Number.NaN, 1],
      ],
      { device },
    );
    for (const f of [functions.eigh, functions.svd])
      for (const result of f(bad)) expect((result.data as Float32Array).every(Number.isNaN)).toBe(true);
    expect((linalg.eigvals(bad).data as Float32Array).every(Number.isNaN)).toBe(true);
    const none = tensor(new Float32Array(0), { device, shape: [0, 3, 3] });
    expect(linalg.eigh(none)[1]!.shape).toEqual([0, 3, 3]);
    expect(linalg.eig(none)[0]!.dtype).toBe('complex64');
  }
});
test('vmap makes one call for the whole batch', () => {
  for (const device of devices) {
    const x = tensor(
      new Float64Array(4 * 9).map((_, i) => Math.sin(i * i + 1)),
      { device, shape: [4, 3, 3] },
    );
    const values = func.vmap((a: Tensor) => linalg.eigvalsh(a))(x);
    expect(bytesOf(values)).toEqual(bytesOf(linalg.eigvalsh(x)));
    const sizes = func.vmap((a: Tensor) => linalg.eigvals(a).abs())(x);
    expect(bytesOf(sizes)).toEqual(bytesOf(linalg.eigvals(x).abs()));
  }
});
test('the gradient of eigenvectors of general matrices', () => {
  const device = devices[0]!;
  const data = new Float64Array(16).map((_, i) => Math.sin(3 * i * i + 1));
  const x = tensor(data, { device, shape: [4, 4] }).requiresGrad_();
  const weights = tensor(
    new Float64Array(16).map((_, i) => (i % 5) - 1),
    { device, shape: [4, 4] },
  );
  const f = (a: Tensor): Tensor => {
    const { eigenvalues, eigenvectors } = linalg.eig(a);
    return eigenvectors.abs().square().mul(weights).sum().add(eigenvalues.abs().square().sum());
  };
  expect(autograd.gradcheck(f, [x])).toBe(true);
  // of complex matrices, by the real and the imaginary part
  const z = tensor(
    new Float64Array(16).map((_, i) => Math.cos(5 * i * i)),
    { device, shape: [4, 4] },
  ).requiresGrad_();
  expect(autograd.gradcheck((re: Tensor, im: Tensor) => f(complex(re, im)), [x, z])).toBe(true);
});
test.each([
  ['%0 = stablehlo.custom_call @trenio.eigh(%a) : (tensor<1x3x3xf32>) -> tensor<1x3xf32>', '1x3x3xf32'],
  [
    '%0:2 = stablehlo.custom_call @trenio.eigh(%a) : (tensor<1x3x2xf32>) -> (tensor<1x3xf32>, tensor<1x3x3xf32>)',
    '1x3x2xf32',
  ],
  [
    '%0:2 = stablehlo.custom_call @trenio.eig(%a) : (tensor<1x3x3xbf16>) -> (tensor<1x3xbf16>, tensor<1x3x3xbf16>)',
    '1x3x3xbf16',
  ],
  [
    '%0:3 = stablehlo.custom_call @trenio.svd(%a) : (tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x3xf32>, tensor<1x3x3xf32>)',
    '1x2x3xf32',
  ],
])('%s is rejected', (line, type) => {
  const text = `func.func @main(%a: tensor<${type}>) -> tensor<${type}> {\n  ${line}\n  return %a : tensor<${type}>\n}`;
  const code = (() => {
    try {
      verify(parseModule(text));
      return undefined;
    } catch (error) {
      return isTrenioError(error) ? error.code : String(error);
    }
  })();
  expect(code).toBe('INVALID_OP');
});
