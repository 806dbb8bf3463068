// One element of an elementwise op on complex numbers as a C expression. complex<f32> is computed in double and rounded
// once, so each function exists once, on double; only exact ops are done in the type itself.
import type { ElementType } from '../../../../hlo/types.ts';
import type { ScalarOp } from '../../../ir/scalar-op.ts';

/** Functions t_NAME_complex of one or two `double _Complex`. */
const functions: { readonly [N in ScalarOp['name']]?: string } = {
  divide: 'divide',
  maximum: 'max',
  minimum: 'min',
  power: 'power',
  cbrt: 'cbrt',
  cosine: 'cos',
  exponential: 'exp',
  exponential_minus_one: 'expm1',
  log: 'log',
  log_plus_one: 'log1p',
  logistic: 'logistic',
  rsqrt: 'rsqrt',
  sign: 'sign',
  sine: 'sin',
  sqrt: 'sqrt',
  tan: 'tan',
  tanh: 'tanh',
};

/** The expression for operands of complex type; undefined for ops without a special rule for complex numbers. */
export function complexText(op: ScalarOp, operands: readonly string[], type: ElementType): string | undefined {
  const [x, y] = operands;
  switch (op.name) {
    case 'add':
      return `${x} + ${y}`;
    case 'subtract':
      return `${x} - ${y}`;
    case 'negate':
      return `-${x}`;
    case 'multiply':
      return `t_multiply_complex${type === 'complex<f32>' ? '_f32' : ''}(${x}, ${y})`;
    case 'abs':
      return `${type === 'complex<f32>' ? '(float)' : ''}t_abs_complex(${x})`;
    case 'real':
      return `__real__ ${x}`;
    case 'imag':
      return `__imag__ ${x}`;
    case 'compare':
      return `(_Bool)(${x} ${op.direction === 'NE' ? '!=' : '=='} ${y})`;
    default: {
      const name = functions[op.name];
      if (name === undefined) return undefined;
      const cast = type === 'complex<f32>' ? '(float _Complex)' : '';
      return `${cast}t_${name}_complex(${operands.join(', ')})`;
    }
  }
}
