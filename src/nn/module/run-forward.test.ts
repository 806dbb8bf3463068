// The user's line of what layers record, also where earlier runs of a layer have shown that no line of the user's is in it.
import { expect, test } from 'vitest';
import { type Tensor, userLocation, zeros } from '../../tensor/index.ts';
import { Linear, Module, ReLU, Sequential } from '../index.ts';

const lineOf = ({ location }: Tensor): number => location!.line;
const here = (): number => userLocation(here)!.line;

test('what a layer of the library records has the line that calls the outermost module, each time', () => {
  const model = new Sequential(new Linear(2, 3), new ReLU());
  const found = Array.from({ length: 3 }, () => [lineOf(model(zeros(1, 2))), here()] as const);
  for (const [line, expected] of found) expect(line).toBe(expected);
  const [line, expected] = [lineOf(model(zeros(1, 2))), here()];
  expect(line).toBe(expected);
});

test("what the user's own forward records has its line there, in a layer of the library or around one", () => {
  const lines: number[] = [];
  class Twice extends Module {
    inner = new Linear(2, 2);
    override forward(x: Tensor): Tensor {
      const y = x.mul(2);
      const z = this.inner(y);
      lines.push(lineOf(y), lineOf(z), here());
      return z;
    }
  }
  const model = new Sequential(new Twice(), new ReLU());
  for (let i = 0; i < 3; i++) model(zeros(1, 2));
  const [, , at] = lines as [number, number, number];
  expect(lines).toEqual([at - 2, at - 1, at, at - 2, at - 1, at, at - 2, at - 1, at]);
});
