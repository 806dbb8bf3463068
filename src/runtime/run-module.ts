// One execution of a program on a backend, from literals to literals: for tools and tests. Training keeps its data in
// buffers instead.
import { bytesOf, type Literal, literalOfBytes } from '../hlo/literal.ts';
import type { Module } from '../hlo/program.ts';
import type { Backend } from './backends/backend.ts';
import { defaultBackend } from './device.ts';
import type { CompileReport } from './execution/executable.ts';

/**
 * Compiles a module (or loads it from the cache), runs its entry once and waits. The literals must match the entry's arguments.
 * `onCompiled` is called before it runs.
 * @throws {UNSUPPORTED} for what the backend cannot run, and what the program throws
 * @example
 * ```ts no-run
 * const module = hlo.parseModule(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
 *   %0 = stablehlo.add %x, %x : tensor<2xf32>
 *   return %0 : tensor<2xf32>
 * }`);
 * const [sum] = runModule(module, [hlo.literal('f32', [2], [1, 2])]);
 * ```
 */
export function runModule(
  module: Module,
  inputs: readonly Literal[],
  backend: Backend = defaultBackend(),
  onCompiled: (report: CompileReport) => void = () => {},
): readonly Literal[] {
  const { executable, report } = backend.compile(module);
  onCompiled(report);
  const results = executable.run(inputs.map(input => backend.upload(input.type, bytesOf(input))));
  return results.map(buffer => literalOfBytes(buffer.type, buffer.copyToHost()));
}
