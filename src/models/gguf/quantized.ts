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
import { quantizedTypes, type WeightFormat } from '../quantized/weight-formats.ts';
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
  const types = keptTypes(keptFormats[type]!, shape);
  const parts = { quantized: zeros(types.quantized), scales: zeros(types.scales) };
  const [codes, scales] = [bytesOf(parts.quantized), bytesOf(parts.scales)];
  const { bytes } = blockSizes[type];
  const perBlock = bytes - 2;
  for (let block = 0, at = 0; at < data.byteLength; block++, at += bytes) {
    scales[2 * block] = data[at]!;
    scales[2 * block + 1] = data[at + 1]!;
    codes.set(data.subarray(at + 2, at + bytes), perBlock * block);
  }
  if (type === 'Q4_0') for (let i = 0; i < codes.length; i++) codes[i]! ^= 0x88;
  return parts;
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
