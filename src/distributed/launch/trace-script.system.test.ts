// Scripts traced up to their training step, in real processes: none of their programs is compiled or run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { mainOf } from '../../hlo/program.ts';
import { traceScript } from './trace-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = fileURLToPath(new URL('./fixtures/train.ts', import.meta.url));
const script = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text.replace('trenio', pathToFileURL(join(import.meta.dirname, '../../index.ts')).href));
  return path;
};
const written: string[] = [];
const output = { write: (text: string) => written.push(text) > 0, once: () => undefined };
const cache = join(folder, 'cache');
const options = { output, variables: { ...process.env, TRENIO_CACHE_DIR: cache, PATH: '' } };

test('the step that replaces state and runs most often, without a C compiler', async () => {
  const { programs, trainingStep, steps } = await traceScript(fixture, [], options);
  expect(trainingStep).toMatchObject({ name: 'step' });
  expect(trainingStep.executions).toBeGreaterThan(10);
  expect(trainingStep.donatedInputs).toBe(mainOf(trainingStep.module).aliases.filter(a => a !== undefined).length);
  expect(programs).toContain(trainingStep);
  // the fixture takes 50 steps, of which only the first ones are traced
  expect(steps).toBeUndefined();
  const all = await traceScript(fixture, [], { ...options, maxExecutions: 100 });
  expect(all.steps).toBe(all.trainingStep.executions);
  expect(all.trainingStep.executions).toBeGreaterThanOrEqual(48);
});

test('a script without a training step, one that fails, and a missing one', async () => {
  const idle = script('idle.ts', `import { tensor } from 'trenio'; console.log(tensor([1, 2]).add(1).sum().item());`);
  await expect(traceScript(idle, [], options)).rejects.toMatchObject({
    code: 'NO_TRAINING_STEP',
    data: { programs: 1 },
  });
  expect(written.join('')).toContain('0\n');
  const nothing = script('nothing.ts', 'export {};');
  await expect(traceScript(nothing, [], options)).rejects.toMatchObject({ code: 'NO_TRAINING_STEP' });
  const failing = script('failing.ts', `throw new Error('no such data');`);
  await expect(traceScript(failing, [], options)).rejects.toMatchObject({
    code: 'SCRIPT_FAILED',
    data: { exitCode: 1 },
  });
  expect(written.join('')).toContain('no such data');
  await expect(traceScript(join(folder, 'absent.ts'), [], options)).rejects.toMatchObject({ code: 'SCRIPT_NOT_FOUND' });
});
