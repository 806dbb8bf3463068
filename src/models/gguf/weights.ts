// The tensors of a GGUF file under the names and in the layout of transformers. llama.cpp's converter renames them, orders the
// rows of Llama's queries and keys by rotary pairs, and adds 1 to the weights of Gemma's norms: all of it is undone here.
import { TrenioError } from '../../base/errors.ts';
import type { GgufFile } from '../../data/gguf/gguf-file.ts';
import type { GgufTensor } from '../../data/gguf/gguf-header.ts';
import type { Literal } from '../../hlo/literal.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import type { WeightFormat } from '../quantized/weight-formats.ts';
import type { TensorReader } from '../safetensors.ts';
import type { GgufArchitecture } from './architectures.ts';
import { keptFormat, keptParts, keptTypes } from './quantized.ts';
import { ropeTensors } from './rope-divisors.ts';
import { elementTypeOf, widened } from './widen.ts';

const blockNames: Readonly<Record<string, string>> = {
  attn_norm: 'input_layernorm',
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
  ffn_norm: 'post_attention_layernorm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};
const otherNames: Readonly<Record<string, string>> = {
  token_embd: 'model.embed_tokens',
  output_norm: 'model.norm',
  output: 'lm_head',
};
/** The name in transformers; undefined for a tensor that is not one of its parameters. */
function nameOf(tensor: string, row: GgufArchitecture): string | undefined {
  const dot = tensor.lastIndexOf('.');
  const [base, kind] = [tensor.slice(0, dot), tensor.slice(dot + 1)];
  const block = /^blk\.(\d+)\.(\w+)$/.exec(base);
  const name = block === null ? otherNames[base] : (row.names?.[block[2]!] ?? blockNames[block[2]!]);
  if (name === undefined) return undefined;
  return block === null ? `${name}.${kind}` : `model.layers.${block[1]}.${name}.${kind}`;
}

/** The sizes that the order of rows depends on. */
interface Heads {
  readonly heads: number;
  readonly keyHeads: number;
}

/** A file's tensors. Matrices that stay quantized have codes and scales in place of weights. */
export interface GgufWeights extends TensorReader {
  readonly formats: ReadonlyMap<string, WeightFormat>;
}

/**
 * A view of the file with Hugging Face's names and shapes. Tensors without a counterpart keep their own names.
 * @param isWidened whether quantized matrices are widened to f32, too
 */
export function ggufWeights(
  file: GgufFile,
  row: GgufArchitecture,
  { heads, keyHeads }: Heads,
  isWidened: boolean,
): GgufWeights {
  const types = new Map<string, TensorType>();
  const tensors = new Map<string, GgufTensor>();
  const formats = new Map<string, WeightFormat>();
  /** The names of codes and scales. */
  const kept = new Set<string>();
  /** The parts of a layer's matrix, one of which has not been read yet. */
  const waiting = new Map<string, Promise<ReturnType<typeof keptParts>>>();
  /** A tensor's data with its rows in the order of Hugging Face. */
  const dataOf = async (tensor: GgufTensor, name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const data = await file.read(tensor);
    if (!row.isInterleaved || !/self_attn\.[qk]_proj\./.test(name)) return data;
    return inHalves(data, tensor.shape[0] ?? 1, name.includes('q_proj') ? heads : keyHeads);
  };
  const partsOf = (layer: string, tensor: GgufTensor): Promise<ReturnType<typeof keptParts>> => {
    const known = waiting.get(layer);
    if (known !== undefined) {
      waiting.delete(layer);
      return known;
    }
    const parts = dataOf(tensor, `${layer}.weight`).then(data => keptParts(tensor.type, tensor.shape, data));
    waiting.set(layer, parts);
    return parts;
  };
  const divisors = new Set<string>(Object.values(ropeTensors));
  for (const tensor of file.tensors.values()) {
    if (divisors.has(tensor.name)) continue;
    const name = nameOf(tensor.name, row) ?? tensor.name;
    const format = isWidened ? undefined : keptFormat(tensor.type, tensor.shape);
    if (format === undefined || !name.endsWith('.weight')) {
      types.set(name, tensorType(elementTypeOf(tensor.type), tensor.shape));
      tensors.set(name, tensor);
      continue;
    }
    formats.set(name, format);
    for (const [part, type] of Object.entries(keptTypes(format, tensor.shape))) {
      const own = name.replace(/weight$/, part);
      types.set(own, type);
      tensors.set(own, tensor);
      kept.add(own);
    }
  }
  return {
    file: file.file,
    types,
    formats,
    metadata: new Map(),
    async read(name) {
      const tensor = tensors.get(name);
      if (tensor === undefined)
        throw new TrenioError('GGUF_INVALID', { file: file.file, tensor: name, problem: 'the file does not have it' });
      if (kept.has(name)) {
        const dot = name.lastIndexOf('.');
        const parts = await partsOf(name.slice(0, dot), tensor);
        return parts[name.slice(dot + 1) as 'scales'];
      }
      const literal = widened(tensor.type, tensor.shape, await dataOf(tensor, name));
      return row.hasOffsetNorms && name.endsWith('norm.weight') ? withoutOffset(literal, name, file.file) : literal;
    },
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** The rows of each head as two halves, the first and the second numbers of the rotary pairs, instead of pair after pair. */
function inHalves(from: Uint8Array<ArrayBuffer>, rows: number, heads: number): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(from.byteLength);
  const rowBytes = from.byteLength / rows;
  const half = rows / heads / 2;
  for (let row = 0; row < rows; row++) {
    const [head, inHead] = [Math.floor(row / (2 * half)), row % (2 * half)];
    const source = 2 * half * head + 2 * (inHead % half) + Math.floor(inHead / half);
    to.set(from.subarray(source * rowBytes, (source + 1) * rowBytes), row * rowBytes);
  }
  return to;
}

function withoutOffset(literal: Literal, tensor: string, file: string): Literal {
  if (!(literal.data instanceof Float32Array))
    throw new TrenioError('GGUF_INVALID', { file, tensor, problem: 'it is the weight of a norm; expected F32' });
  return { ...literal, data: literal.data.map(value => value - 1) };
}
