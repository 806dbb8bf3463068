// Error messages of the commands for invalid input: the complete text, as printed on the terminal.
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { goldenPath } from './golden.testing.ts';
import { comparable, type Ended, node, scripts, trainExample, trenio, workFolder } from './system.ts';

const folder = workFolder();
afterAll(() => folder[Symbol.dispose]());
const interpreted = { TRENIO_BACKEND: 'interpreter' };

/** The error output of a failing command, with its exit code. Its standard output must be empty. */
async function failure(command: Promise<Ended>): Promise<string> {
  const { exitCode, stdout, stderr } = await command;
  expect(stdout, stderr).toBe('');
  return `${comparable(stderr, folder.path)}exit code ${exitCode}`;
}
function write(name: string, content: string): string {
  writeFileSync(join(folder.path, name), content);
  return name;
}

describe('the data', () => {
  const train = (csv: string, ...more: string[]): Promise<string> =>
    failure(
      trenio(['run', trainExample, '--data', write('reviews.csv', csv), ...more], {
        cwd: folder.path,
        variables: interpreted,
      }),
    );

  test('a malformed row', async () => {
    expect(await train('"1","fine","so far"\n"2","not "fine"","x"\n')).toMatchInlineSnapshot(`
      "TrenioError [CSV_INVALID]: reviews.csv:2: column 2: text after a closing quote, expected a comma or the end of the row (a quote inside a field is doubled)
        fix: each row is "label","title","text": the label is a class number from 1, quotes inside a field are doubled, and there is no header row
      exit code 1"
    `);
  });
  test('a label out of range', async () => {
    expect(await train('"1","fine","so far"\n"3","x","y"\n')).toMatchInlineSnapshot(`
      "TrenioError [CSV_INVALID]: reviews.csv:2: column 1: the label is "3", expected 1 (negative) or 2 (positive)
        fix: each row is "label","title","text": the label is a class number from 1, quotes inside a field are doubled, and there is no header row
      exit code 1"
    `);
  });
  test('an empty file', async () => {
    expect(await train('')).toMatchInlineSnapshot(`
      "TrenioError [CSV_INVALID]: reviews.csv:1: column 1: the file is empty, expected at least one row
        fix: each row is "label","title","text": the label is a class number from 1, quotes inside a field are doubled, and there is no header row
      exit code 1"
    `);
  });
  test('fewer reviews than a batch', async () => {
    expect(await train('"1","fine","so far"\n"2","x","y"\n')).toMatchInlineSnapshot(`
      "TrenioError [DATASET_TOO_SMALL]: the dataset has 1 item, too few for a batch of 32 over all ranks
        fix: use more data, a smaller batchSize or fewer ranks, or pad the last batch with fillLast: true
          at file://TRENIO/examples/bert-polarity/train.ts:LINE
      exit code 1"
    `);
  });
  test('a vocabulary without [UNK]', async () => {
    write('vocab.txt', '[PAD]\n[CLS]\n[SEP]\n[MASK]\nfine\n');
    expect(await train('"1","fine","so far"\n', '--vocab', 'vocab.txt')).toMatchInlineSnapshot(`
      "TrenioError [VOCABULARY_INVALID]: vocab.txt: the token [UNK] is missing
        fix: a WordPiece vocabulary has one token per line, no duplicates, and includes [PAD], [UNK], [CLS] and [SEP]; use the one the model was trained with
          at async loadData (file://TRENIO/examples/bert-polarity/reviews.ts:LINE)
          at async file://TRENIO/examples/bert-polarity/train.ts:LINE
      exit code 1"
    `);
  });
  test('unknown options, or values out of range', async () => {
    expect(await train('', '--epochs', 'many', '--layers', '0')).toMatchInlineSnapshot(`
      "--layers is '0', expected an integer from 1
      --epochs is 'many', expected an integer from 1
      See --help for the options.
      exit code 2"
    `);
    expect(
      await train('"1","fine","so far"\n'.repeat(20), '--resume', '--output', 'nothing', '--batch-size', '8'),
    ).toMatchInlineSnapshot(`
      "TrenioError [NOTHING_TO_RESUME]: no checkpoint to resume from in nothing/checkpoints
        fix: check the folder, or start a new run there
          at async file://TRENIO/examples/bert-polarity/train.ts:LINE
      exit code 1"
    `);
  });
});

describe('the model', () => {
  const golden = goldenPath('bert-small');
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'fine', 'so', 'far'];
  /** A model folder with the golden weights, damaged by `spoil`. */
  function model(spoil: (folder: string) => void = () => {}): string {
    const path = join(folder.path, 'model');
    mkdirSync(path, { recursive: true });
    for (const name of ['config.json', 'model.safetensors']) copyFileSync(join(golden, name), join(path, name));
    writeFileSync(join(path, 'vocab.txt'), `${vocabulary.join('\n')}\n`);
    spoil(path);
    return path;
  }
  const train = (path: string, ...more: string[]): Promise<string> => {
    const csv = write('reviews.csv', '"1","fine","so far"\n'.repeat(20));
    const options = ['--data', csv, '--model', path, '--batch-size', '8', '--steps', '1', ...more];
    return failure(trenio(['run', trainExample, ...options], { cwd: folder.path, variables: interpreted }));
  };
  const deploy = (path: string, ...more: string[]): Promise<string> =>
    failure(trenio(['deploy', path, '--port', '0', ...more], { cwd: folder.path, variables: interpreted }));

  test('truncated weights', async () => {
    const path = model(path => truncateSync(join(path, 'model.safetensors'), 200_000));
    expect(await train(path)).toMatchInlineSnapshot(`
      "TrenioError [SAFETENSORS_INVALID]: FOLDER/model/model.safetensors: tensor 'bert.encoder.layer.1.attention.output.dense.weight': tensor<64x64xf32> takes 16384 bytes and ends at byte 211456 of the data, the file has only 195624: it is truncated
        fix: the file is damaged or incomplete: copy or download it again, or use the previous checkpoint
          at async file://TRENIO/examples/bert-polarity/train.ts:LINE
      exit code 1"
    `);
    expect(await deploy(path)).toMatchInlineSnapshot(`
      "trenio deploy: loading FOLDER/model
      trenio: FOLDER/model/model.safetensors: tensor 'bert.encoder.layer.1.attention.output.dense.weight': tensor<64x64xf32> takes 16384 bytes and ends at byte 211456 of the data, the file has only 195624: it is truncated
        fix: the file is damaged or incomplete: copy or download it again, or use the previous checkpoint
      exit code 1"
    `);
  });
  test('weights with wrong shapes', async () => {
    const path = model(path => {
      const config = join(path, 'config.json');
      writeFileSync(
        config,
        readFileSync(config, 'utf8').replace('"intermediate_size": 128', '"intermediate_size": 256'),
      );
    });
    expect(await train(path)).toMatchInlineSnapshot(`
      "TrenioError [WEIGHTS_MISMATCH]: FOLDER/model/model.safetensors: tensor 'bert.encoder.layer.0.intermediate.dense.weight' is tensor<128x64xf32>, the model expects tensor<256x64xf32>
        fix: load weights made for this configuration, or change config.json to the one they were trained with
          at async file://TRENIO/examples/bert-polarity/train.ts:LINE
      exit code 1"
    `);
  });
  test('sequences longer than the positions of the model', async () => {
    expect(await train(model(), '--max-length', '48')).toMatchInlineSnapshot(`
      "--max-length: the model has 32 positions, got 48
      See --help for the options.
      exit code 2"
    `);
    expect(await deploy(model(), '--max-length', '48')).toMatchInlineSnapshot(`
      "trenio deploy: loading FOLDER/model
      trenio: the sequence has 48 tokens, but the model has 32 positions
        fix: truncate sequences to at most 32 tokens, or use a model with a larger max_position_embeddings
      exit code 1"
    `);
  });
  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const told = await failure(
      trenio(['deploy', model(), '--port', `${port}`, '--max-length', '8', '--max-batch', '1'], {
        variables: interpreted,
      }),
    );
    other.close();
    expect(told.replaceAll(`${port}`, 'PORT')).toMatchInlineSnapshot(`
      "trenio deploy: loading FOLDER/model
      trenio: port PORT on 127.0.0.1 is already in use
        fix: choose another with --port (trenio run: --rdzv-endpoint; 0 picks any free port), or stop the program that uses it (lsof -i :PORT shows it)
      exit code 1"
    `);
  });
});

describe('the machine', () => {
  test('no C compiler: which package to install', async () => {
    const variables = { CC: '/nonexistent/cc' };
    expect(await failure(node([join(scripts, 'shape-error.ts')], { variables }))).toMatchInlineSnapshot(`
      "TrenioError [NO_C_COMPILER]: no C compiler found (tried CC=/nonexistent/cc: no such file)
        fix: install one (Debian: apt-get install gcc; macOS: xcode-select --install), or set CC=/path/to/cc. If CC is not set, a single process runs without one: its programs are WebAssembly, on one core
      exit code 1"
    `);
    expect(
      await failure(trenio(['run', '--nproc_per_node=2', join(scripts, 'released.ts')], { variables })),
    ).toMatchInlineSnapshot(`
      "trenio: no C compiler found (tried CC=/nonexistent/cc: no such file)
        fix: install one (Debian: apt-get install gcc; macOS: xcode-select --install), or set CC=/path/to/cc. If CC is not set, a single process runs without one: its programs are WebAssembly, on one core
      exit code 1"
    `);
  });
  test('no C compiler: the interpreter works, on one rank', async () => {
    const variables = { CC: '/nonexistent/cc', ...interpreted };
    const words = [join(scripts, 'released.ts')];
    expect(await trenio(['run', '--nproc_per_node=auto', ...words], { variables })).toMatchObject({
      stdout: 'the loss is a number\n',
    });
    expect(await failure(trenio(['run', '--nproc_per_node=2', ...words], { variables }))).toMatchInlineSnapshot(`
      "trenio: a run of 2 ranks is not supported by the interpreter backend
        fix: start a single rank, or use the cpu backend
      exit code 1"
    `);
  });
});

describe('a script', () => {
  const script = (name: string): string => join(scripts, `${name}.ts`);

  test('a shape mismatch: the line of the script, both shapes, and no internal stack frames', async () => {
    const told = await failure(node([script('shape-error')]));
    expect(told).toMatchInlineSnapshot(`
      "TrenioError [SHAPE_MISMATCH]: linear: shapes [3, 5] and [2, 4] are incompatible: the last dim of the input must be the layer's 4 inputs
        at TRENIO/test/scripts/shape-error.ts:5:27
        fix: change one of the two shapes, for example with reshape() or transpose()
      exit code 1"
    `);
    expect(await failure(trenio(['run', script('shape-error')]))).toBe(told);
  });
  test('TRENIO_DEBUG=1 adds the stack trace inside the library', async () => {
    const told = await failure(node([script('shape-error')], { variables: { TRENIO_DEBUG: '1' } }));
    expect(told).toMatch(/SHAPE_MISMATCH[\s\S]*\n {4}at linear /);
  });
  test('a tensor of an earlier step cannot be recomputed after the parameters have changed', async () => {
    const { exitCode, stdout, stderr } = await node([script('released')]);
    expect([exitCode, stdout]).toEqual([1, 'the loss is a number\n']);
    expect(comparable(stderr)).toMatchInlineSnapshot(`
      "TrenioError [TENSOR_RELEASED]: the [2,4] tensor returned by mul at released.ts:10 was an intermediate result of a step that has ended, and cannot be recomputed: the step has changed Parameter at released.ts:5
        at TRENIO/test/scripts/released.ts:16:20
        fix: call keep() on it where it is created, or read it before the step ends
      "
    `);
  });
  test('one rank throws: the other rank is stopped, and the error is shown', async () => {
    // Rank 0 waits for rank 1: whether it reports an error before it is stopped is a race, but the rank blamed by the launcher
    // is not.
    const run = async (...words: string[]): Promise<string> => {
      const text = await failure(trenio(['run', '--nproc_per_node=2', script('one-rank-fails'), ...words]));
      const later = text.slice(text.indexOf('[rank 1]')).replaceAll(/^\[rank 0\].*\n/gm, '');
      return later.replace('; the other rank was ended', '');
    };
    expect(await run('--ours')).toMatchInlineSnapshot(`
      "[rank 1] TrenioError [SHAPE_MISMATCH]: add: shapes [3, 5] and [3, 4] are incompatible: dim -1 is 5 and 4, and neither is 1
      [rank 1]   at TRENIO/test/scripts/one-rank-fails.ts:6:54
      [rank 1]   fix: change one of the two shapes, for example with reshape() or transpose()
      trenio run: rank 1 of 2 (process N) ended with exit code 1; its last lines:
        | TrenioError [SHAPE_MISMATCH]: add: shapes [3, 5] and [3, 4] are incompatible: dim -1 is 5 and 4, and neither is 1
        |   at TRENIO/test/scripts/one-rank-fails.ts:6:54
        |   fix: change one of the two shapes, for example with reshape() or transpose()
        fix: see the output of rank 1; to debug with a single rank, run the script with --nproc_per_node=1
      exit code 1"
    `);
    const own = await run();
    expect(own).toMatch(
      /^\[rank 1\] RangeError: an error of the script\n\[rank 1\] {5}at file:\/\/TRENIO\/test\/scripts\/one-rank-fails.ts:7:14$/m,
    );
    expect(own).toMatch(/^trenio run: rank 1 of 2 \(process N\) ended with exit code 1; its last lines:$/m);
    expect(own).toMatch(/exit code 1$/);
  });
  test('a script that does not exist', async () => {
    expect(await failure(trenio(['run', 'nothing.ts'], { cwd: folder.path }))).toMatchInlineSnapshot(`
      "trenio: cannot run the script FOLDER/nothing.ts: there is no such file
        fix: pass a TypeScript or JavaScript file: trenio run --nproc_per_node=2 train.ts
      exit code 1"
    `);
  });
});
