// The example from end to end, as small as it goes: train on two ranks, die and resume to the same bits, deploy, ask, stop.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRunResults } from '../src/jobs/run-results.ts';
import { leftovers, startTrenio, trainExample, workFolder } from './system.ts';

const words = [
  ['awful', 'broken', 'useless'],
  ['lovely', 'perfect', 'great'],
] as const;
/** `count` reviews that a word in them decides. */
function reviews(count: number): string {
  const row = (i: number): string =>
    `"${(i % 2) + 1}","item ${i % 7}","a ""${words[i % 2]![i % 3]}"" thing, bought ${i % 5}"`;
  return Array.from({ length: count }, (_, i) => `${row(i)}\n`).join('');
}

test('train, resume, deploy, ask, stop', async () => {
  using folder = workFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  writeFileSync(at('train.csv'), reviews(48));
  writeFileSync(at('validation.csv'), reviews(10));

  // 3 steps an epoch, a checkpoint after each epoch, the last two kept.
  const data = ['--data', 'train.csv', '--validation', 'validation.csv', '--max-length', '16'];
  const model = ['--layers', '1', '--hidden', '16', '--heads', '2', '--intermediate', '32', '--learning-rate', '0.01'];
  const train = async (...more: string[]): Promise<string> => {
    const options = [...data, ...model, '--batch-size', '8', '--epochs', '4', '--price-per-hour', '3.6', ...more];
    const running = startTrenio(['run', '--nproc_per_node=2', trainExample, ...options], { cwd: folder.path });
    const { exitCode, stdout, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(0);
    expect(leftovers(running.child.pid)).toEqual({ processes: [], memory: [] });
    return stdout;
  };
  const stdout = await train('--output', 'whole');
  expect(stdout).toContain('2 ranks, 16 sequences a step, 12 steps');
  expect(stdout).toMatch(/BERT classification, 1 layers of 16 .*this run/);
  expect(stdout).toMatch(/ml\.trn1\.32xlarge .*published/);
  expect(stdout).toMatch(/ml\.p4d\.24xlarge .*predicted/);
  const results = await readRunResults(at('whole', 'results.json'));
  expect(results).toMatchObject({
    batchSize: 8,
    worldSize: 2,
    gradientAccumulation: 1,
    steps: 12,
    epochs: 4,
    dataSet: { training: 'train.csv', trainingExamples: 48, validation: 'validation.csv', validationExamples: 10 },
    usdPerHour: 3.6,
    configuration: { model: { hidden_size: 16, num_hidden_layers: 1, max_position_embeddings: 16 } },
  });
  expect(results.table).toHaveLength(5);
  expect(readdirSync(at('whole', 'checkpoints')).toSorted()).toEqual(['checkpoint-12', 'checkpoint-9']);

  // What a run leaves that was killed after its ninth step, on the way to its next checkpoint.
  cpSync(at('whole'), at('resumed'), { recursive: true });
  rmSync(at('resumed', 'results.json'));
  rmSync(at('resumed', 'checkpoints', 'checkpoint-12'), { recursive: true });
  cpSync(at('resumed', 'checkpoints', 'checkpoint-9'), at('resumed', 'checkpoints', '.checkpoint-12.partial'), {
    recursive: true,
  });
  await train('--output', 'resumed', '--resume');
  expect(readdirSync(at('resumed', 'checkpoints')).toSorted()).toEqual(['checkpoint-12', 'checkpoint-9']);
  for (const file of readdirSync(at('whole', 'checkpoints', 'checkpoint-12'))) {
    const [one, other] = ['whole', 'resumed'].map(run => readFileSync(at(run, 'checkpoints', 'checkpoint-12', file)));
    expect(one!.equals(other!), `${file} is the same after a resume`).toBe(true);
  }
  const { steps, accuracy, loss } = await readRunResults(at('resumed', 'results.json'));
  expect({ steps, accuracy, last: loss.last }).toEqual({
    steps: 12,
    accuracy: results.accuracy,
    last: results.loss.last,
  });

  const endpoint = startTrenio(
    ['deploy', 'whole/checkpoint', '--name', 'reviews', '--port', '0', '--max-batch', '1', '--json'],
    {
      cwd: folder.path,
    },
  );
  const { invocationsUrl, labels } = JSON.parse((await endpoint.says(/^\{.*\}$/m))[0]) as {
    invocationsUrl: string;
    labels: string[];
  };
  expect(labels).toEqual(['negative', 'positive']);
  const ask = async (body: string) => {
    const response = await fetch(invocationsUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  const good = await ask('{"inputs": "a perfect thing, bought 3"}');
  expect(good).toMatchObject({ status: 200, body: [{ label: expect.stringMatching(/^(nega|posi)tive$/) }] });
  expect(await ask('{"inputs": ')).toMatchInlineSnapshot(`
    {
      "body": {
        "error": {
          "code": "MALFORMED_JSON",
          "fix": "send JSON in UTF-8, such as {"inputs": ["a review"]}",
          "message": "the body is not JSON: Unexpected end of JSON input",
        },
      },
      "status": 400,
    }
  `);
  expect(await ask(JSON.stringify({ inputs: 'x'.repeat(2_000_000) }))).toMatchInlineSnapshot(`
    {
      "body": {
        "error": {
          "code": "REQUEST_TOO_LARGE",
          "fix": "send fewer texts in one request",
          "message": "the body is larger than 1048576 bytes",
        },
      },
      "status": 413,
    }
  `);
  expect(await ask('{"inputs": "a perfect thing, bought 3"}')).toEqual(good);

  endpoint.child.kill('SIGTERM');
  expect(await endpoint.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(leftovers(endpoint.child.pid)).toEqual({ processes: [], memory: [] });
});
