import { expect, test } from 'vitest';
import { describeReason, nodeWord } from './pending-reasons.ts';

test.each([
  ['Resources', 'waits until enough nodes are free'],
  ['ReqNodeNotAvail, UnavailableNodes:a-[1-2]', 'a node that it needs is down, drained or reserved: a-[1-2]'],
  ['ReqNodeNotAvail, May be reserved for other job', 'a node that it needs is down, drained or reserved'],
  ['launch failed requeued held', 'could not be started on a node, and is held'],
  ['SomethingNew', 'SomethingNew'],
])('%s: %s', (reason, text) => {
  expect(describeReason(reason)).toBe(text);
});

test.each([
  [['idle'], 'idle'],
  [['idle', 'cloud', 'powered_down'], 'off'],
  [['allocated', 'cloud', 'powering_up'], 'starting'],
  [['mixed'], 'busy'],
  [['idle', 'drain'], 'drained'],
  [['allocated', 'not_responding'], 'down'],
] as const)('%s: %s', (states, word) => {
  expect(nodeWord(states)).toBe(word);
});
