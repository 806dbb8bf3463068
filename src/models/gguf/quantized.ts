// Matrices of GGUF files that stay quantized in memory: which of a model's layers they are, and their blocks as codes and scales.
//
//   Q8_0   scale · 32 bytes                       the bytes
//   Q4_0   scale · 16 bytes of two codes          the bytes, each code less 8 in two's complement
import type { GgufType } from '../../data/gguf/tensor-types.ts';
import { blockSizes } from '../../data/gguf/tensor-types.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import type { TensorType } from '../../hlo/types.ts';
import { Embedding, Linear, type Module } from '../../nn/index.ts';
import { zeros as zeroTensor } from '../../tensor/index.ts';
import { QuantizedLinear } from '../adapters/quantized-linear.ts';
import { QuantizedEmbedding } from '../quantized/quantized-embedding.ts';
import { isInterleaved, quantizedTypes, type WeightFormat } from '../quantized/weight-formats.ts';
import { inFile, type NameRule, withAndWithout } from '../tensor-names.ts';

/** The formats that are not widened. */
const keptFormats: { readonly [T in GgufType]?: WeightFormat } = { Q8_0: 'q8_0', Q4_0: 'q4_0' };

/** The format in which a matrix stays in memory; undefined if it is widened when it is read. */
export function keptFormat(type: GgufType, shape: readonly number[]): WeightFormat | undefined {
  return shape.length === 2 ? keptFormats[type] : undefined;
}

/** The parts of a quantized matrix, by the names of their buffers. */
export function keptTypes(format: WeightFormat, shape: readonly number[]): ReturnType<typeof quantizedTypes> {
  return quantizedTypes(format, shape[0]!, shape[1]!);
}

/** The codes and scales of a tensor from its data in the file. */
export function keptParts(
  type: GgufType,
  shape: readonly number[],
  data: Uint8Array<ArrayBuffer>,
): { readonly quantized: Literal; readonly scales: Literal } {
  const format = keptFormats[type]!;
  const [rows, width] = shape as readonly [number, number];
  const types = keptTypes(format, shape);
  const parts = { quantized: zeros(types.quantized), scales: zeros(types.scales) };
  if (isInterleaved(format, rows, width)) interleave(type, width, data, parts);
  else takeApart(type, data, parts);
  return parts;
}

interface Parts {
  readonly quantized: Literal;
  readonly scales: Literal;
}

/** Turns codes of 4 bits with 8 added into two's complement, both of a byte. */
const signed = 0x88;

function takeApart(type: GgufType, data: Uint8Array<ArrayBuffer>, parts: Parts): void {
  const [codes, scales] = [bytesOf(parts.quantized), bytesOf(parts.scales)];
  const { bytes } = blockSizes[type];
  const perBlock = bytes - 2;
  for (let block = 0, at = 0; at < data.byteLength; block++, at += bytes) {
    scales[2 * block] = data[at]!;
    scales[2 * block + 1] = data[at + 1]!;
    codes.set(data.subarray(at + 2, at + bytes), perBlock * block);
  }
  if (type === 'Q4_0') for (let i = 0; i < codes.length; i++) codes[i]! ^= signed;
}

/** Codes and scales of 16 rows that take turns: see weight-formats.ts. */
function interleave(type: GgufType, width: number, data: Uint8Array<ArrayBuffer>, parts: Parts): void {
  const file = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const codeBytes = bytesOf(parts.quantized);
  const scaleBytes = bytesOf(parts.scales);
  const codes = new Uint32Array(codeBytes.buffer, codeBytes.byteOffset, codeBytes.byteLength / 4);
  const scales = new Uint16Array(scaleBytes.buffer, scaleBytes.byteOffset, scaleBytes.byteLength / 2);
  const { bytes, elements } = blockSizes[type];
  const words = (bytes - 2) / 4;
  const blocks = width / elements;
  const low = 0x0f0f0f0f;
  for (let block = 0, at = 0; at < data.byteLength; block++, at += bytes) {
    const row = Math.floor(block / blocks);
    const place = ((row - (row % 16)) / 16) * blocks + (block % blocks);
    const member = row % 16;
    scales[place * 16 + member] = file.getUint16(at, true);
    const word = (i: number): number => file.getUint32(at + 2 + 4 * i, true);
    const put = (i: number, value: number): void => {
      codes[(place * words + i) * 16 + member] = value;
    };
    if (type === 'Q8_0') for (let i = 0; i < words; i++) put(i, word(i));
    // Bytes of the file hold weights i and i + 16; here they hold i and i + 4.
    else
      for (let i = 0; i < 2; i++) {
        const [a, b] = [word(2 * i), word(2 * i + 1)];
        put(i, ((a & low) | ((b & low) << 4)) ^ (signed * 0x01010101));
        put(i + 2, (((a >>> 4) & low) | (b & ~low)) ^ (signed * 0x01010101));
      }
  }
}

/**
 * Replaces the layers of a model whose weights are quantized in the file by layers of quantized weights, which are still empty.
 * `formats`: the formats of the file's tensors under their names in it.
 */
export function quantizeLayers(
  model: Module,
  formats: ReadonlyMap<string, WeightFormat>,
  rules: readonly NameRule[],
  basePrefix: string,
): void {
  const formatOf = (name: string): WeightFormat | undefined =>
    inFile(`${name}.weight`, rules)
      .names.flatMap(spelling => withAndWithout(basePrefix, spelling))
      .map(spelling => formats.get(spelling))
      .find(format => format !== undefined);
  const empty = ({ shape, elementType }: TensorType) => zeroTensor([...shape], { dtype: elementType as 'i8' });
  for (const [name, layer] of [...model.namedModules()]) {
    if (!(layer instanceof Linear || layer instanceof Embedding)) continue;
    const format = formatOf(name);
    if (format === undefined) continue;
    const [rows, width] = layer.weight.shape as [number, number];
    const { quantized, scales } = quantizedTypes(format, rows, width);
    const weights = { quantized: empty(quantized), scales: empty(scales) };
    model.setSubmodule(
      name,
      layer instanceof Linear
        ? new QuantizedLinear(layer, format, weights)
        : new QuantizedEmbedding(rows, width, format, weights),
    );
  }
}
