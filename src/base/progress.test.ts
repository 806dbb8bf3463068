import { expect, test } from 'vitest';
import { ProgressLine } from './progress.ts';

const make = (isTTY: boolean, columns = 80) => {
  let out = '';
  let nowMs = 0;
  const line = new ProgressLine({
    stream: {
      isTTY,
      columns,
      write: text => {
        out += text;
      },
    },
    nowMs: () => nowMs,
  });
  return {
    line,
    tick: (ms: number) => {
      nowMs += ms;
    },
    out: () => out,
  };
};

test('a terminal has its line rewritten, and text printed above it', () => {
  const { line, tick, out } = make(true, 12);
  line.update('step 1');
  line.update('step 2');
  tick(60);
  line.update('step 3 of 1000');
  line.print('warning');
  line.done();
  expect(out().replaceAll('\r\u001b[K', '<')).toBe('<step 1<step 3 of …<warning\n<step 3 of …<step 3 of …\n');
});

test('a log gets a line every few seconds, and the last one', () => {
  const { line, tick, out } = make(false);
  for (let step = 0; step <= 100; step++) {
    line.update(`step ${step}`);
    tick(100);
  }
  line.done();
  expect(out()).toBe('step 0\nstep 50\nstep 100\n');
});

test('a log does not repeat its last line', () => {
  const { line, out } = make(false);
  line.update('step 1');
  line.done();
  line.done();
  expect(out()).toBe('step 1\n');
});
