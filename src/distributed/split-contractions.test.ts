import { expect, test } from 'vitest';
import { splitContractions } from './split-contractions.ts';

test.each([
  ['tp=2', /the sizes is the text "tp=2", expected the sizes of axes/],
  [{ nope: 2 }, /unknown mesh axis 'nope'/],
  [{ tp: 0 }, /the axis "tp" has the size 0/],
  [{ tp: -1 }, /a size is the number -1, expected 1 or more/],
  [{ data: 2 }, /an axis is the text "data", expected axes other than data and pp/],
  [{ pp: 2 }, /pipeline\(\) has cuts for one rank/],
])('%j is refused', (sizes, message) => {
  expect(() => splitContractions(sizes as never)).toThrow(message);
});
