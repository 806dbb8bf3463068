// `trenio generate` on a model directory with random weights, on the interpreter.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { Seq2SeqForConditionalGeneration } from '../../models/seq2seq/seq2seq.ts';
import { device, manualSeed, setDefaultDevice } from '../../tensor/index.ts';
import { type Outcome, runWords } from '../run-cli.testing.ts';

const whisper = goldenPath('seq2seq/whisper');
const tokenizer = goldenPath('tokenizers/llama3');
let folder: string;
async function writeModel(name: string, vocabulary: number): Promise<string> {
  const directory = join(folder, name);
  await cp(tokenizer, directory, { recursive: true });
  manualSeed(1);
  const model = new DecoderForCausalLM({
    model_type: 'llama',
    vocab_size: vocabulary,
    hidden_size: 16,
    intermediate_size: 32,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    max_position_embeddings: 64,
  });
  await model.savePretrained(directory);
  return directory;
}
let llama: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-generate-'));
  llama = await writeModel('llama', 606);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => setDefaultDevice(device('interpreter')));

const generate = (words: readonly string[], stdin = ''): Promise<Outcome> =>
  runWords(['generate', ...words], { stdin });

interface Answer {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly promptTokens: number;
  readonly finish: string;
  readonly promptSeconds: number | null;
}
const answer = async (...words: string[]): Promise<Answer> =>
  JSON.parse((await generate([llama, '--json', '--max-new-tokens', '6', ...words])).stdout) as Answer;

test('text, streamed text and JSON agree; the prompt may come from standard input', async () => {
  const { text, tokens, finish, promptSeconds } = await answer('--prompt', 'Hello world');
  expect({ count: tokens.length, finish }).toEqual({ count: 6, finish: 'length' });
  expect(promptSeconds).toBeGreaterThan(0);
  const plain = await generate([llama, '--prompt', 'Hello world', '--max-new-tokens', '6']);
  expect(plain).toMatchObject({ exitCode: 0, stdout: `${text}\n` });
  expect(plain.stderr).toMatch(/^6 tokens, [\d.]+ per second; prompt of \d+ in [\d.]+ s\n$/);
  const streamed = await generate([llama, '--prompt', '-', '--max-new-tokens', '6', '--stream'], 'Hello world');
  expect(streamed.stdout).toBe(`${text}\n`);
});
test('options reach generation', async () => {
  const greedy = await answer('--prompt', 'Hi');
  expect((await answer('--prompt', 'Hi', '--temperature', '0')).tokens).toEqual(greedy.tokens);
  expect((await answer('--prompt', 'Hi', '--temperature', '5', '--seed', '3')).tokens).not.toEqual(greedy.tokens);
  expect(await answer('--prompt', 'Hi', '--beams', '2')).toMatchObject({ promptSeconds: null });
  expect((await answer('--prompt', 'Hi', '--chat')).promptTokens).toBeGreaterThan(greedy.promptTokens);
  const stopped = await answer('--prompt', 'Hi', '--stop', greedy.text.slice(0, 1));
  expect(stopped).toMatchObject({ finish: 'stop' });
  expect(stopped.tokens.length).toBeLessThan(6);
});

test('an encoder–decoder answers a text', async () => {
  const directory = join(folder, 't5');
  await cp(tokenizer, directory, { recursive: true });
  manualSeed(1);
  const sizes = { vocab_size: 606, d_model: 16, d_kv: 8, d_ff: 32, num_layers: 1, num_heads: 2 };
  await new Seq2SeqForConditionalGeneration({ model_type: 't5', ...sizes }).savePretrained(directory);
  const words = [directory, '--prompt', 'Hello world', '--max-new-tokens', '5'];
  const { text, tokens } = JSON.parse((await generate([...words, '--json'])).stdout) as Answer;
  expect(tokens).toHaveLength(5);
  expect((await generate([...words, '--stream'])).stdout).toBe(`${text}\n`);
  const beams = JSON.parse((await generate([...words, '--json', '--beams', '2'])).stdout) as Answer;
  expect(beams.tokens).toHaveLength(5);
});

describe('errors', () => {
  test.each([
    [['--prompt', 'a b '.repeat(40)], 1, 'tokens, but the model has 64 positions'],
    [[], 2, 'missing argument: --prompt'],
    [['--prompt', 'x', '--temperature', 'hot'], 2, '--temperature is hot, expected a number, 0 or more'],
    [['--prompt', 'x', '--top-p', '2'], 2, '--top-p is 2, expected a number from 0 to 1'],
    [['--prompt', 'x', '--dtype', 'int8'], 2, '--dtype is int8, expected float32 or bfloat16'],
  ])('%j', async (words, exitCode, message) => {
    const result = await generate([llama, ...words]);
    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toContain(message);
  });
  test('a model that reads audio', async () => {
    const { stderr } = await generate([whisper, '--prompt', 'x']);
    expect(stderr).toContain('a model that reads audio (whisper), expected one that reads text');
  });
  test('a failing chat template, with its line', async () => {
    const directory = join(folder, 'template');
    await cp(llama, directory, { recursive: true });
    await writeFile(join(directory, 'chat_template.jinja'), 'a\nb\n{{ raise_exception("only users") }}\n');
    const { stderr } = await generate([directory, '--chat', '--prompt', 'x']);
    expect(stderr).toContain('failed at line 3: only users');
  });
  test('a tokenizer with more tokens than embeddings', async () => {
    const { stderr } = await generate([await writeModel('small', 100), '--prompt', 'x']);
    expect(stderr).toContain('the tokenizer has 606 tokens, but llama has embeddings for 100');
  });
});
