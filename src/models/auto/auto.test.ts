// Models by the model_type of their directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { device, setDefaultDevice } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { AutoConfig, AutoModel, AutoModelForCausalLM } from './index.ts';

let folder: string;
beforeAll(() => {
  setDefaultDevice(device('interpreter'));
  folder = mkdtempSync(join(tmpdir(), 'trenio-auto-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('each architecture loads as its class', async () => {
  for (const name of ['gpt2-small', 'decoders/gemma3'])
    expect(await AutoModelForCausalLM.fromPretrained(goldenPath(name))).toBeInstanceOf(DecoderForCausalLM);
  expect(await AutoConfig.fromPretrained(goldenPath('bert-small'))).toMatchObject({ model_type: 'bert' });
  expect(await AutoConfig.fromPretrained(goldenPath('gpt2-small'))).toMatchObject({ model_type: 'gpt2' });
  expect(await AutoConfig.fromPretrained(goldenPath('decoders/phi3'))).toEqual(
    (await DecoderForCausalLM.fromPretrained(goldenPath('decoders/phi3'))).config,
  );
});

test.each<[string, object | undefined, RegExp]>([
  [
    'Qwen/Qwen3-0.6B',
    undefined,
    /no directory Qwen\/Qwen3-0.6B.*\n.*hf download Qwen\/Qwen3-0.6B --local-dir Qwen3-0.6B/,
  ],
  ['/nonexistent/model', undefined, /no directory \/nonexistent\/model.*\n.*check the path/],
  ['', {}, /model_type: it is missing/],
  [
    '',
    { model_type: 'gemma4' },
    /model_type is 'gemma4', which AutoModelForCausalLM does not read\n.*the nearest are gemma/,
  ],
  [
    '',
    { model_type: 'bert' },
    /model_type is 'bert', which AutoModelForCausalLM does not read\n.*use AutoModel, AutoModelForMaskedLM, /,
  ],
])('%s with %j: the error', async (directory, config, message) => {
  if (config !== undefined) writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  await expect(AutoModelForCausalLM.fromPretrained(directory === '' ? folder : directory)).rejects.toThrow(message);
});

test('misspelled options are errors, of plain JavaScript too', async () => {
  const misspelled = { dtpye: 'bfloat16' } as object;
  for (const name of ['gpt2-small', 'decoders/phi3', 'bert-small', 'seq2seq/bart', 'vision/clip', 'audio/wav2vec2'])
    await expect(AutoModel.fromPretrained(goldenPath(name), misspelled)).rejects.toMatchObject({
      code: 'NO_SUCH_OPTION',
      data: { option: 'dtpye', nearest: 'dtype' },
    });
});
