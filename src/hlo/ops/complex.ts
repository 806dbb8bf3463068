// Rows of complex, real and imag: between complex numbers and their parts. The data of a complex literal are pairs.
import { type Literal, zeros } from '../literal.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { type ElementType, formatType, sameType } from '../types.ts';
import { streaming } from './costs.ts';
import { isComplex } from './element-data.ts';
import { checkElements } from './operand-checks.ts';
import { type Checker, checkerOf, mergeShapes, shapesAgree } from './shape-checks.ts';

const complexChecks: Checker = checkerOf('complex');

/** The type of the parts of complex numbers; other types are returned unchanged. */
export function partType(type: ElementType): ElementType {
  if (type === 'complex<f32>') return 'f32';
  return type === 'complex<f64>' ? 'f64' : type;
}
export const complexType = (part: ElementType): ElementType => (part === 'f64' ? 'complex<f64>' : 'complex<f32>');

/** Takes one entry of each pair. The imaginary part of a real number is zero. */
function part(x: Literal, which: 0 | 1): Literal {
  const { elementType } = x.type;
  if (!isComplex(elementType)) return which === 0 ? x : zeros(x.type);
  const out = zeros({ ...x.type, elementType: partType(elementType) });
  for (let i = 0; i < out.data.length; i++) out.data[i] = x.data[2 * i + which]!;
  return out;
}

function partRow<N extends 'real' | 'imag'>(name: N, which: 0 | 1): OpRow<N> {
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [x] = tensors(name, operands);
      checkElements(require, 'element_type', [x], ['float', 'complex']);
      return [{ ...x, elementType: partType(x.elementType) }];
    },
    evaluate: (_op, [x]) => [part(x, which)],
    cost: op => streaming(op),
  };
}

export const complexRows: Rows<'complex' | 'real' | 'imag'> = {
  complex: {
    name: 'complex',
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [real, imag] = tensors('complex', operands);
      const shape = mergeShapes([real.shape, imag.shape]);
      complexChecks(
        shapesAgree(real.shape, imag.shape) && sameType({ ...real, shape }, { ...imag, shape }),
        1,
        () => `the parts must have one type, got ${formatType(real)} and ${formatType(imag)}`,
      );
      complexChecks(
        (real.elementType === 'f32' || real.elementType === 'f64') && real.quantization === undefined,
        3,
        () => `the parts must be f32 or f64, got ${formatType(real)}`,
      );
      return [{ ...real, shape, elementType: complexType(real.elementType) }];
    },
    evaluate(_op, [real, imag]) {
      const out = zeros({ ...real!.type, elementType: complexType(real.type.elementType) });
      for (let i = 0; i < real.data.length; i++) {
        out.data[2 * i] = real.data[i]!;
        out.data[2 * i + 1] = imag.data[i]!;
      }
      return [out];
    },
    cost: op => streaming(op),
  },
  real: partRow('real', 0),
  imag: partRow('imag', 1),
};
