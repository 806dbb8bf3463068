// The example of managed jobs, at a tiny size, as a user runs it: server, two jobs, table, endpoint; no processes or files are
// left.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root } from './system.ts';

const leftovers = (): readonly string[] => readdirSync(tmpdir()).filter(name => name.startsWith('trenio-example-'));

test('examples/sagemaker-bert', async () => {
  const before = leftovers();
  const options = ['--steps', '4', '--hidden', '16', '--layers', '1', '--batch-size', '16'];
  const { exitCode, stdout, stderr } = await node([join(root, 'examples/sagemaker-bert/start.ts'), ...options]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^ml\.trn1\.32xlarge \| validation accuracy 0\.\d+$/m);
  expect(stdout).toMatch(/^ml\.p4d\.24xlarge \| bert-p4d-\S+: Completed, \d+ s billed, \$\d\.\d+ at \$[\d.]+\/h$/m);
  expect(stdout).toMatch(/^BERT, 1 layers of 16.* ml\.p4d\.24xlarge .* this run$/m);
  expect(stdout).toMatch(/^BERT-base classification +ml\.trn1\.32xlarge .* published$/m);
  expect(stdout).toMatch(/^ {2}→ \[\{"label":"(?:posi|nega)tive","score":0\.\d+/m);
  expect(stdout).toContain('Endpoint deleted.\n');
  expect(leftovers().filter(name => !before.includes(name))).toEqual([]);
}, 240_000);
