// Embeddings compared with the hidden states of texts alone, pooled in plain arithmetic; and the files of sentence-transformers.
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { EncoderModel } from '../../models/encoder/encoder.ts';
import { type Pooling, poolings, readPooling } from '../../models/pooling.ts';
import { device, manualSeed, noGrad, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { isEmbedder, loadEmbedder } from './text-embedder.ts';
import { tinyCheckpoint } from './tiny-bert.testing.ts';

const interpreter = device('interpreter');

const plain: Readonly<Record<Pooling, (rows: readonly (readonly number[])[]) => readonly number[]>> = {
  cls: rows => rows[0]!,
  lasttoken: rows => rows.at(-1)!,
  mean: rows => rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length),
  max: rows => rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!))),
};
const unit = (row: readonly number[]): readonly number[] => row.map(x => x / Math.hypot(...row));

test.each(poolings)('the embedding of a text is that of its states: %s', async pooling => {
  await using checkpoint = await tinyCheckpoint();
  const { folder } = checkpoint;
  expect(await isEmbedder(folder)).toBe(true);
  const embedder = await loadEmbedder(folder, { pooling, device: interpreter, maxBatch: 2 });
  const model = (await EncoderModel.fromPretrained(folder)).eval().to(interpreter);
  const texts = [[2, 5, 7, 3], Array.from({ length: 35 }, (_, i) => 4 + (i % 6)), [2, 3]];
  const rows = await embedder.embed(texts);
  for (const [i, ids] of texts.entries()) {
    const { lastHiddenState } = noGrad(() => model.forward(tensor([ids], { dtype: 'i32', device: interpreter })));
    const [states] = lastHiddenState.toArray() as number[][][];
    const expected = unit(plain[pooling](states!));
    for (const [at, value] of expected.entries()) expect(rows[i]![at]).toBeCloseTo(value, 5);
  }
});

test('a decoder with the files of sentence-transformers', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'trenio-embedder-'));
  setDefaultDevice(interpreter);
  manualSeed(1);
  await using checkpoint = await tinyCheckpoint();
  const sizes = { vocab_size: 11, hidden_size: 16, intermediate_size: 32, max_position_embeddings: 40 };
  const model = new DecoderForCausalLM({
    model_type: 'qwen3',
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 1,
    ...sizes,
  });
  await model.savePretrained(folder.path);
  expect(await isEmbedder(folder.path)).toBe(false);
  await copyFile(join(checkpoint.folder, 'vocab.txt'), join(folder.path, 'vocab.txt'));
  const bert = { tokenizer_class: 'BertTokenizer' };
  await writeFile(join(folder.path, 'tokenizer_config.json'), JSON.stringify(bert));
  const module = (kind: string, path: string) => ({ type: `sentence_transformers.models.${kind}`, path });
  const write = (modules: unknown) => writeFile(join(folder.path, 'modules.json'), JSON.stringify(modules));
  await write([module('Transformer', ''), module('Pooling', '1_Pooling')]);
  await mkdir(join(folder.path, '1_Pooling'));
  const mode = (fields: object) => writeFile(join(folder.path, '1_Pooling', 'config.json'), JSON.stringify(fields));
  await mode({ pooling_mode_cls_token: false, pooling_mode_lasttoken: true });
  expect(await isEmbedder(folder.path)).toBe(true);
  const embedder = await loadEmbedder(folder.path, { maxBatch: 1 });
  const [row] = await embedder.embed([[5, 6, 7]]);
  const [states] = noGrad(() =>
    model.eval().model.forward(tensor([[5, 6, 7]], { dtype: 'i32' })),
  ).toArray() as number[][][];
  // Not normalized: the modules have no Normalize.
  for (const [at, value] of states!.at(-1)!.entries()) expect(row![at]).toBeCloseTo(value, 5);

  await mode({ pooling_mode_cls_token: true, pooling_mode_mean_tokens: true });
  await expect(readPooling(folder.path)).rejects.toThrow(
    'the pooling is cls and mean, expected one of cls, mean, max, lasttoken',
  );
  await write([module('Transformer', ''), module('Pooling', '1_Pooling'), module('Dense', '2_Dense')]);
  await expect(readPooling(folder.path)).rejects.toThrow('the modules are Transformer, Pooling, Dense');
  await write([module('Transformer', '../..')]);
  await expect(readPooling(folder.path)).rejects.toMatchObject({ code: 'MODEL_CONFIG_INVALID' });
  await writeFile(join(folder.path, 'modules.json'), '[');
  await expect(readPooling(folder.path)).rejects.toThrow('it is not JSON');
});
