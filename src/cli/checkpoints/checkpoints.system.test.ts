// `trenio checkpoints …` on checkpoints of a small model: in this process, but for a failure and a success as real processes.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Checkpointer } from '../../distributed/checkpoints/checkpointer.ts';
import { manifestText } from '../../distributed/checkpoints/manifest.ts';
import { bytesOf } from '../../hlo/literal.ts';
import { BertForSequenceClassification } from '../../models/bert.ts';
import { readSafetensors } from '../../models/safetensors.ts';
import { loadTorchFile, type TorchValue } from '../../models/torch-file/torch-file.ts';
import { AdamW } from '../../optim/index.ts';
import { tinyCheckpoint } from '../../serving/model/tiny-bert.testing.ts';
import { device, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { CliProcess, trenio } from '../process.testing.ts';
import { runWords } from '../run-cli.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);
const run = path('run');
const first = join(run, 'checkpoint-1');

beforeAll(async () => {
  setDefaultDevice(device('interpreter'));
  await using tiny = await tinyCheckpoint();
  const { model } = tiny;
  const files = ['config.json', 'vocab.txt'].map(name => join(tiny.folder, name));
  await using checkpointer = new Checkpointer(
    { directory: run, files, run: 'a-run' },
    {
      model,
      optimizer: new AdamW(model.parameters()),
      user: { best: 0.5, a: tensor(new Float32Array(1500)), b: tensor(new Float32Array(1500)) },
    },
  );
  await checkpointer.resume();
  await checkpointer.save(1);
  const bias = model.classifier.bias;
  if (bias === null) throw new Error('no bias');
  bias.moveFrom(bias.add(1));
  await checkpointer.save(2);
});

const checkpoints = (...words: string[]) => runWords(['checkpoints', ...words]);
const json = async (...words: string[]) => {
  const { stdout, stderr, exitCode } = await checkpoints(...words, '--json');
  expect(stderr).toBe('');
  return { exitCode, result: JSON.parse(stdout) };
};
/** The tensors of a model directory as hexadecimal digits. */
const bitsOf = async (file: string) =>
  Object.fromEntries(
    [...(await readSafetensors(file))].map(([name, one]) => [name, Buffer.from(bytesOf(one)).toString('hex')]),
  );

describe('ls, show, verify and diff', () => {
  test('ls', async () => {
    const { result } = await json('ls', run);
    expect(result.checkpoints).toMatchObject([
      { step: 1, run: 'a-run', ranks: 1, problem: null },
      { step: 2, run: 'a-run', ranks: 1, problem: null },
    ]);
    const { stdout } = await checkpoints('ls', run);
    expect(stdout).toMatch(/step .*size .*ranks/);
    expect((await checkpoints('ls', folder)).stdout).toBe(`No checkpoints in ${folder}.\n`);
    expect(await trenio('checkpoints', 'ls', path('absent'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no such folder'),
    });
  });
  test('show: the last one, its parts and tensors', async () => {
    const { result } = await json('show', run);
    expect(result).toMatchObject({ step: 2, state: { user: { best: 0.5 } } });
    expect(Object.keys(result.files)).toEqual(expect.arrayContaining(['config.json', 'vocab.txt']));
    const { stdout, exitCode } = await trenio('checkpoints', 'show', first, '--tensors');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/step +1\n/);
    expect(stdout).toContain('model.classifier.weight');
    expect((await trenio('checkpoints', 'show', folder)).stderr).toContain(
      `${folder} is not a checkpoint: it has neither`,
    );
    for (const command of ['show', 'ls', 'verify'])
      expect((await trenio('checkpoints', command, join(first, 'vocab.txt'))).stderr).toContain(
        'vocab.txt is not a checkpoint: it is a file, not a directory',
      );
  });
  test('verify: whole, and damaged in a tensor and in a kept file', async () => {
    expect((await json('verify', run)).result.checkpoints).toMatchObject([{ problem: null }, { problem: null }]);
    const copy = path('damaged/checkpoint-1');
    const { cpSync } = await import('node:fs');
    cpSync(first, copy, { recursive: true });
    const shard = join(copy, readdirSync(copy).find(name => name.endsWith('.safetensors'))!);
    const bytes = readFileSync(shard);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(shard, bytes);
    const damaged = await json('verify', path('damaged'));
    expect(damaged.exitCode).toBe(1);
    expect(damaged.result.checkpoints[0].problem).toMatch(/shard-.*tensor '.*' *: its bytes are not those/);
    cpSync(first, copy, { recursive: true });
    writeFileSync(join(copy, 'vocab.txt'), 'x'.repeat(readFileSync(join(copy, 'vocab.txt')).length));
    expect((await json('verify', copy)).result.checkpoints[0].problem).toMatch(/vocab.txt: its bytes are not those/);
  });
  test('diff', async () => {
    expect(await json('diff', run, run)).toEqual({ exitCode: 0, result: { differences: [] } });
    const { exitCode, result } = await json('diff', first, run);
    expect(exitCode).toBe(1);
    expect(result.differences).toMatchObject([
      { kind: 'elements', tensor: 'model.classifier.bias', different: 2, maxDifference: 1 },
      { kind: 'state', path: 'step', first: 1, second: 2 },
    ]);
    const { stdout } = await checkpoints('diff', first, run);
    expect(stdout).toContain('model.classifier.bias: 2 elements differ, by up to 1.00');
  });
});

describe('convert', () => {
  test('to a Hugging Face directory, in one file and in several, and back, with the same bits', async () => {
    const { result } = await json('convert', run, path('model'));
    expect(result).toMatchObject({ from: 'trenio', to: 'hugging-face', files: ['config.json', 'vocab.txt'] });
    expect(readdirSync(path('model')).sort()).toEqual(['config.json', 'model.safetensors', 'vocab.txt']);
    const bits = await bitsOf(path('model/model.safetensors'));
    expect(Object.keys(bits)).toHaveLength(result.tensors);
    expect(result.leftOut).toBeGreaterThan(0);
    const model = await BertForSequenceClassification.fromPretrained(path('model'));
    expect(model.config.hidden_size).toBe(16);

    await json('convert', run, path('sharded'), '--max-shard-size', '4KB');
    const index = JSON.parse(readFileSync(path('sharded/model.safetensors.index.json'), 'utf8'));
    expect(new Set(Object.values(index.weight_map)).size).toBeGreaterThan(1);
    expect(index.metadata.total_size).toBe(result.bytes);

    const back = (await json('convert', path('sharded'), path('back'))).result;
    expect(back).toMatchObject({ to: 'trenio', target: path('back/checkpoint-0'), leftOut: 0 });
    expect((await json('verify', path('back'))).exitCode).toBe(0);
    const differences = (await json('diff', run, path('back'))).result.differences as { tensor?: string }[];
    expect(differences.filter(({ tensor }) => tensor?.startsWith('model.'))).toEqual([]);
    // The model alone can be resumed.
    const resumed = new BertForSequenceClassification(model.config);
    await using checkpointer = new Checkpointer({ directory: path('back') }, { model: resumed });
    expect(await checkpointer.resume()).toBe(0);
    await resumed.savePretrained(path('resumed'));
    expect(await bitsOf(path('resumed/model.safetensors'))).toEqual(bits);
  });
  test('to the layout of torch.distributed.checkpoint and back: the model, or another part', async () => {
    await json('convert', run, path('dcp'), '--to', 'torch');
    const back = (await json('convert', path('dcp'), path('from-dcp'), '--to', 'hugging-face')).result;
    expect(back).toMatchObject({ from: 'torch', leftOut: 0 });
    const bits = await bitsOf(path('from-dcp/model.safetensors'));
    expect(bits['classifier.bias']).toBeDefined();
    await json('convert', run, path('user'), '--to', 'torch', '--part', 'user', '--max-shard-size', '8KB');
    expect(readdirSync(path('user')).filter(name => name.endsWith('.safetensors'))).toHaveLength(2);
  });
  test('to a file of torch.save and back: the model and its optimizer, or a part alone', async () => {
    const { result } = await json('convert', run, path('all.pt'), '--to', 'torch-file');
    expect(result).toMatchObject({ to: 'torch-file', target: path('all.pt'), leftOut: 2 });
    const whole = (await loadTorchFile(path('all.pt'))) as ReadonlyMap<string, TorchValue>;
    expect([...whole.keys()]).toEqual(['model', 'optimizer']);
    // Other files next to a .pt file are not the model's.
    writeFileSync(path('notes.txt'), '');
    expect((await json('convert', path('all.pt'), path('from-pt'))).result).toMatchObject({ files: [] });
    const differences = (await json('diff', run, path('from-pt'))).result.differences as { tensor?: string }[];
    expect(differences.filter(({ tensor }) => /^(model|optimizer)\./.test(tensor ?? ''))).toEqual([]);
    await json('convert', run, path('model.pt'), '--to', 'torch-file', '--part', 'user');
    expect([...((await loadTorchFile(path('model.pt'))) as ReadonlyMap<string, TorchValue>).keys()]).toEqual([
      'a',
      'b',
    ]);
    const again = await checkpoints('convert', run, path('all.pt'), '--to', 'torch-file');
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it exists already') });
  });
  test('invalid sources and targets of a conversion are refused before anything is written', async () => {
    const refused = async (words: readonly string[], exitCode: number, reason: string): Promise<void> => {
      const before = readdirSync(folder).sort();
      const ended = await checkpoints('convert', ...words);
      expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining(reason) });
      expect(readdirSync(folder).sort()).toEqual(before);
    };
    await refused([run, run], 1, 'it exists already');
    await refused([run, path('x'), '--to', 'pickle'], 2, 'hugging-face, torch, torch-file, trenio');
    await refused([run, path('x'), '--part', 'scheduler'], 1, "no tensors of a part 'scheduler', but of model, user");
    await refused([run, path('x'), '--max-shard-size', 'big'], 2, 'such as 5GB');
    await refused([path('absent'), path('x')], 1, 'absent');
    const pickled = mkdtempSync(join(tmpdir(), 'trenio-test-'));
    writeFileSync(join(pickled, 'pytorch_model.bin'), 'x');
    await refused(
      [pickled, path('x')],
      1,
      `name the file itself: trenio checkpoints convert ${pickled}/pytorch_model.bin`,
    );
    writeFileSync(join(pickled, '__0_0.distcp'), 'x');
    rmSync(join(pickled, 'pytorch_model.bin'));
    await refused([pickled, path('x')], 1, 'it has .distcp files, but no .metadata');
    await refused([run, path('x'), '--to', 'torch-file'], 1, 'ends with .pt');
    rmSync(pickled, { recursive: true });
  });
  test('a checkpoint is deployed as it is, and so is a folder of checkpoints', async () => {
    for (const checkpoint of [first, run, path('back')]) {
      const words = ['deploy', checkpoint, '--port', '0', '--max-batch', '1', '--max-length', '16', '--json'];
      const endpoint = new CliProcess(words, { TRENIO_BACKEND: 'interpreter' });
      const [ready] = await endpoint.outputs(/^\{.*\}$/gm, 1);
      const { invocationsUrl } = JSON.parse(ready![0]) as { invocationsUrl: string };
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"inputs":"a good book"}',
      };
      expect(await (await fetch(invocationsUrl, init)).json()).toMatchObject([{ label: expect.any(String) }]);
      endpoint.child.kill('SIGTERM');
      expect((await endpoint.finished).exitCode).toBe(0);
    }
  });
});

describe('hostile checkpoints', () => {
  /** A copy whose manifest is changed, with a valid checksum. */
  function changed(name: string, change: (manifest: Record<string, never>) => void): string {
    const copy = path(name);
    cpSync(first, copy, { recursive: true });
    const { checksum: _, ...manifest } = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
    change(manifest as Record<string, never>);
    writeFileSync(join(copy, 'manifest.json'), manifestText(manifest));
    return copy;
  }
  test('show escapes what would control the terminal', async () => {
    const copy = changed('escapes', manifest => Object.assign(manifest, { run: 'x\u001b[2J\u202e' }));
    const { stdout } = await checkpoints('show', copy, '--tensors');
    expect(stdout).toContain('x\\u{1b}[2J\\u{202e}');
    expect(stdout).not.toContain('\u001b');
  });
  test('verify compares the bytes of a tensor with its shape', async () => {
    const copy = changed('shape', (manifest: { tensors?: Record<string, { dtype: string }> }) => {
      const [tensor] = Object.values(manifest.tensors!).filter(one => one.dtype === 'f32');
      tensor!.dtype = 'f64';
    });
    const { exitCode, stdout, stderr } = await checkpoints('verify', copy);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain('are not the tensor');
  });
  test('convert verifies its source, and copies no file from outside', async () => {
    const damaged = path('damaged-source');
    cpSync(first, damaged, { recursive: true });
    const shard = join(damaged, readdirSync(damaged).find(name => name.endsWith('.safetensors'))!);
    const bytes = readFileSync(shard);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(shard, bytes);
    expect((await checkpoints('convert', damaged, path('from-damaged'))).stderr).toContain(
      'are not those that were written',
    );
    const linked = path('linked');
    expect((await checkpoints('convert', first, linked)).exitCode).toBe(0);
    rmSync(join(linked, 'config.json'));
    symlinkSync('/etc/passwd', join(linked, 'config.json'));
    const { exitCode, stderr } = await checkpoints('convert', linked, path('from-linked'));
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('a link to a file outside'),
    });
  });
});
