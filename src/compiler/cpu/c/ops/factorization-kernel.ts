// The kernel of a factorization: each matrix of the batch is copied to scratch memory as f64, factorized there, and its results
// are rounded once. The algorithms are explained in hlo/ops/factorizations.
import { elementAt } from '../../../../base/element-at.ts';
import { type ElementType, elementCount } from '../../../../hlo/types.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { registerType } from '../scalar/c-types.ts';
import { generalText } from './factorizations/general-text.ts';
import { singularText } from './factorizations/singular-text.ts';
import { symmetricText } from './factorizations/symmetric-text.ts';
import { vectorsText } from './factorizations/vectors-text.ts';
import { PlainKernel } from './plain-kernel.ts';

export function printFactorization(
  kernel: OpKernelOf<'factorization'>,
  operands: readonly KernelOperand[],
): KernelText {
  const { name, cut, scratchBytes } = kernel;
  const k = new PlainKernel(kernel, operands);
  const { out } = k;
  const a = k.input(0);
  const [m, n] = [elementAt(a.sizes, 1), elementAt(a.sizes, 2)];
  k.openTask();
  out.line(`double *const a = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
  k.openUnits(cut, 'b');
  /** Result `i` from numbers in scratch, each given by its position t. */
  const store = (i: number, value: string): void => {
    const { slot, sizes, type } = k.result(i);
    const size = elementCount(sizes.slice(1));
    out.line(`for (int64_t t = 0; t < ${size}; t++) p${slot}[b * ${size} + t] = ${numberOf(type, value)};`);
  };
  const load = (to: string, value: string): void =>
    out.line(
      `for (int64_t t = 0; t < ${m * n}; t++) a[${to}] = ${value.replace('@', `p${a.slot}[b * ${m * n} + t]`)};`,
    );
  switch (name) {
    case 'trenio.eigh':
      load('t', '@');
      out.line(
        `double *const values = a + ${n * n}, *const vectors = values + ${n}, *const work = vectors + ${n * n};`,
      );
      out.line(`t_fac_symmetric(${n}, a, values, vectors, work);`);
      store(0, 'values[t]');
      store(1, 'vectors[t]');
      break;
    case 'trenio.svd':
      load(`(t % ${n}) * ${m} + t / ${n}`, '@');
      out.line(
        `double *const u = a + ${m * n}, *const s = u + ${m * n}, *const v = s + ${n}, *const work = v + ${n * n};`,
      );
      out.line(`t_fac_singular(${m}, ${n}, a, u, s, v, work);`);
      store(0, `u[(t % ${n}) * ${m} + t / ${n}]`);
      store(1, 's[t]');
      store(2, 'v[t]');
      break;
    case 'trenio.eig': {
      const isReal = a.type === 'f32' || a.type === 'f64';
      load('t', isReal ? '@' : '__real__ @');
      load(`${n * n} + t`, isReal ? '0' : '__imag__ @');
      out.line(`double *const re = a + ${2 * n * n}, *const im = re + ${n}, *const work = im + ${n};`);
      out.line(`t_fac_general(${n}, a, ${isReal ? 1 : 0}, re, im, work);`);
      store(0, 're[t]|im[t]');
      const at = `(t % ${n}) * ${n} + t / ${n}`;
      store(1, `work[${2 * n * n} + ${at}]|work[${3 * n * n} + ${at}]`);
      break;
    }
  }
  out.close();
  out.close();
  const [helper, text] = helpers[name];
  return {
    code: k.text(cut),
    helpers: new Map([
      ['t_fac_rescale', vectorsText],
      [helper, text],
    ]),
  };
}
const helpers = {
  'trenio.eigh': ['t_fac_symmetric', symmetricText],
  'trenio.svd': ['t_fac_singular', singularText],
  'trenio.eig': ['t_fac_general', generalText],
} as const;

/** Converts f64 to a type; both parts of a complex number are given, separated by |. */
function numberOf(type: ElementType, value: string): string {
  const [re, im] = value.split('|');
  if (im === undefined) return `(${registerType(type)})${re}`;
  const part = type === 'complex<f32>' ? 'float' : 'double';
  return `__builtin_complex((${part})${re}, (${part})${im})`;
}
