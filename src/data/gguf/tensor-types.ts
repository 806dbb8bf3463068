// The types of tensors in GGUF files: elements, or blocks of quantized elements.
// Spec: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/** The types that can be read. */
export type GgufType = 'F32' | 'F16' | 'BF16' | 'Q8_0' | 'Q4_0' | 'Q4_K' | 'Q6_K';

/** The elements of a block, and its size in bytes. */
export interface BlockSize {
  readonly elements: number;
  readonly bytes: number;
}

export const blockSizes: Readonly<Record<GgufType, BlockSize>> = {
  F32: { elements: 1, bytes: 4 },
  F16: { elements: 1, bytes: 2 },
  BF16: { elements: 1, bytes: 2 },
  Q8_0: { elements: 32, bytes: 34 },
  Q4_0: { elements: 32, bytes: 18 },
  Q4_K: { elements: 256, bytes: 144 },
  Q6_K: { elements: 256, bytes: 210 },
};

/** The names of all types by their number; undefined for removed ones. */
export const typeNames: readonly (string | undefined)[] = [
  ...['F32', 'F16', 'Q4_0', 'Q4_1', undefined, undefined, 'Q5_0', 'Q5_1', 'Q8_0', 'Q8_1'],
  ...['Q2_K', 'Q3_K', 'Q4_K', 'Q5_K', 'Q6_K', 'Q8_K', 'IQ2_XXS', 'IQ2_XS', 'IQ3_XXS', 'IQ1_S', 'IQ4_NL', 'IQ3_S'],
  ...['IQ2_S', 'IQ4_XS', 'I8', 'I16', 'I32', 'I64', 'F64', 'IQ1_M', 'BF16'],
];

export const isReadable = (name: string): name is GgufType => Object.hasOwn(blockSizes, name);
