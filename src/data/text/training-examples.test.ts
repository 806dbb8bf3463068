// Tokens, labels and packed sequences compared with TRL's (test/golden/training-examples.json, written by
// make-training-examples-golden.py); masks of conversations; invalid rows.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { AutoTokenizer } from '../tokenizers/auto-tokenizer.ts';
import type { PretrainedTokenizer } from '../tokenizers/pretrained-tokenizer.ts';
import { packExamples } from './pack-examples.ts';
import { padExamples, readTrainingRows, type TrainingRow, tokenizeExample } from './training-examples.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../../test/golden/training-examples.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly {
    readonly tokenizer: string;
    readonly row: TrainingRow;
    readonly ids: readonly number[];
    readonly labels: readonly number[];
  }[];
  readonly examples: readonly (readonly number[])[];
  readonly packed: readonly (readonly number[])[];
};
const load = (name: string): Promise<PretrainedTokenizer> =>
  AutoTokenizer.fromPretrained(goldenPath(`tokenizers/${name}`));

test.each(golden.cases)('$tokenizer: tokens and labels of $row match TRL', async ({ tokenizer, row, ids, labels }) => {
  // TRL trains on all tokens of conversations by default.
  const learn = 'messages' in row ? 'all' : 'answers';
  expect(tokenizeExample(await load(tokenizer), row, { learn })).toEqual({ inputIds: ids, labels });
});

test('only messages of the assistant have labels', async () => {
  const tokenizer = await load('llama3');
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello there' },
    { role: 'user', content: 'Bye' },
    { role: 'assistant', content: 'Good bye' },
  ];
  const { inputIds, labels } = tokenizeExample(tokenizer, { messages });
  expect(labels.map((label, i) => label === -100 || label === inputIds[i])).not.toContain(false);
  const learned = labels.map(label => (label === -100 ? '#' : tokenizer.decode([label]))).join('');
  expect(learned.split(/#+/).filter(Boolean)).toEqual(['Hello there<|eot_id|>', 'Good bye<|eot_id|>']);
  expect(tokenizeExample(tokenizer, { messages }, { maxLength: 5 }).labels).toEqual(labels.slice(0, 5));
});
test('an instruction is a message of the user', async () => {
  const tokenizer = await load('qwen');
  const row = { instruction: 'Add.', input: '1 + 1', output: '2' };
  const chat = {
    prompt: [{ role: 'user', content: 'Add.\n\n1 + 1' }],
    completion: [{ role: 'assistant', content: '2' }],
  };
  expect(tokenizeExample(tokenizer, row)).toEqual(tokenizeExample(tokenizer, chat));
});

test('packing matches TRL, with positions and segments', () => {
  const packed = packExamples(
    golden.examples.map(ids => ({ inputIds: ids, labels: ids })),
    10,
  );
  expect(packed.map(({ inputIds }) => inputIds)).toEqual(golden.packed);
  for (const { inputIds, labels, positionIds, segmentIds } of packed) {
    expect(positionIds).toEqual(inputIds.map(id => id % 100));
    expect(labels).toEqual(inputIds.map(id => (id % 100 === 0 ? -100 : id)));
    expect(new Set(segmentIds).size).toBe(segmentIds.at(-1));
  }
  expect(() => packExamples([], 0)).toThrow('length is 0');
});
test('batches are padded on the right', () => {
  const examples = [
    { inputIds: [5, 6, 7], labels: [-100, 6, 7] },
    { inputIds: [8], labels: [8] },
  ];
  const { inputIds, attentionMask, labels } = padExamples(examples, { padTokenId: 1, multipleOf: 4 });
  expect(inputIds.toArray()).toEqual([
    [5, 6, 7, 1],
    [8, 1, 1, 1],
  ]);
  expect(attentionMask.toArray()).toEqual([
    [1, 1, 1, 0],
    [1, 0, 0, 0],
  ]);
  expect(labels.toArray()).toEqual([
    [-100, 6, 7, -100],
    [8, -100, -100, -100],
  ]);
});

describe('errors', () => {
  test.each([
    ['{"question":"x"}', 'row 2: it has the fields [question]'],
    ['{"messages":[{"content":"x"}]}', 'row 2: messages.0.role'],
    ['{"messages":[]}', 'row 2: messages'],
    ['{"prompt":"x"}', 'row 2: completion'],
    ['{"instruction":"x","output":7}', 'row 2: output'],
    ['[1]', 'row 2: it has the fields [0]'],
    ['{"text":', 'rows.jsonl'],
  ])('%s', async (line, message) => {
    const directory = await mkdtemp(join(tmpdir(), 'trenio-rows-'));
    const file = join(directory, 'rows.jsonl');
    await writeFile(file, `{"text":"right"}\n${line}\n`);
    await expect(Array.fromAsync(readTrainingRows(file))).rejects.toThrow(message);
    await rm(directory, { recursive: true });
  });
  test('examples that cannot be tokenized are errors', async () => {
    const tokenizer = await load('llama3');
    const mixed = { prompt: 'x', completion: [{ role: 'assistant', content: 'y' }] };
    expect(() => tokenizeExample(tokenizer, mixed)).toThrow('must both be texts or both be messages');
    expect(() => tokenizeExample(tokenizer, { text: 'x' }, { maxLength: 0 })).toThrow('maxLength is 0');
    expect(() => tokenizeExample(tokenizer, { text: 'x' }, { learn: 'some' as never })).toThrow('learn is some');
  });
});
