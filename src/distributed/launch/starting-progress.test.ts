import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startingProgress } from './starting-progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Where it is set, a terminal gets lines of a log.
  vi.stubEnv('CI', undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function collector(isTTY: boolean): {
  readonly written: () => string;
  readonly isTTY: boolean;
  write(text: string): boolean;
  once(): void;
} {
  let all = '';
  return {
    isTTY,
    written: () => all.replaceAll('\r\u001b[K', '<'),
    write: text => {
      all += text;
      return true;
    },
    once: () => {},
  };
}

test('ranks that print nothing for a second are announced on a terminal, until one of them prints', () => {
  const [stdout, stderr] = [collector(true), collector(true)];
  const progress = startingProgress(2, stdout, stderr);
  vi.advanceTimersByTime(2000);
  expect(stderr.written()).toBe('<starting 2 ranks: 1.0 s<starting 2 ranks: 2.0 s');
  progress.stdout.write('epoch 1\n');
  vi.advanceTimersByTime(5000);
  expect(stderr.written()).toBe('<starting 2 ranks: 1.0 s<starting 2 ranks: 2.0 s<');
  expect(stdout.written()).toBe('epoch 1\n');
});

test('a log has no line of it', () => {
  const [stdout, stderr] = [collector(false), collector(false)];
  using _ = startingProgress(2, stdout, stderr);
  vi.advanceTimersByTime(20_000);
  expect(stderr.written()).toBe('');
});
