// A folder is used by one run at a time, and contains the files of only one run. Two competing processes are in
// test/two-runs.test.ts.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Checkpointer } from '../distributed/checkpoints/checkpointer.ts';
import { GPT2LMHeadModel } from '../models/gpt2.ts';
import { AdamW } from '../optim/index.ts';
import { device, setDefaultDevice } from '../tensor/index.ts';
import { readRunFile } from './run-file.ts';
import { openRun, type RunFolder } from './run-folder.ts';

let folder: string;
beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
  folder = mkdtempSync(join(tmpdir(), 'trenio-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function parts() {
  const model = new GPT2LMHeadModel({ vocab_size: 7, n_positions: 4, n_embd: 4, n_layer: 1, n_head: 1 });
  return { model, optimizer: new AdamW(model.parameters(), { lr: 0.01 }) };
}
async function save(run: RunFolder, ...steps: number[]): Promise<void> {
  await using checkpointer = new Checkpointer({ directory: run.checkpoints, run: run.id }, parts());
  await checkpointer.resume(run.from);
  for (const step of steps) await checkpointer.save(step);
}
/** A run that completed after checkpoints of `steps`. */
async function finished(settings: Record<string, string | number>, ...steps: number[]): Promise<string> {
  using run = await openRun(folder);
  await run.record(settings);
  await save(run, ...steps);
  return run.id!;
}
const code = (expected: string) => expect.objectContaining({ code: expected });

test('a run leaves run.json, and no lock file', async () => {
  const id = await finished({ lr: 0.1 }, 1);
  expect(readdirSync(folder).sort()).toEqual(['checkpoints', 'run.json']);
  expect(await readRunFile(folder)).toMatchObject({ id, settings: { lr: 0.1 }, sessions: [{ pid: process.pid }] });
});

test('a second run at the same time is rejected; the error names the process that holds the folder', async () => {
  using run = await openRun(folder);
  await run.record({});
  for (const begin of ['new', 'start-over'] as const)
    await expect(openRun(folder, { begin })).rejects.toMatchObject({
      code: 'RUN_IN_PROGRESS',
      data: { holder: expect.stringContaining(`process ${process.pid} on `) },
    });
  await save(run, 1);
  await expect(openRun(folder, { begin: 'resume' })).rejects.toThrow(code('RUN_IN_PROGRESS'));
  run.release();
  using next = await openRun(folder, { begin: 'resume' });
  expect(next.id).toBe(run.id);
});

test('a folder with the files of another run: the error lists the choices', async () => {
  const id = await finished({}, 3, 6);
  const started = (await readRunFile(folder))!.startedAt;
  const choices = { resume: '--resume', elsewhere: '--output DIR', startOver: '--start-over' };
  const error: Error = await openRun(folder, { choices }).then(
    () => new Error('taken'),
    e => e as Error,
  );
  expect(error.message.replaceAll(folder, 'out').replaceAll(id, 'ID').replace(started, 'THEN')).toMatchInlineSnapshot(`
    "out contains the files of another run (run ID; started THEN; last checkpoint at step 6; checkpoints)
      fix: resume that run (--resume), use another folder (--output DIR), or start over and move its files to out/previous (--start-over)"
  `);
  // Existing files are unchanged, and the folder is unlocked.
  expect(readdirSync(join(folder, 'checkpoints'))).toHaveLength(2);
  expect(existsSync(join(folder, 'run.lock'))).toBe(false);
});

test('resuming continues the same run from its last checkpoint; steps that were not saved are repeated', async () => {
  const id = await finished({ lr: 0.1 }, 3, 6);
  using run = await openRun(folder, { begin: 'resume' });
  expect(run).toMatchObject({ id, from: { directory: join(folder, 'checkpoints', 'checkpoint-6'), damaged: [] } });
  expect((await run.record({ lr: 0.1 })).changes).toEqual([]);
  expect((await readRunFile(folder))!.sessions.map(({ fromStep }) => fromStep)).toEqual([null, 6]);
  await using checkpointer = new Checkpointer({ directory: run.checkpoints }, parts());
  expect(await checkpointer.resume(run.from)).toBe(6);
});

test('changed settings are reported with their effects, and recorded; some are rejected', async () => {
  await finished({ lr: 0.1, layers: 2, machine: 'a', gone: 1 }, 1);
  const effects = { layers: 'refused', machine: 'harmless' } as const;
  {
    using run = await openRun(folder, { begin: 'resume' });
    await expect(run.record({ lr: 0.1, layers: 4, machine: 'b', gone: 1 }, effects)).rejects.toMatchObject({
      code: 'RUN_SETTINGS_CHANGED',
      data: { changes: ['layers 2 → 4'] },
    });
    expect((await readRunFile(folder))!.settings.layers).toBe(2);
  }
  using run = await openRun(folder, { begin: 'resume' });
  expect((await run.record({ lr: 0.2, layers: 2, machine: 'b', fresh: true }, effects)).changes).toEqual([
    { name: 'lr', from: '0.1', to: '0.2', effect: 'changes results' },
    { name: 'machine', from: '"a"', to: '"b"', effect: 'harmless' },
    { name: 'gone', from: '1', to: 'not set', effect: 'changes results' },
    { name: 'fresh', from: 'not set', to: 'true', effect: 'changes results' },
  ]);
  const file = (await readRunFile(folder))!;
  expect(file.settings).toEqual({ lr: 0.2, layers: 2, machine: 'b', fresh: true });
  expect(file.sessions[1]!.changed.lr).toEqual({ from: 0.1, to: 0.2 });
});

test('starting over keeps the files of the previous run', async () => {
  const id = await finished({}, 3);
  writeFileSync(join(folder, 'results.json'), '{}');
  {
    using run = await openRun(folder, { begin: 'start-over' });
    expect(run.id).not.toBe(id);
    // Nothing is moved before the settings have been validated.
    expect(existsSync(join(folder, 'results.json'))).toBe(true);
    expect(await run.record({})).toEqual({ changes: [], keptIn: join(folder, 'previous', id) });
    expect(readdirSync(join(folder, 'previous', id)).sort()).toEqual(['checkpoints', 'results.json', 'run.json']);
    await save(run, 1);
  }
  expect(readdirSync(folder).sort()).toEqual(['checkpoints', 'previous', 'run.json']);
  // Again; in an empty folder there is nothing to move.
  using again = await openRun(folder, { begin: 'start-over' });
  await again.record({});
  expect(readdirSync(join(folder, 'previous'))).toHaveLength(2);
  using empty = await openRun(join(folder, 'empty'), { begin: 'start-over' });
  expect((await empty.record({})).keptIn).toBeUndefined();
});

test('a run that was killed before its first checkpoint can be replaced', async () => {
  await finished({});
  using run = await openRun(folder);
  await run.record({});
});

test('resuming without a checkpoint is an error', async () => {
  const none = join(folder, 'none');
  await expect(openRun(none, { begin: 'resume' })).rejects.toThrow(code('NOTHING_TO_RESUME'));
  expect(existsSync(none)).toBe(false);
});

test('a damaged checkpoint is skipped; the run resumes from the previous one', async () => {
  await finished({}, 3, 6);
  const weights = join(folder, 'checkpoints', 'checkpoint-6', 'shard-00001-model-00001-of-00001.safetensors');
  const bytes = readFileSync(weights);
  bytes[bytes.length - 1]! ^= 4;
  writeFileSync(weights, bytes);
  using run = await openRun(folder, { begin: 'resume' });
  expect(run.from).toMatchObject({
    directory: join(folder, 'checkpoints', 'checkpoint-3'),
    damaged: [{ error: { code: 'CHECKPOINT_DAMAGED', data: { file: weights, tensor: expect.any(String) } } }],
  });
});

test('resumes a folder of an earlier version, without run.json', async () => {
  const id = await finished({}, 3);
  rmSync(join(folder, 'run.json'));
  await expect(openRun(folder)).rejects.toThrow(code('RUN_FOLDER_TAKEN'));
  using run = await openRun(folder, { begin: 'resume' });
  expect(run.id).toBe(id);
  expect((await run.record({ lr: 1 })).changes).toEqual([]);
});

test('an invalid run.json is an error', async () => {
  await finished({}, 3);
  for (const text of ['{', '{"format":"trenio-run-1"}', '[]']) {
    writeFileSync(join(folder, 'run.json'), text);
    await expect(openRun(folder, { begin: 'resume' })).rejects.toThrow(code('RUN_FILE_INVALID'));
  }
  expect(existsSync(join(folder, 'run.lock'))).toBe(false);
});

test('a trial run takes no lock and rejects no folder', async () => {
  await finished({}, 3);
  const before = readdirSync(folder, { recursive: true });
  vi.stubEnv('TRENIO_TRACE_ONLY', folder);
  try {
    for (const begin of ['new', 'start-over', 'resume'] as const) {
      using run = await openRun(folder, { begin });
      await run.record({ other: 1 });
    }
  } finally {
    vi.unstubAllEnvs();
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
