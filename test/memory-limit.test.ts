// A rank that the kernel ends at the memory limit of a control group: the message says so.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inheritedVariables } from '../src/base/environment.ts';
import { ControlGroup } from '../src/jobs/hosts/control-group.ts';
import { root, workFolder } from './system.ts';

const group = ControlGroup.make('memory-limit-test', { memoryBytes: 400 * 2 ** 20, cores: undefined, tasks: 1000 });

// Not skipped if CI is set: it runs as root.
test.skipIf(group === undefined && process.env.CI === undefined)('a rank without memory', async () => {
  using folder = workFolder();
  const script = join(folder.path, 'hungry.mjs');
  writeFileSync(script, 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));\n');
  const [program, ...words] = group!.enter;
  const { stderr, status } = spawnSync(
    program!,
    [...words, process.execPath, join(root, 'src/cli/main.ts'), 'run', '--nproc-per-node', '2', script],
    { encoding: 'utf8', env: { ...inheritedVariables(), TRENIO_CACHE_DIR: join(folder.path, 'cache') } },
  );
  await group!.remove();
  expect(status, stderr).toBe(137);
  expect(stderr).toMatch(
    /rank \d of 2 \(process \d+\) was ended by SIGKILL by the kernel, which had no memory left for it/,
  );
});
