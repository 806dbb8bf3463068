import { describe, expect, test } from 'vitest';
import { torusNeighbors } from './torus.ts';

describe('neighbors in a torus', () => {
  test('of two dimensions, as listed by Neuron’s tools', () => {
    expect(torusNeighbors([4, 4], 0)).toEqual([12, 3, 4, 1]);
    expect(torusNeighbors([4, 4], 5)).toEqual([1, 4, 9, 6]);
    expect(torusNeighbors([4, 4], 15)).toEqual([11, 14, 3, 12]);
  });

  test('of a ring, and of a line too short for one', () => {
    expect(torusNeighbors([12], 0)).toEqual([11, 1]);
    expect(torusNeighbors([6], 3)).toEqual([2, 4]);
    expect(torusNeighbors([2], 0)).toEqual([1]);
    expect(torusNeighbors([1], 0)).toEqual([]);
  });

  test.each([[[4, 4]], [[4, 4, 4]], [[12]], [[3, 5]]])('are mutual: %j', shape => {
    const chips = shape.reduce((a, b) => a * b, 1);
    for (let chip = 0; chip < chips; chip++) {
      const neighbors = torusNeighbors(shape, chip);
      expect(neighbors.length).toBe(2 * shape.length);
      for (const other of neighbors) expect(torusNeighbors(shape, other)).toContain(chip);
    }
  });

  test('an UltraServer connects the chips at the same position in its four instances', () => {
    // Instances are the first dimension: chip 16 is the first of the second instance.
    expect(torusNeighbors([4, 4, 4], 0)).toEqual([48, 12, 3, 16, 4, 1]);
  });
});
