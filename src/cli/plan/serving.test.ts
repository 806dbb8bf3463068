// `trenio plan --serve`
import { expect, test } from 'vitest';
import { plan } from './plan.testing.ts';

const asked = ['--serve', '--model', 'llama3-8b', '--on', 'p5.48xlarge', '--output', '32', '--tp', '1'];

test('a table and JSON with the same answer', async () => {
  const { stdout, exitCode } = await plan(...asked, '--rate', '40/s', '--ttft', '400ms', '--tpot', '40ms');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^llama3-8b, weights in bf16: prompts of 512 tokens, answers of 32, 40 requests\/s, first token within 400 ms, 40 ms per token\n/,
  );
  expect(stdout).toMatch(/\np5\.48xlarge +1 +\d+ +40 /);
  expect(stdout).toContain('no published latency of this machine is compared');
  const json = JSON.parse((await plan(...asked, '--rate', '40', '--json')).stdout);
  expect(json).toMatchObject({
    model: 'llama3-8b',
    rate: 40,
    rows: [{ machine: 'p5.48xlarge', tensor: 1 }],
    refused: [],
  });
  expect(json.frontier).toHaveLength(6);
});

test.each([
  [['--serve'], 'a named model with --serve'],
  [['--serve', '--model', 'llama3-8b', '--tokens', '1T'], '--tokens is 1T, expected no such option with --serve'],
  [['--serve', '--model', 'bert-large', '--on', 'p5.48xlarge'], 'a model that generates text'],
  [['--serve', '--model', 'llama3-8b', '--on', 'p5.48xlarge', '--tp', '9'], '1 to 8, the devices of p5.48xlarge'],
  [['--serve', '--model', 'llama3-8b', '--input', '1.5'], '--input is 1.5, expected a whole number of tokens'],
  [['--serve', '--model', 'llama3-8b', '--weights', 'q2'], 'q2'],
  [['--serve', '--model', 'llama3-8b', '--rate', 'x'], 'x'],
  [['train.ts', '--serve', '--model', 'llama3-8b'], '--model, not a script'],
  [['--model', 'llama3-8b', '--tokens', '1T', '--on', 'p5.48xlarge', '--rate', '5'], '--rate'],
])('%j is refused', async (words, message) => {
  const { stderr, exitCode } = await plan(...words);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(message);
});
