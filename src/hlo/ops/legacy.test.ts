// The older ops compared with loops over their definition.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zip } from '../../base/zip.ts';
import { type Literal, literal, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { elementCount, stridesOf, type TensorType, tensorType } from '../types.ts';
import { numbers, refusalOf, run } from './ops.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

/** Σ over all letters, by brute force. */
function sumOfProducts(config: string, operands: readonly Literal[]): number[] {
  const [inputs, result] = config.split('->').map(side => side.split(',')) as [string[], [string]];
  const letters = [...new Set(inputs.join(''))];
  const size = new Map<string, number>();
  const terms = zip(inputs, operands);
  for (const [part, { type }] of terms)
    for (const [letter, length] of zip([...part], type.shape)) size.set(letter, length);
  const at = (part: string, index: ReadonlyMap<string, number>): number => {
    const strides = stridesOf([...part].map(letter => size.get(letter)!));
    return [...part].reduce((sum, letter, d) => sum + index.get(letter)! * strides[d]!, 0);
  };
  const out = new Array<number>(elementCount([...result[0]].map(letter => size.get(letter)!))).fill(0);
  const visit = (k: number, index: Map<string, number>): void => {
    if (k < letters.length) {
      for (let i = 0; i < size.get(letters[k]!)!; i++) visit(k + 1, new Map(index).set(letters[k]!, i));
      return;
    }
    out[at(result[0], index)]! += terms.reduce((p, [part, term]) => p * toNumbers(term)[at(part, index)]!, 1);
  };
  visit(0, new Map());
  return out;
}

describe('einsum', () => {
  const part = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  test('sums products over the letters that the result lacks', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 2 }), fc.nat(99), (parts, seed) => {
        const sizes: Record<string, number> = { a: 2, b: 3, c: 1 + (seed % 3) };
        const result = [...new Set(parts.flat())].filter((_, i) => (seed >> i) % 2 === 0).toReversed();
        const einsumConfig = `${parts.map(p => p.join('')).join(',')}->${result.join('')}`;
        const shape = (names: readonly string[]): number[] => names.map(name => sizes[name]!);
        const operands = parts.map((p, i) => sampleLiteral('f64', shape(p), seed + i));
        const name = parts.length === 1 ? 'unary_einsum' : 'einsum';
        const type = tensorType('f64', shape(result));
        const actual = numbers(operands, (b, v) => b.emit1(name, v, { einsumConfig, type }));
        sumOfProducts(einsumConfig, operands).forEach((expected, i) => {
          expect(actual[i]).toBeCloseTo(expected, 10);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('"..." stands for further dims, aligned at their end', () => {
    const [x, y] = [sampleLiteral('f64', [4, 2, 3]), sampleLiteral('f64', [4, 3, 2], 2)];
    const einsum = (einsumConfig: string): number[] =>
      numbers([x, y], (b, v) => b.emit1('einsum', v, { einsumConfig, type: tensorType('f64', [4, 2, 2]) }));
    expect(einsum('...ij,...jk->...ik')).toEqual(einsum('bij,bjk->bik'));
  });

  test('constraints', () => {
    const einsum = (einsumConfig: string, ...shapes: number[][]) =>
      refusalOf(
        shapes.map(shape => f32(...shape)),
        (b, v) => b.emit1('einsum', v, { einsumConfig, type: f32(2) }),
      );
    expect(einsum('ab,b->a', [2, 3], [3])).toBe('accepted');
    for (const config of ['ab,b', 'ab->a', 'a,b->a', 'ab,b->c', 'ab,b->aa', 'a1,b->a'])
      expect(einsum(config, [2, 3], [3])).toBe('trenio_einsum_config');
    expect(einsum('ab,b->a', [2, 3], [4])).toBe('trenio_einsum_sizes');
  });
});

describe('dot, broadcast, torch_index_select', () => {
  test.each([
    [[4], [4], 'k,k->'],
    [[3, 4], [4], 'mk,k->m'],
    [[4], [4, 2], 'k,kn->n'],
    [[3, 4], [4, 2], 'mk,kn->mn'],
  ])('dot of %j and %j', (left, right, config) => {
    const operands = [sampleLiteral('f64', left), sampleLiteral('f64', right, 2)];
    const actual = numbers(operands, (b, v) => b.emit1('dot', v, { precision: [] }));
    sumOfProducts(config, operands).forEach((expected, i) => {
      expect(actual[i]).toBeCloseTo(expected, 12);
    });
  });
  test('dot accumulates in the type of its result', () => {
    const x = literal('bf16', [300], new Array<number>(300).fill(1));
    const sum = run([x, x], (b, v) => b.emit1('dot', v, { precision: [], elementType: 'f32' }));
    expect(sum.type.elementType).toBe('f32');
    expect(toNumbers(sum)).toEqual([300]);
  });
  test('broadcast puts new dims first', () => {
    const x = literal('i32', [2], [5, 6]);
    expect(numbers([x], (b, v) => b.emit1('broadcast', v, { broadcastSizes: [2, 1] }))).toEqual([5, 6, 5, 6]);
  });
  test('torch_index_select takes elements along a dim, batch by batch', () => {
    const x = literal('i32', [2, 3, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const rows = literal('i32', [2], [2, 0]);
    expect(numbers([x, rows], (b, v) => b.emit1('torch_index_select', v, { dim: 1, batchDims: 0 }))).toEqual([
      4, 5, 0, 1, 10, 11, 6, 7,
    ]);
    const own = literal('i32', [2, 1], [1, 2]);
    expect(numbers([x, own], (b, v) => b.emit1('torch_index_select', v, { dim: -2, batchDims: 1 }))).toEqual([
      2, 3, 10, 11,
    ]);
  });
  test('constraints', () => {
    const dot = (...shapes: number[][]) =>
      refusalOf(
        shapes.map(shape => f32(...shape)),
        (b, v) => b.emit1('dot', v, { precision: [] }),
      );
    expect(dot([2, 3], [4, 2])).toBe('trenio_dot_contracting');
    expect(dot([2, 2, 3], [3, 2])).toBe('trenio_dot_ranks');
    expect(refusalOf([f32(2)], (b, v) => b.emit1('broadcast', v, { broadcastSizes: [-1] }))).toBe(
      'trenio_broadcast_sizes',
    );
    const select = (dim: number, batchDims: number, index: TensorType) =>
      refusalOf([f32(2, 3), index], (b, v) => b.emit1('torch_index_select', v, { dim, batchDims }));
    expect(select(2, 0, tensorType('i32', [1]))).toBe('trenio_torch_index_select_dim');
    expect(select(0, 1, tensorType('i32', [1]))).toBe('trenio_torch_index_select_batch_dims');
    expect(select(0, 0, f32(1))).toBe('trenio_torch_index_select_index');
  });
});
