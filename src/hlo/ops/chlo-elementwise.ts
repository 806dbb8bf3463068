// Rows of the elementwise ops of CHLO. Their decompositions are in `special-functions/`; they compute in f32 or wider and round
// once. The interpreter uses them as well, because the last digits of such functions depend on the formula.
import type { ChloBinaryName, ChloUnaryName } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import type { OpRow, Rows } from '../op-row.ts';
import { tensors } from '../op-row.ts';
import { tensorTypeOf, type Value } from '../program.ts';
import { countOf, streaming } from './costs.ts';
import { isComplex } from './element-data.ts';
import { sameTypes } from './elementwise-checks.ts';
import { checkElements, type ElementKind, integers, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf } from './shape-checks.ts';
import { besselI1e } from './special-functions/bessel.ts';
import { highProduct, nextAfter } from './special-functions/bits.ts';
import type { Complex } from './special-functions/complex-functions.ts';
import * as complexFunctions from './special-functions/complex-functions.ts';
import * as elementary from './special-functions/elementary.ts';
import { erfc, erfInv } from './special-functions/error-functions.ts';
import { Formula } from './special-functions/formula.ts';
import { digamma, lgamma } from './special-functions/gamma.ts';
import { polygamma, zeta } from './special-functions/zeta.ts';
import { widened } from './widen.ts';

interface UnaryFunction {
  readonly real?: (f: Formula, x: Value) => Value;
  readonly complex?: (f: Formula, z: Complex) => Complex;
  /** A predicate: the result is boolean. */
  readonly predicate?: true;
  /** Ops counted as a flop, not as a transcendental. */
  readonly cheap?: true;
}

const functions: { readonly [N in Exclude<ChloUnaryName, 'chlo.tan'>]: UnaryFunction } = {
  'chlo.acos': { real: elementary.acos, complex: complexFunctions.acos },
  'chlo.acosh': { real: elementary.acosh, complex: complexFunctions.acosh },
  'chlo.asin': { real: elementary.asin, complex: complexFunctions.asin },
  'chlo.asinh': { real: elementary.asinh, complex: complexFunctions.asinh },
  'chlo.atan': { real: elementary.atan, complex: complexFunctions.atan },
  'chlo.atanh': { real: elementary.atanh, complex: complexFunctions.atanh },
  'chlo.bessel_i1e': { real: besselI1e },
  'chlo.conj': { real: (_, x) => x, complex: complexFunctions.conj, cheap: true },
  'chlo.cosh': { real: elementary.cosh, complex: complexFunctions.cosh },
  'chlo.digamma': { real: digamma },
  'chlo.erf_inv': { real: erfInv },
  'chlo.erfc': { real: erfc },
  'chlo.is_inf': { real: (f, x) => f.compare('EQ', f.abs(x), Infinity), predicate: true, cheap: true },
  'chlo.is_neg_inf': { real: (f, x) => f.compare('EQ', x, -Infinity), predicate: true, cheap: true },
  'chlo.is_pos_inf': { real: (f, x) => f.compare('EQ', x, Infinity), predicate: true, cheap: true },
  'chlo.lgamma': { real: lgamma },
  'chlo.sinh': { real: elementary.sinh, complex: complexFunctions.sinh },
  'chlo.square': { real: (f, x) => f.square(x), complex: complexFunctions.square, cheap: true },
  'chlo._asin_acos_kernel': { complex: complexFunctions.asinAcosKernel },
};
/** Ops that accept complex operands in StableHLO, but are not implemented for them here. */
const takesComplex: ReadonlySet<ChloUnaryName> = new Set(['chlo.bessel_i1e']);

/** The formula over real numbers; floats are computed in at least f32. */
function realForm(
  b: BaseBuilder,
  operands: readonly [Value, ...Value[]],
  formula: (f: Formula, ...xs: Value[]) => Value,
): Value {
  const [x, ...rest] = operands;
  const wide = widened(b, x);
  const result = formula(new Formula(b, wide), wide, ...rest.map(y => widened(b, y)));
  const isFloat = tensorTypeOf(result).elementType === tensorTypeOf(wide).elementType;
  return isFloat ? b.convert(result, tensorTypeOf(x).elementType) : result;
}
function complexForm(b: BaseBuilder, z: Value, formula: (f: Formula, z: Complex) => Complex): Value {
  const re = b.emit1('real', [z], {});
  const parts = formula(new Formula(b, re), { re, im: b.emit1('imag', [z], {}) });
  return b.emit1('complex', [parts.re, parts.im], {});
}
/** Constants of the formulas need the shape of the operands. */
const isKnown = (operands: readonly Value[]): boolean => operands.every(x => isStatic(tensorTypeOf(x)));

function unaryRow<N extends keyof typeof functions>(name: N): OpRow<N> {
  const { real, complex, predicate, cheap } = functions[name];
  const require: Checker = checkerOf(name);
  const kinds: readonly ElementKind[] = [
    ...(real === undefined ? [] : (['float'] as const)),
    ...(complex === undefined && !takesComplex.has(name) ? [] : (['complex'] as const)),
  ];
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [x] = tensors(name, operands);
      checkElements(require, 'elements', [x], kinds);
      return [predicate ? { ...x, elementType: 'i1' } : x];
    },
    decompose(b, _op, operands) {
      if (!isKnown(operands)) return undefined;
      const [x] = operands;
      if (isComplex(tensorTypeOf(x).elementType)) return complex && [complexForm(b, x, complex)];
      return real && [realForm(b, [x], real)];
    },
    cost(op) {
      const count = countOf(op.results[0].type);
      return cheap ? streaming(op, count) : streaming(op, 0, count);
    },
  };
}

/** The op has since become part of StableHLO. */
const tanRow: OpRow<'chlo.tan'> = {
  name: 'chlo.tan',
  kind: 'elementwise',
  pure: true,
  infer(operands) {
    const types = tensors('chlo.tan', operands);
    checkElements(checkerOf('chlo.tan'), 'elements', types, ['float', 'complex']);
    return types;
  },
  decompose: (b, _op, [x]) => [b.unary('tan', x)],
  cost: op => streaming(op, 0, countOf(op.results[0].type)),
};

type Binary = (b: BaseBuilder, x: Value, y: Value) => Value | undefined;
function binaryRow<N extends ChloBinaryName>(name: N, kinds: readonly ElementKind[], form: Binary): OpRow<N> {
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const types = tensors(name, operands);
      checkElements(require, 'elements', types, kinds);
      return [sameTypes(require, 'types', types)];
    },
    decompose(b, _op, operands) {
      if (!isKnown(operands)) return undefined;
      const result = form(b, operands[0], operands[1]);
      return result && [result];
    },
    cost(op) {
      const count = countOf(op.results[0].type);
      return kinds === integers ? streaming(op, count) : streaming(op, 0, count);
    },
  };
}

const unaryRows = Object.fromEntries(
  (Object.keys(functions) as (keyof typeof functions)[]).map(name => [name, unaryRow(name)]),
) as unknown as Rows<keyof typeof functions>;

export const chloElementwiseRows: Rows<ChloUnaryName | ChloBinaryName> = {
  ...unaryRows,
  'chlo.tan': tanRow,
  'chlo.mulhi': binaryRow('chlo.mulhi', integers, highProduct),
  'chlo.next_after': binaryRow('chlo.next_after', ['float'], nextAfter),
  'chlo.polygamma': binaryRow('chlo.polygamma', ['float'], (b, n, x) => realForm(b, [n, x], polygamma)),
  'chlo.zeta': binaryRow('chlo.zeta', ['float'], (b, x, q) => realForm(b, [x, q], zeta)),
};
