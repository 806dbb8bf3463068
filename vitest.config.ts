// How `npm test` runs: tests stand beside the code they test (src, scripts), whole-system tests in test/.
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the slowest first: started last, they would leave the other workers idle. */
const slowest = [
  'test/cluster-training.test.ts',
  'test/ranks.test.ts',
  'src/compiler/c/gemm/gemm.test.ts',
  'test/package.test.ts',
  'src/compiler/random-programs.test.ts',
  'test/console.test.ts',
];
/** Whole-system tests mostly wait for processes: one next to this many others keeps the cores busy. */
const othersPerSystemTest = 4;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = await super.sort(files);
    const nameOf = ({ moduleId }: TestSpecification): string => relative(import.meta.dirname, moduleId);
    const place = (file: TestSpecification): number => slowest.indexOf(nameOf(file));
    const first = largestFirst.filter(file => place(file) >= 0).sort((a, b) => place(a) - place(b));
    const rest = largestFirst.filter(file => place(file) < 0);
    const system = rest.filter(file => nameOf(file).startsWith('test/'));
    const others = rest.filter(file => !nameOf(file).startsWith('test/'));
    const mixed = system.flatMap((file, i) => [
      file,
      ...others.slice(i * othersPerSystemTest, (i + 1) * othersPerSystemTest),
    ]);
    return [...first, ...mixed, ...others.slice(system.length * othersPerSystemTest)];
  }
}

export default defineConfig({
  test: {
    // Many tests start processes and compile C. On a busy machine that takes a while, and a test never asserts a time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Tests that wait for processes leave cores idle. Vitest's default leaves one core to itself: of two, tests would use one.
    sequence: { sequencer: SlowestFirst },
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Stripping the types of the library takes most of the time of a process that tests start; Node keeps the result.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
  },
});
