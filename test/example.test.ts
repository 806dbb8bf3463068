// The example from end to end, at a minimal size: train on two ranks, crash and resume with the same bits, deploy, send
// requests, stop.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffCheckpoints } from '../src/distributed/checkpoints/diff.ts';
import { readRunResults } from '../src/jobs/run-results.ts';
import { comparable, leftovers, startTrenio, trainExample, trenio, workFolder } from './system.ts';

const words = [
  ['awful', 'broken', 'useless'],
  ['lovely', 'perfect', 'great'],
] as const;
/** `count` reviews whose label is determined by a single word. */
function reviews(count: number): string {
  const row = (i: number): string =>
    `"${(i % 2) + 1}","item ${i % 7}","a ""${words[i % 2]![i % 3]}"" thing, bought ${i % 5}"`;
  return Array.from({ length: count }, (_, i) => `${row(i)}\n`).join('');
}

test('train, resume, deploy, request, stop', async () => {
  using folder = workFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  writeFileSync(at('train.csv'), reviews(48));
  writeFileSync(at('validation.csv'), reviews(10));

  // 3 steps per epoch, a checkpoint after each epoch, the last two kept.
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
  expect(stdout).toContain('2 ranks, 16 sequences per step, 12 steps');
  expect(stdout).toMatch(/BERT, 1 layers of 16 .*this run/);
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

  // The state left by a run that was killed after its ninth step, while writing its next checkpoint.
  cpSync(at('whole'), at('resumed'), { recursive: true });
  rmSync(at('resumed', 'results.json'));
  rmSync(at('resumed', 'checkpoints', 'checkpoint-12'), { recursive: true });
  cpSync(at('resumed', 'checkpoints', 'checkpoint-9'), at('resumed', 'checkpoints', '.checkpoint-12.1.partial'), {
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
          "message": "the body is not valid JSON: Unexpected end of JSON input",
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

const tiny = ['--layers', '1', '--hidden', '16', '--heads', '2', '--intermediate', '32', '--max-length', '16'];

test('the same bits on 1, 2 and 4 ranks with the same global batch', async () => {
  using folder = workFolder();
  writeFileSync(join(folder.path, 'train.csv'), reviews(64));
  writeFileSync(join(folder.path, 'validation.csv'), reviews(10));
  const data = ['--data', 'train.csv', '--validation', 'validation.csv', '--batch-size', '4', '--epochs', '2'];
  const ends: string[] = [];
  for (const ranks of [1, 2, 4]) {
    const output = `of-${ranks}`;
    const options = [...data, ...tiny, '--gradient-accumulation', `${4 / ranks}`, '--output', output];
    const { exitCode, stderr } = await trenio(['run', `--nproc_per_node=${ranks}`, trainExample, ...options], {
      cwd: folder.path,
    });
    expect(exitCode, stderr).toBe(0);
    const end = join(folder.path, output, 'checkpoints', 'checkpoint-8');
    ends.push(end);
  }
  for (const end of ends) expect(await diffCheckpoints(ends[0]!, end), `weights and moments in ${end}`).toEqual([]);
});

test('a folder with another run, a damaged checkpoint, other settings', async () => {
  using folder = workFolder();
  writeFileSync(join(folder.path, 'train.csv'), reviews(32));
  writeFileSync(join(folder.path, 'validation.csv'), reviews(10));
  const fixed = ['--data', 'train.csv', '--validation', 'validation.csv', '--batch-size', '8', '--output', 'out'];
  const train = async (...more: string[]) => {
    const variables = { TRENIO_BACKEND: 'interpreter' };
    const ended = await trenio(['run', trainExample, ...fixed, ...tiny, ...more], { cwd: folder.path, variables });
    const plain = (text: string): string =>
      comparable(text, folder.path)
        .replaceAll(/run [0-9a-f]{12}/g, 'run ID')
        .replaceAll(/previous\/[0-9a-f]{12}/g, 'previous/ID')
        .replaceAll(/started \d[^;]*/g, 'started THEN');
    return { exitCode: ended.exitCode, stdout: plain(ended.stdout), stderr: plain(ended.stderr) };
  };
  expect((await train('--epochs', '2')).exitCode).toBe(0);
  const checkpoints = join(folder.path, 'out', 'checkpoints');
  const names = readdirSync(checkpoints).toSorted();
  expect(names).toEqual(['checkpoint-4', 'checkpoint-8']);

  expect(await train('--epochs', '2')).toMatchInlineSnapshot(`
    {
      "exitCode": 1,
      "stderr": "TrenioError [RUN_FOLDER_TAKEN]: out contains the files of another run (run ID; started THEN; last checkpoint at step 8; checkpoints, checkpoint, results.json)
      fix: resume that run (--resume), use another folder (--output DIR), or start over and move its files to out/previous (--start-over)
        at async file://TRENIO/examples/bert-polarity/train.ts:LINE
    ",
      "stdout": "",
    }
  `);
  expect(readdirSync(checkpoints).toSorted()).toEqual(names);
  expect(await train('--epochs', '3', '--resume', '--layers', '2')).toMatchInlineSnapshot(`
    {
      "exitCode": 1,
      "stderr": "TrenioError [RUN_SETTINGS_CHANGED]: the run in out cannot be resumed with different settings: num_hidden_layers 1 → 2
      fix: use the settings that the run was started with (see run.json), or start a new run in another folder
        at file://TRENIO/examples/bert-polarity/train.ts:LINE
    ",
      "stdout": "",
    }
  `);

  const weights = join(checkpoints, 'checkpoint-8', 'shard-00001-model-00001-of-00001.safetensors');
  const bytes = readFileSync(weights);
  bytes[bytes.length - 3]! ^= 1;
  writeFileSync(weights, bytes);
  const resumed = await train('--epochs', '3', '--resume', '--learning-rate', '0.01', '--machine', 'this one');
  expect(resumed.exitCode).toBe(0);
  // Lines of progress depend on how long the run takes.
  const lines = resumed.stderr.split('\n').filter(line => !/^step \d+\//.test(line));
  expect(lines.slice(0, 2).join('\n')).toMatchInlineSnapshot(`
    "out/checkpoints/checkpoint-8 is damaged and was skipped: out/checkpoints/checkpoint-8/shard-00001-model-00001-of-00001.safetensors: tensor 'optimizer.tensors.9.exp_avg_sq': its bytes are not those that were written
    step 8: validation accuracy 0.5000"
  `);
  expect(resumed.stdout.split('\nBERT')[0]).toMatchInlineSnapshot(`
    "resuming run ID from out/checkpoints/checkpoint-4
    changed settings:
    setting        was    is          effect
    ─────────────  ─────  ──────────  ───────────────
    epochs         2      3           changes results
    learning-rate  0.001  0.01        changes results
    machine        null   "this one"  harmless"
  `);
  expect(readdirSync(checkpoints)).toContain('checkpoint-12');

  const over = await train('--epochs', '1', '--start-over');
  expect(over.exitCode).toBe(0);
  expect(over.stdout.split('\n')[0]).toMatchInlineSnapshot(`"the files of the previous run are in out/previous/ID"`);
  expect(readdirSync(checkpoints)).toEqual(['checkpoint-4']);
});
