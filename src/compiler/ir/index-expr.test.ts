import { describe, expect, test } from 'vitest';
import {
  add,
  addConstant,
  constantIndex,
  delinearize,
  divMod,
  type Loop,
  linearize,
  loopIndex,
  scale,
  visitTerms,
} from './index-expr.ts';

const loop = (id: number, size: number): Loop => ({ id, size });

describe('index arithmetic', () => {
  test('a reshape and its inverse cancel', () => {
    const [i, j] = [loop(0, 1024), loop(1, 768)];
    const index = [loopIndex(i), loopIndex(j)];
    const flat = linearize([1024, 768], index);
    const split = delinearize([8, 128, 12, 64], flat);
    expect(linearize([8, 128, 12, 64], split).key).toBe(flat.key);
    expect(delinearize([1024, 768], linearize([8, 128, 12, 64], split)).map(x => x.key)).toEqual(index.map(x => x.key));
  });

  test('divisions whose results follow from the loop ranges are removed', () => {
    const position = linearize([8, 128], [loopIndex(loop(0, 8)), loopIndex(loop(1, 128))]);
    expect(divMod(position, 128).map(x => x.key)).toEqual(['1i0+0', '1i1+0']);
    expect(divMod(addConstant(scale(loopIndex(loop(2, 10)), 6), 3), 3).map(x => x.key)).toEqual(['2i2+1', '0']);
  });

  test('expressions that may be negative are not divided, because C rounds to zero', () => {
    const [i, j] = [loopIndex(loop(0, 2)), loopIndex(loop(1, 4))];
    // 6 + 4i - j is 3 to 10; without its multiples of 4 it would be 2 - j, from -1.
    const index = add(addConstant(scale(i, 4), 6), scale(j, -1));
    for (const part of divMod(index, 4))
      visitTerms(part, term => {
        if (term.kind === 'div' || term.kind === 'mod') expect(term.of.min).toBeGreaterThanOrEqual(0);
      });
  });

  test('loops of one iteration and constants leave no terms', () => {
    expect(loopIndex(loop(0, 1)).terms).toEqual([]);
    expect(linearize([3, 4], [constantIndex(2), constantIndex(1)]).key).toBe('9');
  });

  test('ranges are known', () => {
    const i = loopIndex(loop(0, 10));
    expect([scale(i, -2).min, scale(i, -2).max + 0, divMod(i, 3)[1].max]).toEqual([-18, 0, 2]);
  });
});
