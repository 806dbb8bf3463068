// How tests run. The kind of a test is in its file's name:
//
//   x.test.ts            unit: nothing but Node. The default device is `kernels`, which needs no C compiler
//   x.native.test.ts     needs a C compiler
//   x.system.test.ts     starts processes, opens ports, or needs what must be installed (MPI, Slurm, a browser); so does test/
//   x.campaign.test.ts   runs for as long as it is given: random programs, fuzzing
//
// `npm test` runs the unit tests and the smoke tests; `npm run test:all` everything.
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = import.meta.dirname;
/**
 * Unit and native tests share processes, because to load the library takes longer than most files do; but not with these, which
 * leave something behind on purpose: a failed step, a warning that is given once, a peak of memory.
 */
const alone = [
  'src/base/peak-memory.test.ts',
  'src/observe/observe.test.ts',
  'src/nn/index-checks.native.test.ts',
  'src/optim/beginners-mistakes.test.ts',
  'src/tensor/control/index-checks.native.test.ts',
  'src/tensor/operators.test.ts',
];
const unitAlone = alone.filter(file => !file.includes('.native.'));
const nativeAlone = alone.filter(file => file.includes('.native.'));
/** System tests that `npm test` runs, too: the main job, `trenio run`, an endpoint; the server. */
const smoke = ['test/example.test.ts', 'src/api/aws/sagemaker/job-secrets.system.test.ts'];
const native = 'src/**/*.native.test.ts';
const system = ['{src,scripts}/**/*.system.test.ts', 'test/**/*.test.ts'];
const campaigns = '{src,test}/**/*.campaign.test.ts';

/** The files that take longest, the slowest first: started last, they would leave the other workers idle. */
const slowest = ['test/cluster-training.test.ts', 'test/ranks.test.ts', 'test/package.test.ts', 'test/console.test.ts'];
/** Whole-system tests mostly wait for processes: one next to this many others keeps the cores busy. */
const othersPerSystemTest = 4;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => slowest.indexOf(relative(root, moduleId));
    const first = largestFirst.filter(file => place(file) >= 0).sort((a, b) => place(a) - place(b));
    const rest = largestFirst.filter(file => place(file) < 0);
    const starting = rest.filter(file => file.project.name === 'system');
    // A process is kept only if the next file shares it, too.
    const others = rest
      .filter(file => file.project.name !== 'system')
      .sort((a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate));
    const mixed = starting.flatMap((file, i) => [
      file,
      ...others.slice(i * othersPerSystemTest, (i + 1) * othersPerSystemTest),
    ]);
    return [...first, ...mixed, ...others.slice(starting.length * othersPerSystemTest)];
  }
}

/** Processes of tests load the bundle that is published, and Node keeps what it has compiled: to load the library takes most of
 * the time of such a process. */
const fromBundle = {
  globalSetup: join(root, 'test', 'from-bundle', 'build.ts'),
  env: {
    TRENIO_KEY_FILE: join(root, 'node_modules', '.cache', 'trenio-server.key'),
    NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'test', 'from-bundle', 'hook.ts'))}`,
  },
};
const cpuSeconds = join(root, 'test', 'cpu-seconds.ts');
const newDevices = join(root, 'src', 'tensor', 'new-devices.testing.ts');
const sharing = { isolate: false, setupFiles: [cpuSeconds, newDevices] };

/** A project of a kind of tests; its files tell test/cpu-seconds.ts which. */
const project = (
  name: string,
  { env, ...test }: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, setupFiles: [cpuSeconds], ...test, env: { TRENIO_TEST_KIND: name, ...env } },
});
const env = { TRENIO_BACKEND: 'kernels' };
const unit = ['{src,contrib,scripts,examples}/**/*.test.ts'];

export default defineConfig({
  test: {
    // On a busy machine processes and compilers take a while, and a test never asserts a time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    sequence: { sequencer: SlowestFirst },
    // One that waits for other processes may lose a race with them on a slow machine. The report names those that were repeated.
    retry: process.env.CI === undefined ? 0 : 1,
    // Tests that wait for processes leave cores idle. Vitest's default leaves one core to itself: of two, tests would use one.
    maxWorkers: availableParallelism() * 3,
    // The device `cpu` stands for machine code: what runs before it, from kernels, has its own tests.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), TRENIO_TIERS: 'wait' },
    projects: [
      project('unit', { include: unit, exclude: [native, ...system, campaigns, ...unitAlone], env, ...sharing }),
      project('unit alone', { include: unitAlone, env }),
      project('native', { include: [native], exclude: nativeAlone, ...sharing }),
      project('native alone', { include: nativeAlone }),
      project('smoke', { include: smoke, ...fromBundle }),
      project('system', { include: system, exclude: [campaigns], ...fromBundle }),
      project('campaign', { include: [campaigns], ...fromBundle }),
    ],
  },
});
