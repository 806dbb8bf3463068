// Files of random weights for a decoder, written without making the model: for the benchmarks of loading and of adapters.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DecoderConfigInput, DecoderForCausalLM, nn } from 'trenio';
import { byteSize, type TensorType, tensorType } from '../src/hlo/types.ts';
import { type LazyTensor, writeSafetensors } from '../src/models/safetensors.ts';

/** A block of normal numbers with a standard deviation of 0.02, as f32, or rounded to bf16. */
function normals(dtype: 'f32' | 'bf16', count: number): Uint8Array {
  const numbers = Float32Array.from(
    { length: count },
    (_, i) => 0.02 * Math.sqrt(-2 * Math.log(((i * 7919) % count) / count + 1e-9)) * Math.cos(2.399963 * i),
  );
  if (dtype === 'f32') return new Uint8Array(numbers.buffer);
  const bits = new Uint32Array(numbers.buffer);
  return new Uint8Array(Uint16Array.from(bits, word => (word + 0x8000) >>> 16).buffer);
}

/** Writes `folder/model.safetensors`, or as many shards with an index. Returns the bytes of the weights. */
export async function randomWeights(
  config: DecoderConfigInput,
  dtype: 'f32' | 'bf16',
  folder: string,
  shards = 1,
): Promise<number> {
  const model = nn.init.skipInit(() => new DecoderForCausalLM(config));
  const block = normals(dtype, 1 << 20);
  const lazy = (type: TensorType): LazyTensor => ({
    type,
    *chunks() {
      for (let left = byteSize(type); left > 0; left -= block.length)
        yield block.subarray(0, Math.min(left, block.length));
    },
  });
  const tensors = [...model.namedParameters()].map(
    ([name, { shape }]) => [name, lazy(tensorType(dtype, shape))] as const,
  );
  const total = tensors.reduce((sum, [, { type }]) => sum + byteSize(type), 0);
  if (shards === 1) {
    await writeSafetensors(join(folder, 'model.safetensors'), new Map(tensors));
    return total;
  }
  const fileOf = (i: number): string =>
    `model-${String(i + 1).padStart(5, '0')}-of-${String(shards).padStart(5, '0')}.safetensors`;
  const weightMap: Record<string, string> = {};
  for (let i = 0; i < shards; i++) {
    const own = tensors.slice((i * tensors.length) / shards, ((i + 1) * tensors.length) / shards);
    for (const [name] of own) weightMap[name] = fileOf(i);
    await writeSafetensors(join(folder, fileOf(i)), new Map(own));
  }
  await writeFile(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map: weightMap }));
  return total;
}
