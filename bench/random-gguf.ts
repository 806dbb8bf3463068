// Writes a GGUF file of a Llama or Qwen2 with random weights, so that Trenio and llama.cpp load the same model. Its
// vocabulary has no texts.
import { closeSync, openSync, writeSync } from 'node:fs';
import { blockSizes, type GgufType, typeNames } from '../src/data/gguf/tensor-types.ts';
import type { DecoderConfigInput } from '../src/index.ts';

const alignment = 32;
const valueTypes = { u32: 4, f32: 6, string: 8 } as const;

class Bytes {
  readonly #parts: Buffer[] = [];
  number(value: number, kind: 'u32' | 'f32' | 'u64'): this {
    const bytes = Buffer.alloc(kind === 'u64' ? 8 : 4);
    if (kind === 'u64') bytes.writeBigUInt64LE(BigInt(value));
    else if (kind === 'u32') bytes.writeUInt32LE(value);
    else bytes.writeFloatLE(value);
    this.#parts.push(bytes);
    return this;
  }
  text(value: string): this {
    const bytes = Buffer.from(value);
    this.number(bytes.length, 'u64').#parts.push(bytes);
    return this;
  }
  entry(key: string, value: number | string, kind: keyof typeof valueTypes): this {
    this.text(key).number(valueTypes[kind], 'u32');
    return typeof value === 'string' ? this.text(value) : this.number(value, kind === 'f32' ? 'f32' : 'u32');
  }
  get all(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

interface Tensor {
  readonly name: string;
  readonly type: GgufType;
  readonly shape: readonly number[];
}

function tensorsOf(config: DecoderConfigInput, type: GgufType): Tensor[] {
  const [width, inner, vocabulary] = [config.hidden_size!, config.intermediate_size!, config.vocab_size!];
  const head = width / config.num_attention_heads!;
  const keys = head * (config.num_key_value_heads ?? config.num_attention_heads!);
  const matrix = (name: string, rows: number, columns: number): Tensor => ({ name, type, shape: [rows, columns] });
  const vector = (name: string, length: number): Tensor => ({ name, type: 'F32', shape: [length] });
  const block = (i: number): Tensor[] => {
    const at = `blk.${i}`;
    const projections = [
      matrix(`${at}.attn_q.weight`, width, width),
      matrix(`${at}.attn_k.weight`, keys, width),
      matrix(`${at}.attn_v.weight`, keys, width),
    ];
    const biases = projections.map(({ name, shape }) => vector(name.replace('weight', 'bias'), shape[0]!));
    return [
      vector(`${at}.attn_norm.weight`, width),
      ...projections,
      ...(config.model_type === 'qwen2' ? biases : []),
      matrix(`${at}.attn_output.weight`, width, width),
      vector(`${at}.ffn_norm.weight`, width),
      matrix(`${at}.ffn_gate.weight`, inner, width),
      matrix(`${at}.ffn_up.weight`, inner, width),
      matrix(`${at}.ffn_down.weight`, width, inner),
    ];
  };
  return [
    matrix('token_embd.weight', vocabulary, width),
    ...Array.from({ length: config.num_hidden_layers! }, (_, i) => block(i)).flat(),
    vector('output_norm.weight', width),
  ];
}

const bytesOf = ({ type, shape }: Tensor): number => {
  const { elements, bytes } = blockSizes[type];
  return (shape.reduce((product, size) => product * size, 1) / elements) * bytes;
};

/** Random elements of a standard deviation near 0.02. */
function fill(data: Buffer, { type }: Tensor, random: () => number): void {
  const { bytes } = blockSizes[type];
  if (type === 'F32') {
    for (let at = 0; at < data.length; at += bytes) data.writeFloatLE(1, at);
    return;
  }
  if (type === 'BF16') {
    for (let at = 0; at < data.length; at += bytes)
      data.writeUInt16LE((random() < 0.5 ? 0x8000 : 0) + 0x3c00 + Math.floor(128 * random()), at);
    return;
  }
  const scale = type === 'Q8_0' ? 0x0920 : 0x1d00;
  for (let at = 0; at < data.length; at += 4) data.writeUInt32LE(Math.floor(2 ** 32 * random()), at);
  for (let at = 0; at < data.length; at += bytes) data.writeUInt16LE(scale, at);
}

/** Writes the file; returns the bytes of its matrices, each of which a token reads once. */
export function writeRandomGguf(path: string, config: DecoderConfigInput, type: GgufType): number {
  const tensors = tensorsOf(config, type);
  const arch = config.model_type;
  const head = new Bytes()
    .number(0x46_55_47_47, 'u32')
    .number(3, 'u32')
    .number(tensors.length, 'u64')
    .number(12, 'u64');
  const own = (name: string, value: number, kind: 'u32' | 'f32' = 'u32') => head.entry(`${arch}.${name}`, value, kind);
  head.entry('general.architecture', arch, 'string').entry('tokenizer.ggml.model', 'none', 'string');
  own('embedding_length', config.hidden_size!);
  own('block_count', config.num_hidden_layers!);
  own('feed_forward_length', config.intermediate_size!);
  own('attention.head_count', config.num_attention_heads!);
  own('attention.head_count_kv', config.num_key_value_heads ?? config.num_attention_heads!);
  own('attention.layer_norm_rms_epsilon', config.rms_norm_eps!, 'f32');
  own('context_length', config.max_position_embeddings!);
  own('vocab_size', config.vocab_size!);
  own('rope.freq_base', 10_000, 'f32');
  head.entry('general.alignment', alignment, 'u32');
  let at = 0;
  for (const tensor of tensors) {
    head.text(tensor.name).number(tensor.shape.length, 'u32');
    for (const size of tensor.shape.toReversed()) head.number(size, 'u64');
    head.number(typeNames.indexOf(tensor.type), 'u32').number(at, 'u64');
    at += Math.ceil(bytesOf(tensor) / alignment) * alignment;
  }
  const file = openSync(path, 'w');
  try {
    const header = head.all;
    writeSync(file, Buffer.concat([header, Buffer.alloc((alignment - (header.length % alignment)) % alignment)]));
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    for (const tensor of tensors) {
      const data = Buffer.alloc(Math.ceil(bytesOf(tensor) / alignment) * alignment);
      fill(data.subarray(0, bytesOf(tensor)), tensor, random);
      writeSync(file, data);
    }
  } finally {
    closeSync(file);
  }
  return tensors.filter(({ shape }) => shape.length === 2).reduce((sum, one) => sum + bytesOf(one), 0);
}
