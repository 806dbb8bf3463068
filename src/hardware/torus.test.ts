import { describe, expect, test } from 'vitest';
import { torusNeighbours } from './torus.ts';

describe('neighbours in a torus', () => {
  test('of two dimensions, as Neuron’s tools list them', () => {
    expect(torusNeighbours([4, 4], 0)).toEqual([12, 3, 4, 1]);
    expect(torusNeighbours([4, 4], 5)).toEqual([1, 4, 9, 6]);
    expect(torusNeighbours([4, 4], 15)).toEqual([11, 14, 3, 12]);
  });

  test('of a ring, and of a line too short for one', () => {
    expect(torusNeighbours([12], 0)).toEqual([11, 1]);
    expect(torusNeighbours([6], 3)).toEqual([2, 4]);
    expect(torusNeighbours([2], 0)).toEqual([1]);
    expect(torusNeighbours([1], 0)).toEqual([]);
  });

  test.each([[[4, 4]], [[4, 4, 4]], [[12]], [[3, 5]]])('are mutual: %j', shape => {
    const chips = shape.reduce((a, b) => a * b, 1);
    for (let chip = 0; chip < chips; chip++) {
      const neighbours = torusNeighbours(shape, chip);
      expect(neighbours.length).toBe(2 * shape.length);
      for (const other of neighbours) expect(torusNeighbours(shape, other)).toContain(chip);
    }
  });

  test('an UltraServer joins the chips at the same place of its four instances', () => {
    // Instances are the first dimension: chip 16 is the first of the second instance.
    expect(torusNeighbours([4, 4, 4], 0)).toEqual([48, 12, 3, 16, 4, 1]);
  });
});
