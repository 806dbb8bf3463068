// `trenio plan --config`
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelOf, parametersOf } from '../../simulator/index.ts';
import { modelOfConfig } from './model-config.ts';
import { folder, plan } from './plan.testing.ts';

const write = (name: string, fields: object): string => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'config.json'), JSON.stringify(fields));
  return name;
};
const llama8b = {
  model_type: 'llama',
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  intermediate_size: 14336,
  vocab_size: 128256,
};

test('the file of a preset has its shape, whether the file or its folder is given', async () => {
  write('llama', llama8b);
  const assumptions: string[] = [];
  for (const path of ['llama', 'llama/config.json'])
    expect(await modelOfConfig(path, folder, assumptions)).toEqual({ ...modelOf('llama3-8b'), name: 'llama' });
  expect(assumptions).toEqual([]);
});

test('experts, windows, learned positions', async () => {
  const assumptions: string[] = [];
  const moe = await modelOfConfig(write('moe', { model_type: 'mixtral', sliding_window: 4096 }), folder, assumptions);
  expect(parametersOf(moe).total).toBe(parametersOf(modelOf('mixtral-8x7b')).total);
  expect(assumptions).toEqual([
    'moe: attention is predicted over all positions, also in the 32 of 32 layers with a window.',
  ]);
  expect(await modelOfConfig(write('gpt', { model_type: 'gpt2' }), folder, [])).toEqual({
    ...modelOf('gpt2'),
    name: 'gpt',
  });
});

test('encoders: masked language models, and classifiers by their class', async () => {
  const bert = await modelOfConfig(write('bert', { model_type: 'bert' }), folder, []);
  expect(bert).toEqual({ ...modelOf('bert-base'), name: 'bert' });
  const classifier = { model_type: 'bert', architectures: ['BertForSequenceClassification'], num_labels: 2 };
  const { total } = parametersOf(await modelOfConfig(write('classifier', classifier), folder, []));
  expect(total).toBe(parametersOf(modelOf('bert-base-classifier')).total);
});

test.each([
  ['t5', { model_type: 't5' }, 't5'],
  ['shared', { model_type: 'qwen2_moe' }, 'shared_expert_intermediate_size'],
  ['albert', { model_type: 'albert' }, 'embedding_size'],
  ['none', {}, 'model_type'],
])('%s is refused', async (name, fields, message) => {
  await expect(modelOfConfig(write(name, fields), folder, [])).rejects.toThrow(message);
});

test('plans of training and of serving take it', async () => {
  write('llama', llama8b);
  const on = ['--on', 'p5.48xlarge', '--json'];
  const steps = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await plan(...words, ...on)).stdout).rows.map((row: { stepSeconds: number }) => row.stepSeconds);
  expect(await steps('--config', 'llama')).toEqual(await steps('--model', 'meta-llama/Llama-3.1-8B'));
  const serving = await plan('--serve', '--config', 'llama', '--tp', '1', '--output', '8', ...on);
  expect(JSON.parse(serving.stdout).model).toBe('llama');
  expect((await plan('--config', 'llama', '--model', 'gpt2', ...on)).stderr).toContain('one of the two');
});
