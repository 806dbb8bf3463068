// For tests: runs a planned program, kernel by kernel, in the memory that was planned for it.
import { bytesOf, type Literal, literalOfBytes } from '../../../hlo/literal.ts';
import { tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { byteSize } from '../../../hlo/types.ts';
import { literalOf } from '../../lowering/constants.ts';
import type { Location } from '../../memory/memory-plan.ts';
import type { PlannedProgram } from '../../program/plan-program.ts';
import { refused } from './refusal.testing.ts';

export type ProgramRun = (args: readonly Literal[]) => readonly Literal[];
type KernelFunction = (...operands: readonly Literal['data'][]) => void;

export function runOf({ main, schedule, memory, kernelOf }: PlannedProgram<string>): ProgramRun {
  const functions = new Map<string, KernelFunction>();
  const calls = schedule.main.steps.flatMap(step => {
    if (step.kind === 'control') throw refused(step.op.name);
    const planned = kernelOf(step);
    if (planned === undefined) return [];
    const { kernel, operands } = planned;
    const known = functions.get(kernel) ?? functionOf(kernel, operands.length);
    functions.set(kernel, known);
    return [{ run: known, values: operands.map(o => o.value) }];
  });
  return args => {
    const given = args.map(a => bytesOf(a).slice());
    // a result shares memory with the argument that is donated to it
    const results = main.body.results.map((v, i) => {
      const donated = main.aliases.indexOf(i);
      return donated < 0 ? new Uint8Array(byteSize(tensorTypeOf(v))) : given[donated]!;
    });
    const arena = new Uint8Array(memory.arenaBytes);
    const at = (location: Location, bytes: number): Uint8Array => {
      switch (location.kind) {
        case 'argument':
          return given[location.index]!.subarray(0, bytes);
        case 'result':
          return results[location.index]!.subarray(0, bytes);
        case 'constant':
          return bytesOf(literalOf(location.value));
        case 'arena':
          return arena.subarray(location.offset, location.offset + bytes);
      }
    };
    const elementsOf = (v: Value): Literal['data'] => {
      const type = tensorTypeOf(v);
      return literalOfBytes(type, at(memory.locationOf(v), byteSize(type))).data;
    };
    for (const { run, values } of calls) run(...values.map(elementsOf));
    for (const { from, to, bytes } of memory.finalCopies) at(to, bytes).set(at(from, bytes));
    return main.body.results.map((v, i) => literalOfBytes(tensorTypeOf(v), results[i]!));
  };
}

const functionOf = (kernel: string, operands: number): KernelFunction =>
  new Function(...Array.from({ length: operands }, (_, i) => `p${i}`), kernel) as KernelFunction;
