import { expect, test } from 'vitest';
import { DraftLength, PromptLookup } from './drafts.ts';
import { StepCost } from './step-cost.ts';

test('drafts are the tokens that followed the last ones before, and go on where a text repeats itself', () => {
  const tokens = [1, 2, 3, 4, 5, 9, 2, 3];
  const lookup = new PromptLookup(tokens);
  expect(lookup.propose(3)).toEqual([4, 5, 9]);
  tokens.push(4);
  expect(lookup.propose(2)).toEqual([5, 9]);
  tokens.push(7);
  expect(lookup.propose(2)).toEqual([]);
  expect(new PromptLookup([1, 2, 1, 2, 1, 2]).propose(5)).toEqual([1, 2, 1, 2, 1]);
  expect(new PromptLookup([1]).propose(5)).toEqual([]);
});

test('drafts are as many as pay', () => {
  const plus = (overhead: number) => (tokens: number) => overhead + tokens;
  const length = new DraftLength();
  for (let i = 0; i < 10; i++) length.record(4, 4);
  expect(length.next(1, plus(4))).toBe(8);
  // Padding costs nothing.
  expect(length.next(3, tokens => 2 ** Math.ceil(Math.log2(tokens)))).toBe(1);
  // Steps whose time is that of their tokens gain nothing.
  expect(length.next(8, plus(0.5))).toBe(0);
  for (let i = 0; i < 20; i++) length.record(2, 0);
  const tried = Array.from({ length: 320 }, () => length.next(1, plus(4)));
  expect(tried.reduce((sum, drafts) => sum + drafts)).toBe(10);
  for (let i = 0; i < 10; i++) length.record(1, 1);
  expect(length.next(1, plus(4))).toBeGreaterThan(0);
});

test('the overhead of a step is measured', () => {
  const cost = new StepCost();
  expect(cost.overhead).toBe(4);
  for (let i = 0; i < 40; i++) cost.observe(i % 10, 20 + 2 * (i % 10));
  expect(cost.overhead).toBeCloseTo(10);
});
