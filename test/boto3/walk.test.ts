// Every operation of `trenio server`, called with the real AWS CLI and with boto3, each against a separate server: walk.py.
// Checks the columns of the table in docs/operations.md for these two clients; the column of the AWS SDK for JavaScript names its
// tests.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { coverage } from '../../scripts/operation-docs.ts';
import { startTestServer } from '../../src/api/aws/aws-server.testing.ts';
import { inheritedVariables } from '../../src/base/environment.ts';

const run = promisify(execFile);
const walk = fileURLToPath(new URL('./walk.py', import.meta.url));
const fixtures = fileURLToPath(new URL('../../src/api/aws/sagemaker/fixtures', import.meta.url));
const drivers = { boto3: 'boto3', cli: 'awscli' } as const;
// Debian's packages are only visible to its system Python.
const pythonWith = (module: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find(path => spawnSync(path, ['-c', `import ${module}`]).status === 0);

describe.each(['boto3', 'cli'] as const)('with %s', driver => {
  const python = pythonWith(drivers[driver]);

  // Not skipped where CI is set: .ci/run installs it.
  test.skipIf(python === undefined && inheritedVariables().CI === undefined)(
    'every operation gets a response, and waiters finish',
    { timeout: 300_000 },
    async () => {
      expect(python).toBeDefined();
      await using server = await startTestServer({
        images: {
          'local/train:1': { kind: 'command', train: [process.execPath, join(fixtures, 'train.mjs')] },
          'local/serve:1': { kind: 'command', serve: [process.execPath, join(fixtures, 'serve.mjs')] },
          'local/sleep:1': { kind: 'command', serve: ['sleep', '600'] },
        },
      });
      const { stdout } = await run(
        python!,
        [walk, driver, server.url, 'local/train:1', 'local/serve:1', 'local/sleep:1'],
        {
          env: server.variables(),
        },
      );
      const lines = stdout.trim().split('\n');
      expect(lines.filter(line => line.startsWith('FAIL'))).toEqual([]);
      const named = (kind: string): readonly string[] =>
        lines.filter(line => line.startsWith(`${kind} `)).map(line => line.slice(kind.length + 1));
      const [ran, skipped] = [named('ran'), named('skip')];
      // Operations that follow one unknown to an old version are not reached.
      const claimed = coverage().filter(row => row[driver] && !skipped.includes(row.operation));
      if (skipped.length === 0) expect(ran.toSorted()).toEqual(claimed.map(row => row.operation).toSorted());
      else expect(ran.filter(one => !claimed.some(row => row.operation === one))).toEqual([]);
      expect(server.log).toEqual([]);
    },
  );
});
