// How `npm test` runs: tests stand beside the code they test (src, scripts), whole-system tests in test/.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
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
/**
 * Folders whose tests change nothing outside of them. They share processes: to start one and to load the library takes longer
 * than most of these files do. Each file has new devices; what else a test changes outside of itself, it restores.
 */
const folders =
  'src/{autodiff,base,client,clusters,compiler,data,distributed,hardware,hlo,jobs,models,nn,numerics,objects,observe,optim,simulator,tensor,tensorboard,transforms}';
/** Those that leave something behind on purpose: a failed step, a crash, a warning that is given once, a record of itself. */
const notShared = [
  'src/base/uncaught.test.ts',
  'src/observe/observe.test.ts',
  'src/nn/index-checks.test.ts',
  'src/optim/beginners-mistakes.test.ts',
  'src/tensor/control/index-checks.test.ts',
  'src/tensor/operators.test.ts',
];
const shared = globSync(`${folders}/**/*.test.ts`, { cwd: import.meta.dirname, exclude: notShared });
/** Whole-system tests mostly wait for processes: one next to this many others keeps the cores busy. */
const othersPerSystemTest = 4;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = await super.sort(files);
    const nameOf = ({ moduleId }: TestSpecification): string => relative(import.meta.dirname, moduleId);
    const place = (file: TestSpecification): number => slowest.indexOf(nameOf(file));
    const first = largestFirst.filter(file => place(file) >= 0).sort((a, b) => place(a) - place(b));
    // A process is kept only if the next file shares it, too.
    const inShared = largestFirst.filter(file => !file.project.config.isolate);
    const rest = largestFirst.filter(file => place(file) < 0 && file.project.config.isolate);
    const system = rest.filter(file => nameOf(file).startsWith('test/'));
    const others = rest.filter(file => !nameOf(file).startsWith('test/'));
    const mixed = system.flatMap((file, i) => [
      file,
      ...others.slice(i * othersPerSystemTest, (i + 1) * othersPerSystemTest),
    ]);
    return [...first, ...mixed, ...others.slice(system.length * othersPerSystemTest), ...inShared];
  }
}

export default defineConfig({
  test: {
    // Many tests start processes and compile C. On a busy machine that takes a while, and a test never asserts a time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // On a slow machine, one that waits for other processes may lose a race with them. The report names those that were repeated.
    retry: process.env.CI === undefined ? 0 : 1,
    // Tests that wait for processes leave cores idle. Vitest's default leaves one core to itself: of two, tests would use one.
    sequence: { sequencer: SlowestFirst },
    maxWorkers: availableParallelism() * 3,
    // What tests start is the bundle that is published, and Node keeps what it has compiled: to load the library takes most of
    // the time of such a process.
    globalSetup: join(import.meta.dirname, 'test', 'from-bundle', 'build.ts'),
    env: {
      TRENIO_KEY_FILE: join(import.meta.dirname, 'node_modules', '.cache', 'trenio-server.key'),
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node'),
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'test', 'from-bundle', 'hook.ts'))}`,
    },
    projects: [
      { extends: true, test: { name: 'alone', exclude: [...configDefaults.exclude, ...shared] } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [...shared],
          isolate: false,
          setupFiles: [join(import.meta.dirname, 'src', 'tensor', 'new-devices.testing.ts')],
        },
      },
    ],
  },
});
