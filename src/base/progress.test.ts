import { expect, test } from 'vitest';
import { mediumOf, ProgressLine, type ProgressOptions } from './progress.ts';

const make = (isTTY: boolean, columns = 80, options: Partial<ProgressOptions> = {}) => {
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
    medium: isTTY ? 'terminal' : 'log',
    ...options,
  });
  return {
    line,
    tick: (ms: number) => {
      nowMs += ms;
    },
    out: () => out,
  };
};

test('on a terminal, rewrites the line and prints text above it', () => {
  const { line, tick, out } = make(true, 12);
  line.update('step 1');
  line.update('step 2');
  tick(60);
  line.update('step 3 of 1000');
  line.print('warning');
  line.done();
  expect(out().replaceAll('\r\u001b[K', '<')).toBe('<step 1<step 3 of …<warning\n<step 3 of …<step 3 of …\n');
});

test('a terminal whose size is not known counts as 80 columns wide', () => {
  const { line, out } = make(true, 0);
  line.update('step 1');
  expect(out()).toContain('step 1');
});

test('in a log, prints a line every few seconds, and the last one', () => {
  const { line, tick, out } = make(false);
  for (let step = 0; step <= 100; step++) {
    line.update(`step ${step}`);
    tick(100);
  }
  line.done();
  expect(out()).toBe('step 0\nstep 50\nstep 100\n');
});

test('in a notebook, rewrites the line with carriage returns only', () => {
  const { line, tick, out } = make(false, 80, { medium: 'notebook' });
  line.update('\u001b[1mstep 10\u001b[0m');
  tick(60);
  line.update('step 9');
  line.done();
  expect(out()).toBe(`\r\rstep 10\r${' '.repeat(7)}\rstep 9\r${' '.repeat(6)}\rstep 9\n`);
});

test('quick work shows nothing', () => {
  for (const isTTY of [true, false]) {
    const { line, tick, out } = make(isTTY, 80, { afterMs: 2000 });
    line.update('a');
    tick(1000);
    line.update('b');
    line.done();
    expect(out()).toBe('');
    tick(1500);
    line.update('c');
    expect(out()).toContain('c');
  }
});

test('the terminal of a CI service counts as a log; a notebook is detected without a terminal', () => {
  const stream = { isTTY: true, write: () => {} };
  expect(mediumOf(stream, {})).toBe('terminal');
  expect(mediumOf(stream, { CI: 'true' })).toBe('log');
  expect(mediumOf({ ...stream, isTTY: false }, {})).toBe('log');
  expect(mediumOf({ ...stream, isTTY: false }, { JPY_PARENT_PID: '1' })).toBe('notebook');
});

test('a log does not repeat its last line', () => {
  const { line, out } = make(false);
  line.update('step 1');
  line.done();
  line.done();
  expect(out()).toBe('step 1\n');
});
