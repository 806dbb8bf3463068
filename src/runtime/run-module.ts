// One execution of a program on a backend, from literals to literals: for tools and tests. Training keeps its data in
// buffers instead.
import { bytesOf, type Literal, literalOfBytes } from '../hlo/literal.ts';
import type { Module } from '../hlo/program.ts';
import type { Backend } from './backends/backend.ts';
import { defaultBackend } from './device.ts';
import type { CompileReport } from './execution/executable.ts';

/**
 * Compiles a module (or finds it compiled), runs its entry once and waits. The literals must fit the entry's arguments.
 * `onCompiled` is called before it runs.
 * @throws {UNSUPPORTED} for what the backend cannot run, and what the program throws
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
