// Functions of complex numbers compared with formulas of their parts, and their gradients with finite differences.
import { describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { defaultRuntime } from '../runtime/index.ts';
import { cat, complex, Device, type Tensor, tensor, viewAsReal, where } from './index.ts';

const modes = [
  { name: 'interpreted', backend: () => new InterpreterBackend() },
  { name: 'compiled', backend: () => defaultRuntime().backend('cpu') },
];
const real = [1.5, -0.5, 0.25, -2];
const imaginary = [0.5, 1.25, -0.75, 0.5];
const functions: Readonly<Record<string, (z: Tensor) => Tensor>> = {
  add: z => z.add(2).add(z),
  mul: z => z.mul(z.conj()).mul(z),
  div: z => z.div(z.add(3)),
  neg: z => z.neg(),
  exp: z => z.exp(),
  log: z => z.log(),
  sqrt: z => z.sqrt(),
  sin: z => z.sin(),
  cos: z => z.cos(),
  tanh: z => z.tanh(),
  square: z => z.square(),
  pow: z => z.pow(3),
  'a complex power': z => z.pow(z.mul(0.5)),
  abs: z => z.abs().mul(z),
  angle: z => z.angle().mul(2),
  matmul: z => z.reshape(2, 2).matmul(z.reshape(2, 2).t()),
  sum: z => z.mul(z).sum(),
  mean: z => z.mul(z).mean(),
  prod: z => z.prod(),
  cat: z => cat([z, z.flip([0])], 0),
  where: z => where(z.abs().gt(1), z.mul(z), z),
  'with real numbers': z => z.mul(z.real()).add(z.imag()),
};
const pairs = (z: Tensor): Tensor => (z.dtype.startsWith('complex') ? viewAsReal(z) : z);

describe.each(modes)('$name', ({ backend }) => {
  const device = new Device(backend(), { seed: 1, log: () => {} });
  const vector = (values: readonly number[]): Tensor => tensor([...values], { device, dtype: 'f64' });
  const lossOf = (f: (z: Tensor) => Tensor, x: Tensor, y: Tensor): Tensor => {
    const result = pairs(f(complex(x, y)));
    const weights = Array.from({ length: result.numel() }, (_, i) => ((7 * i + 3) % 11) / 8 - 0.5);
    return result.mul(tensor(weights, { device, dtype: 'f64', shape: result.shape })).sum();
  };
  test.each(Object.keys(functions))('the gradient of %s', name => {
    const f = functions[name]!;
    const [x, y] = [vector(real).requiresGrad_(), vector(imaginary).requiresGrad_()];
    lossOf(f, x, y).backward();
    const step = 1e-6;
    const differences = [real, imaginary].map((part, k) =>
      part.map((_, i) => {
        const [high, low] = [step, -step].map(delta => {
          const moved = part.map((v, j) => (i === j ? v + delta : v));
          const [p, q] = k === 0 ? [moved, imaginary] : [real, moved];
          return lossOf(f, vector(p), vector(q)).item();
        }) as [number, number];
        return (high - low) / (2 * step);
      }),
    );
    [x, y].forEach((leaf, k) => {
      (leaf.grad!.toArray() as number[]).forEach((g, i) => {
        expect(g).toBeCloseTo(differences[k]![i]!, 5);
      });
    });
  });
  test("gradients of complex leaves are PyTorch's", () => {
    // torch: z = [1+2j], (z * z.conj()).real.sum().backward() gives z.grad = [2+4j]; of z**2, conj(2z) times the seed
    const z = complex(vector([1]), vector([2]))
      .detach()
      .requiresGrad_();
    z.mul(z.conj()).real().sum().backward();
    expect(z.grad!.toArray()).toEqual([[2, 4]]);
    z.zeroGrad();
    z.square().backward(complex(vector([1]), vector([0])));
    expect(z.grad!.toArray()).toEqual([[2, -4]]);
  });
  test('data types, elements and printed text', () => {
    const z = tensor([1, 2], { device, dtype: 'complex64' });
    expect([z.dtype, z.isComplex(), z.real().dtype, z.abs().dtype]).toEqual(['complex64', true, 'float32', 'float32']);
    expect(z.toArray()).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(z.mul(vector([1, 1])).dtype).toBe('complex128');
    expect(z.mul(tensor(2, { device, dtype: 'f64' })).dtype).toBe('complex64');
    expect(z.mul(2).div(4).toArray()).toEqual([
      [0.5, 0],
      [1, 0],
    ]);
    expect(z.add(tensor([1, 2], { device, dtype: 'i64' })).dtype).toBe('complex64');
    expect(String(complex(vector([1]), vector([-2])))).toContain('1.-2.j');
    expect(z.eq(z).toArray()).toEqual([true, true]);
  });
});
