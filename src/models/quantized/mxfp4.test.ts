// Tensors in MXFP4: numbers as transformers widens them, a model with such experts, and shapes that disagree.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { device, setDefaultDevice } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { readSafetensors, type TensorReader, writeSafetensors } from '../safetensors.ts';
import { withWidenedMxfp4 } from './mxfp4.ts';

const readerOf = (tensors: ReadonlyMap<string, Literal>): TensorReader => {
  const close = async (): Promise<void> => {};
  return {
    file: 'model.safetensors',
    types: new Map([...tensors].map(([name, { type }]) => [name, type])),
    metadata: new Map(),
    read: async name => tensors.get(name)!,
    close,
    [Symbol.asyncDispose]: close,
  };
};
const bytes = (shape: readonly number[], at: (i: number) => number): Literal =>
  literal(
    'ui8',
    shape,
    Array.from({ length: shape.reduce((x, y) => x * y, 1) }, (_, i) => at(i)),
  );

test('numbers, scales and their places are those of transformers', async () => {
  const reader = withWidenedMxfp4(
    readerOf(
      new Map([
        ['x_blocks', bytes([1, 2, 2, 16], i => (i * 37) % 256)],
        ['x_scales', bytes([1, 2, 2], i => [127, 120, 130, 126][i]!)],
      ]),
    ),
  );
  const whole = await reader.read('x');
  expect(reader.types).toEqual(new Map([['x', whole.type]]));
  expect(whole.type).toMatchObject({ elementType: 'bf16', shape: [1, 64, 2] });
  const numbers = toNumbers(whole);
  const row = (n: number): number[] => numbers.filter((_, i) => i % 2 === n);
  expect(row(1).slice(0, 6)).toEqual([0, -8, 24, -16, -8, -32]);
  const weighed = (n: number): number => row(n).reduce((sum, value, i) => sum + value * i, 0);
  expect([weighed(0), weighed(1)]).toEqual([123.234375, 352.75]);
});

test.each([
  [
    [1, 2, 2, 15],
    [1, 2, 2],
  ],
  [
    [1, 2, 2, 16],
    [1, 2, 3],
  ],
  [[2, 16], [2]],
])('blocks %j and scales %j are refused', (blocks, scales) => {
  const reader = readerOf(
    new Map([
      ['x_blocks', bytes(blocks, () => 0)],
      ['x_scales', bytes(scales, () => 0)],
    ]),
  );
  expect(() => withWidenedMxfp4(reader)).toThrow(expect.objectContaining({ code: 'SAFETENSORS_INVALID' }));
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trenio-mxfp4-'));
});
afterAll(() => rm(directory, { recursive: true }));

test('a model whose experts are in MXFP4; other quantized weights are refused', async () => {
  setDefaultDevice(device('interpreter'));
  const golden = goldenPath('decoders/gpt-oss');
  cpSync(golden, directory, { recursive: true });
  const tensors = new Map(await readSafetensors(join(golden, 'model.safetensors')));
  const own = 'model.layers.1.mlp.experts.down_proj';
  tensors.delete(own);
  tensors.set(
    `${own}_blocks`,
    bytes([4, 32, 1, 16], i => (i * 91) % 256),
  );
  tensors.set(
    `${own}_scales`,
    bytes([4, 32, 1], i => 120 + (i % 9)),
  );
  await writeSafetensors(join(directory, 'model.safetensors'), tensors);
  const config = JSON.parse(readFileSync(join(golden, 'config.json'), 'utf8')) as object;
  const quantized = (quant_method: string): void =>
    writeFileSync(join(directory, 'config.json'), JSON.stringify({ ...config, quantization_config: { quant_method } }));
  quantized('gptq');
  await expect(DecoderForCausalLM.fromPretrained(directory)).rejects.toThrow(
    'quantization_config.quant_method: it is "gptq", expected mxfp4',
  );
  quantized('mxfp4');
  const model = await DecoderForCausalLM.fromPretrained(directory);
  expect(model.config).not.toHaveProperty('quantization_config');
  const expected = await withWidenedMxfp4(readerOf(tensors)).read(own);
  const [, parameter] = [...model.namedParameters()].find(([name]) => name === own)!;
  expect(toNumbers(parameter.literal())).toEqual(toNumbers(expected));
});
