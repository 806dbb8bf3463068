// Before each test file, where TRENIO_TEST_CPU names a file: adds a line with the kind of the test, the processor time that it
// took, with the processes that it started, and its path. scripts/count-tests.ts adds them up.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

const log = process.env.TRENIO_TEST_CPU;

/** The processor time of this process and of its children that have ended. Linux only. */
function cpuSeconds(): number {
  // After the name, which may contain anything: user and system time are fields 14 to 17, in hundredths.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15);
  return fields.reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

if (log !== undefined) {
  const before = cpuSeconds();
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? '');
    appendFileSync(log, `${[process.env.TRENIO_TEST_KIND, cpuSeconds() - before, file].join('\t')}\n`);
  });
}
