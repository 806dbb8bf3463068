// How `npm test` runs: tests stand beside the code they test (src, scripts), whole-system tests in test/.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests start processes and compile C. On a busy machine that takes a while, and a test never asserts a time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests that wait for processes leave cores idle. Vitest's default leaves one core to itself: of two, tests would use one.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Stripping the types of the library takes most of the time of a process that tests start; Node keeps the result.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
  },
});
