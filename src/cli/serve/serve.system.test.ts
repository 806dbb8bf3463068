// `trenio serve` as a real process with a real, tiny model: from files to answers.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { CliProcess, gone } from '../process.testing.ts';

test('answers as generate does, alone and together, and exits cleanly', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'trenio-serve-'));
  setDefaultDevice(device('interpreter'));
  manualSeed(3);
  const sizes = { vocab_size: 620, hidden_size: 16, intermediate_size: 32, max_position_embeddings: 64 };
  const heads = { num_hidden_layers: 1, num_attention_heads: 2, num_key_value_heads: 1, initializer_range: 0.4 };
  const model = new DecoderForCausalLM({ model_type: 'llama', ...sizes, ...heads }).to('bfloat16');
  await model.savePretrained(folder.path);
  cpSync(goldenPath('tokenizers/llama3'), folder.path, { recursive: true });
  const config = join(folder.path, 'config.json');
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), dtype: 'bfloat16' }));

  const few = ['--max-num-seqs', '2', '--max-num-batched-tokens', '4', '--served-model-name', 'tiny'];
  // The interpreter starts without compiling anything; the programs are the same.
  const server = new CliProcess(['serve', folder.path, '--port', '0', '--json', ...few], {
    TRENIO_BACKEND: 'interpreter',
  });
  const [line] = await server.outputs(/^\{.*\}$/gm, 1);
  const { url, maxModelLen } = JSON.parse(line![0]) as { url: string; maxModelLen: number };
  expect(maxModelLen).toBe(64);
  const prompts = [[5, 6, 7, 8, 9, 10], [11], [5, 6, 7]];
  const answer = async (prompt: readonly number[]): Promise<{ choices: { token_ids: number[] }[] }> => {
    const body = { model: 'tiny', prompt, max_tokens: 5, temperature: 0, ignore_eos: true, return_token_ids: true };
    const response = await fetch(`${url}/v1/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as never;
  };
  const answers = await Promise.all(prompts.map(answer));
  for (const [i, { choices }] of answers.entries()) {
    const all = await model.generate(tensor([[...prompts[i]!]], { dtype: 'i32' }), { maxNewTokens: 5 });
    expect(choices[0]!.token_ids).toEqual((all.toArray() as number[][])[0]!.slice(prompts[i]!.length));
    expect((await answer(prompts[i]!)).choices[0]!.token_ids).toEqual(choices[0]!.token_ids);
  }

  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ exitCode: 0, signal: null });
  await gone(server.child.pid!);
});
