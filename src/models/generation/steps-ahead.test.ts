import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Tensor, tensor } from '../../tensor/index.ts';
import { StepsAhead } from './steps-ahead.ts';

const tokensOf = (step: number): Tensor => tensor([[step, 100 + step]], { dtype: 'i32' });
const first = tokensOf(0);
class Counting {
  started = 0;
  next(): Tensor {
    return tokensOf(++this.started);
  }
}

test('tokens come in order, and no more steps are started than wanted', async () => {
  const session = new Counting();
  const steps = new StepsAhead(session, first, 50);
  for (let i = 0; i < 50; i++) expect(await steps.next()).toEqual([i, 100 + i]);
  expect(session.started).toBe(49);
});

test('a slow caller is one step behind', async () => {
  const session = new Counting();
  const steps = new StepsAhead(session, first, 50);
  for (let i = 0; i < 5; i++) {
    await sleep(20);
    expect(await steps.next()).toEqual([i, 100 + i]);
    expect(session.started).toBe(i + 1);
  }
});
