// The table of transitions: every state leads to a final state, final states have no transitions, and a client can only stop.
import { expect, test } from 'vitest';
import { isFinal, mayMove, type SecondaryStatus, secondaryStatuses, statusOf } from './state-machine.ts';

const movers = ['client', 'scheduler', 'runner'] as const;
const next = (from: SecondaryStatus): readonly SecondaryStatus[] =>
  secondaryStatuses.filter(to => movers.some(mover => mayMove(from, to, mover)));

test('five states are final, and every other one leads to one of them', () => {
  const final = secondaryStatuses.filter(isFinal);
  expect(final).toEqual(['Stopped', 'MaxRuntimeExceeded', 'MaxWaitTimeExceeded', 'Completed', 'Failed']);
  for (const from of secondaryStatuses) {
    const reached = new Set<SecondaryStatus>([from]);
    for (const state of reached) for (const to of next(state)) reached.add(to);
    expect([...reached].some(isFinal), from).toBe(true);
  }
});

test('every state is reached from Starting', () => {
  const reached = new Set<SecondaryStatus>(['Starting']);
  for (const state of reached) for (const to of next(state)) reached.add(to);
  expect(reached).toEqual(new Set(secondaryStatuses));
});

test('a client moves jobs to Stopping and Stopped only', () => {
  for (const from of secondaryStatuses)
    for (const to of secondaryStatuses) if (mayMove(from, to, 'client')) expect(['Stopping', 'Stopped']).toContain(to);
});

test('the status is InProgress or Stopping until the job has ended', () => {
  for (const status of secondaryStatuses) {
    const expected = isFinal(status) ? ['Completed', 'Failed', 'Stopped'] : ['InProgress', 'Stopping'];
    expect(expected).toContain(statusOf(status));
  }
});
