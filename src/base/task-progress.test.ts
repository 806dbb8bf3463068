import { expect, test, vi } from 'vitest';
import type { ProgressMedium } from './progress.ts';
import { TaskProgress, type TaskProgressOptions } from './task-progress.ts';

const make = (medium: ProgressMedium, options: Partial<TaskProgressOptions> = {}, columns = 80) => {
  let out = '';
  let now = 0;
  const stream = {
    isTTY: medium === 'terminal',
    columns,
    write: (text: string): void => {
      out += text;
    },
  };
  const progress = new TaskProgress({ stream, medium, nowMs: () => now, ...options });
  return {
    progress,
    at: (ms: number) => {
      now = ms;
    },
    /** The output since the last call. */
    out: () => {
      const text = out.replaceAll('\r\u001b[K', '<');
      out = '';
      return text;
    },
  };
};

test('shows nothing for quick work; then the share, the time left and the rate; cleans the terminal at the end', () => {
  const { progress, at, out } = make('terminal');
  const read = (done: number): void =>
    progress.update({ what: 'verifying a', done, total: 4 * 2 ** 20, unit: 'bytes' });
  read(0);
  at(1000);
  read(2 ** 20);
  expect(out()).toBe('');
  at(2000);
  read(2 * 2 ** 20);
  expect(out()).toBe('<verifying a: 50 %  2.0 s left  1.0 MiB/s');
  progress.write('a warning\n');
  expect(out()).toBe('<a warning\n<verifying a: 50 %  2.0 s left  1.0 MiB/s');
  progress.done();
  expect(out()).toBe('<');
  const quick = make('terminal');
  quick.progress.update({ what: 'a' });
  quick.progress.done();
  expect(quick.out()).toBe('');
});

test('counts of items, without a total while it is unknown, and the next activity', () => {
  const { progress, at, out } = make('terminal', { afterMs: 0 });
  progress.update({ what: 'tracing', done: 3, unit: 'programs' });
  at(4000);
  progress.update({ what: 'compiling', done: 3, total: 7, unit: 'programs', detail: 'step' });
  at(8000);
  progress.update({ what: 'compiling', done: 5, total: 7, unit: 'programs', detail: 'read' });
  expect(out()).toBe(
    '<tracing: 3 programs  0 ms<compiling: 3/7 programs  4.0 s  step<compiling: 5/7 programs  4.0 s left  read',
  );
  progress.done();
});

test('prints a line every ten seconds in a log, and truncates the line on a narrow terminal', () => {
  const { progress, at, out } = make('log');
  for (let ms = 0; ms <= 25_000; ms += 500) {
    at(ms);
    progress.update({ what: 'reading', done: ms, total: 50_000 });
  }
  progress.done();
  expect(out()).toBe('reading: 4 %  48.0 s left\nreading: 24 %  38.0 s left\nreading: 44 %  28.0 s left\n');
  const narrow = make('terminal', { afterMs: 0 }, 20);
  narrow.progress.update({ what: 'verifying checkpoint', done: 1, total: 2 });
  expect(narrow.out()).toBe('<verifying checkpoi…');
  narrow.progress.done();
});

test('updates the elapsed time while nothing is reported', () => {
  vi.useFakeTimers();
  try {
    const { progress, at, out } = make('terminal');
    progress.update({ what: 'tracing train.ts' });
    at(3000);
    vi.advanceTimersByTime(1000);
    expect(out()).toBe('<tracing train.ts: 3.0 s');
    progress.done();
    at(9000);
    vi.advanceTimersByTime(5000);
    expect(out()).toBe('<');
  } finally {
    vi.useRealTimers();
  }
});

test('quiet', () => {
  const { progress, at, out } = make('terminal', { quiet: true });
  at(5000);
  progress.update({ what: 'a', done: 1, total: 2 });
  progress.write('a warning\n');
  progress.done();
  expect(out()).toBe('a warning\n');
});
