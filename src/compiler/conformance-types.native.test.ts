// The element types beyond those of training: complex numbers, integers under a byte, floats under two bytes.
import { test, vi } from 'vitest';
import { binaryNames, unaryNames } from '../hlo/attributes.ts';
import { type ElementType, elementTypes, isFloat, isInteger } from '../hlo/types.ts';
import { smallFloats } from '../numerics/small-floats.ts';
import { Batch } from './testing/batch.testing.ts';

vi.setConfig({ testTimeout: 120_000 });

const tiny: readonly ElementType[] = ['i2', 'i4', 'ui2', 'ui4'];
const complex: readonly ElementType[] = ['complex<f32>', 'complex<f64>'];

function tryEmit(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'INVALID_OP')) throw error;
  }
}
/** All values of a type smaller than a byte; a selection for other types. */
const values =
  (type: ElementType) =>
  (i: number): number => {
    if (type.startsWith('i')) return isInteger(type) && Number(type.slice(1)) < 8 ? (i % 16) - 8 : (i % 41) - 20;
    if (type.startsWith('ui')) return i % 16;
    const special = [0, -0, 1, -1, 0.5, 1.5, -2.5, 3, 448, -448, 1e-3, 6];
    return i < special.length && isFloat(type) ? special[i]! : Math.sin(i * 12.9898 + 0.5) * 3;
  };

test('integers under a byte', () => {
  const t = new Batch();
  for (const type of tiny) {
    const at = values(type);
    const x = t.arg(type, [16, 16], i => at(i >> 4));
    const y = t.arg(type, [16, 16], i => at(i & 15));
    for (const name of unaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.unary(name, x)));
    for (const name of binaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.binary(name, x, y)));
    t.result(`compare ${type}`, t.b.compare('LT', x, y));
    t.result(`sum ${type}`, t.b.sum(x, [0]), t.b.sum(y, [1]), t.b.sum(x));
    const zero = t.b.fill(type, [], 0);
    t.result(`maximum of ${type}`, t.b.reduce('maximum', x, zero, [1]), t.b.reduce('minimum', x, zero, [0]));
    const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    t.result(
      `dot ${type}`,
      t.b.dotGeneral(x, y, { ...dims, lhsContractingDimensions: [1], rhsContractingDimensions: [0] }),
    );
  }
  t.check();
});

test('low-precision floats', () => {
  const t = new Batch();
  for (const type of [...smallFloats, 'tf32'] as const) {
    const at = values(type);
    const x = t.arg(type, [12, 12], i => at(Math.floor(i / 12)));
    const y = t.arg(type, [12, 12], i => at(i % 12));
    for (const name of ['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum'] as const)
      t.result(`${name} ${type}`, t.b.binary(name, x, y));
    for (const name of ['negate', 'abs', 'floor', 'sqrt', 'exponential', 'sign'] as const)
      t.result(`${name} ${type}`, t.b.unary(name, x));
    t.result(`compare ${type}`, t.b.compare('LE', x, y));
    t.result(`sum ${type}`, t.b.sum(x, [0]), t.b.sum(x, [1]));
    const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    t.result(
      `dot ${type}`,
      t.b.dotGeneral(x, y, { ...dims, lhsContractingDimensions: [1], rhsContractingDimensions: [0] }),
    );
  }
  t.check();
});

test('complex numbers', () => {
  const t = new Batch();
  for (const type of complex) {
    const wave = values(type);
    const x = t.arg(type, [9, 7], i => (i % 11 === 3 ? 0 : wave(i)));
    const y = t.arg(type, [9, 7], i => wave(i + 100));
    for (const name of unaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.unary(name, x)));
    for (const name of ['add', 'subtract', 'multiply', 'divide', 'power'] as const)
      t.result(`${name} ${type}`, t.b.binary(name, x, y));
    const parts = [t.b.emit1('real', [x], {}), t.b.emit1('imag', [x], {})] as const;
    t.result(`parts ${type}`, ...parts, t.b.emit1('complex', [parts[1], parts[0]], {}));
    for (const direction of ['EQ', 'NE'] as const)
      t.result(`compare ${type}`, t.b.emit1('compare', [x, y], { comparisonDirection: direction }));
    t.result(`select ${type}`, t.b.select(t.b.compare('LT', parts[0], parts[1]), x, y));
    t.result(`sums ${type}`, t.b.sum(x, [0]), t.b.sum(x, [1]), t.b.sum(x));
    t.result(`product ${type}`, t.b.reduce('multiply', y, t.b.fill(type, [], 1), [1]));
    const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    t.result(
      `dot ${type}`,
      t.b.dotGeneral(x, y, { ...dims, lhsContractingDimensions: [0], rhsContractingDimensions: [0] }),
    );
    t.result(`moved ${type}`, t.b.transpose(t.b.slice(x, [1, 0], [9, 7], [2, 1]), [1, 0]));
    t.result(`filled ${type}`, t.b.pad(x, t.b.fill(type, [], 2), [1, 0], [0, 2], [1, 0]));
  }
  t.check(1e-6);
});

test('conversions among all types', () => {
  const t = new Batch();
  for (const from of elementTypes) {
    const at = values(from);
    const x = t.arg(from, [20], from === 'i1' ? i => i % 2 : at);
    for (const to of elementTypes) {
      if (from === to) continue;
      t.result(`${from} to ${to}`, t.b.convert(x, to));
    }
  }
  t.check();
});

test('bitcasts', () => {
  const t = new Batch();
  const sizes: readonly (readonly [ElementType, ElementType])[] = [
    ['f8E4M3FN', 'i8'],
    ['ui8', 'f8E5M2'],
    ['tf32', 'i32'],
    ['i16', 'bf16'],
    ['ui64', 'f64'],
    ['i4', 'ui4'],
  ];
  for (const [from, to] of sizes) {
    const x = t.arg(from, [6, 2], i => i % 5);
    t.result(
      `${from} as ${to}`,
      t.b.emit1('bitcast_convert', [x], { type: { kind: 'tensor', elementType: to, shape: [6, 2] } }),
    );
  }
  t.check();
});
