import { expect, test } from 'vitest';
import { StoppedWatch } from './stopped-ranks.ts';

function make(limitMs: number | undefined, isWholeRun = true) {
  const states = new Map([
    [10, 'S'],
    [11, 'S'],
  ]);
  const said: string[] = [];
  const killed: number[] = [];
  const ranks = [0, 1].map(rank => ({ rank, pid: 10 + rank, running: true, kill: () => void killed.push(rank) }));
  const watch = new StoppedWatch({
    ranks,
    isWholeRun,
    limitMs,
    stateOf: pid => states.get(pid),
    say: text => said.push(text),
  });
  return { states, said, killed, ranks, watch };
}

test('a stopped rank is announced, and ended at the limit', () => {
  const { states, said, killed, watch } = make(8000);
  states.set(11, 'T');
  for (let i = 0; i < 7; i++) watch.poll(1000);
  expect(said).toEqual([
    'rank 1 (process 11) is stopped (SIGSTOP) for 5 s; it is ended after 8 s. To continue it: kill -CONT 11',
  ]);
  expect(killed).toEqual([]);
  watch.poll(1000);
  expect(killed).toEqual([1]);
  expect(watch.ended.get(1)).toBe('was stopped (SIGSTOP) for 8 s, and ended');
});

test('a stopped rank is also ended if the others have ended', () => {
  const { states, killed, ranks, watch } = make(2000);
  ranks[0]!.running = false;
  states.set(11, 'T');
  for (let i = 0; i < 2; i++) watch.poll(1000);
  expect(killed).toEqual([1]);
});

test('the timer restarts when a rank is continued', () => {
  const { states, said, killed, watch } = make(8000);
  states.set(11, 'T');
  for (let i = 0; i < 6; i++) watch.poll(1000);
  states.set(11, 'R');
  watch.poll(1000);
  states.set(11, 'T');
  for (let i = 0; i < 4; i++) watch.poll(1000);
  expect(killed).toEqual([]);
  expect(said.at(-1)).toBe('rank 1 (process 11) runs again');
});

test('a run that is stopped as a whole is paused; ranks whose neighbors are elsewhere are not', () => {
  const part = make(2000, false);
  for (const pid of [10, 11]) part.states.set(pid, 'T');
  for (let i = 0; i < 2; i++) part.watch.poll(1000);
  expect(part.killed).toEqual([0, 1]);
  const { states, said, killed, watch } = make(2000);
  for (const pid of [10, 11]) states.set(pid, 'T');
  for (let i = 0; i < 20; i++) watch.poll(1000);
  expect([said, killed]).toEqual([[], []]);
});
