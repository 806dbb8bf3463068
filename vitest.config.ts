// How `npm test` runs: tests stand beside the code they test (src, scripts), whole-system tests in test/.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests start processes and compile C. On a busy machine that takes a while, and a test never asserts a time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
