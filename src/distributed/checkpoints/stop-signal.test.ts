import { expect, test } from 'vitest';
import { StopSignal } from './stop-signal.ts';

test('SIGTERM from a scheduler and again from the launcher is one request', () => {
  const stop = new StopSignal();
  stop.listen();
  try {
    expect(stop.after(1)).toBe(false);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(stop.after(2)).toBe(true);
  } finally {
    stop.unlisten();
  }
});
