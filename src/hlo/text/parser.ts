// Reads the MLIR text of StableHLO, as JAX, PyTorch/XLA and the StableHLO project write it.
import type { Module } from '../program.ts';
import { readModule } from './module-reader.ts';
import { OpReader } from './op-reader.ts';
import { Source } from './source.ts';

/**
 * The program that the text describes. With a file name, ops without a location get their position in that file.
 * @throws {HLO_SYNTAX} at the first syntax error; the rules of the ops are checked
 *   by verify()
 * @example
 * ```ts
 * const text = `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
 *   %0 = stablehlo.add %x, %x : tensor<2xf32>
 *   return %0 : tensor<2xf32>
 * }`;
 * const module = hlo.parseModule(text);
 * hlo.mainOf(module).name // 'main'
 * ```
 */
export function parseModule(text: string, options: { readonly file?: string } = {}): Module {
  const { file } = options;
  return readModule(new OpReader(new Source(text, file), { locate: file !== undefined }));
}

/**
 * The programs of a text that contains several, separated by `// -----`.
 * @example
 * ```ts
 * hlo.splitChunks('module @a {}\n// -----\nmodule @b {}').length // 2
 * ```
 */
export function splitChunks(text: string): readonly string[] {
  return text.split('// -----');
}
