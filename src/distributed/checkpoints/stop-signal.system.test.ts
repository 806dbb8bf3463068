import { expect, test } from 'vitest';
import { StopSignal } from './stop-signal.ts';

test('SIGTERM from a scheduler and again from the launcher is one request', async () => {
  const stop = new StopSignal();
  stop.listen();
  try {
    expect(await stop.after(1)).toBe(false);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(await stop.after(2)).toBe(true);
  } finally {
    stop.unlisten();
  }
});
