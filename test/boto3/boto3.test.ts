// The operations of `trenio server` with boto3: suite.py, against a separate server.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestServer } from '../../src/api/aws/aws-server.testing.ts';
import { inheritedVariables } from '../../src/base/environment.ts';

const run = promisify(execFile);
const suite = fileURLToPath(new URL('./suite.py', import.meta.url));
const program = fileURLToPath(new URL('../../src/api/aws/sagemaker/fixtures/train.mjs', import.meta.url));
// Debian's packages are only visible to its system Python.
const python = ['python3', '/usr/bin/python3'].find(path => spawnSync(path, ['-c', 'import boto3']).status === 0);

// Not skipped if CI is set: .ci/run installs it.
test.skipIf(python === undefined && inheritedVariables().CI === undefined)(
  'boto3, every operation that it supports',
  { timeout: 300_000 },
  async () => {
    expect(python).toBeDefined();
    await using server = await startTestServer({
      images: { 'local/train:1': { kind: 'command', train: [process.execPath, program] } },
    });
    const { stdout } = await run(python!, [suite, 'local/train:1', server.url], { env: server.variables() });
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^boto3 \d/);
    expect(lines.filter(line => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter(line => line.startsWith('ok')).length).toBeGreaterThanOrEqual(8);
    expect(server.log).toEqual([]);
  },
);
