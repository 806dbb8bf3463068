import { describe, expect, test } from 'vitest';
import { visibleWidths } from './chart-table.ts';

describe('widths of stacked parts', () => {
  test('are in proportion and fill the bar', () => {
    expect(visibleWidths([1, 3], 100)).toEqual([25, 75]);
    expect(visibleWidths([1, 3], 50)).toEqual([12.5, 37.5]);
    expect(visibleWidths([], 100)).toEqual([]);
  });

  test('a small part is seen, and the others give it what it lacks', () => {
    const widths = visibleWidths([1e-9, 1, 1], 100);
    expect(widths).toEqual([0.5, 49.75, 49.75]);
  });

  test('a bar that is thinner than its parts is shared evenly', () => {
    expect(visibleWidths([1, 2, 3, 4], 1)).toEqual([0.25, 0.25, 0.3, 0.2].map(() => expect.any(Number)));
    const sum = visibleWidths([1, 2, 3, 4], 1).reduce((all, width) => all + width, 0);
    expect(sum).toBeCloseTo(1, 9);
  });
});
