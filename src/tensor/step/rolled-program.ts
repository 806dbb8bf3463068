// A recorded program in the form in which it is compiled: its repeated code as loops (transforms/roll-loops.ts). Before each run
// the arguments of a loop's iterations are copied into one buffer; of its stacked results, each tensor gets a row.
import { bytesOf } from '../../hlo/literal.ts';
import { type Func, tensorTypeOf } from '../../hlo/program.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { bufferRow } from '../../runtime/backends/buffer-row.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { type RolledLoop, rollLoops } from '../../transforms/roll-loops.ts';
import type { TracedProgram } from './program.ts';

/** Larger arguments are not copied into a stack. */
const maxStackedBytes = 1 << 20;

/** A program to compile, and how the buffers of the recorded one become its own. */
export interface ProgramForm {
  readonly program: TracedProgram;
  readonly loops: readonly RolledLoop[];
  inputsOf(recorded: readonly DeviceBuffer[]): readonly DeviceBuffer[];
  outputsOf(computed: readonly DeviceBuffer[]): readonly DeviceBuffer[];
}

export function asRecorded(program: TracedProgram): ProgramForm {
  return { program, loops: [], inputsOf: recorded => recorded, outputsOf: computed => computed };
}

/** With loops, if it has repeated code. Weights and state are not elements of lists: they stay where they are. */
export function rolledForm(program: TracedProgram, backend: Backend): ProgramForm {
  const { func, sources } = program;
  const rolled = rollLoops(func, {
    mayStack: (value, i) =>
      func.aliases[i] === undefined &&
      sources[i]!.impl?.requiresGrad !== true &&
      sources[i]!.impl?.op !== 'Parameter' &&
      byteSize(tensorTypeOf(value)) <= maxStackedBytes,
  });
  if (rolled === undefined) return asRecorded(program);
  const types = rolled.func.body.args.map(tensorTypeOf);
  const rowTypes = rowTypesOf(func);
  const numbersOf = rolled.args.map((arg, i) =>
    arg.kind === 'numbers' ? joined(types[i]!, (into, k) => into.set(bytesOf(arg.literals[k]!))) : undefined,
  );
  return {
    program: {
      ...program,
      func: rolled.func,
      sources: rolled.args.map((arg, i) => {
        if (arg.kind !== 'numbers') return sources[arg.kind === 'one' ? arg.argument : arg.arguments[0]!]!;
        return { buffer: backend.upload(types[i]!, numbersOf[i]!), impl: undefined, host: undefined };
      }),
    },
    loops: rolled.loops,
    inputsOf: recorded =>
      rolled.args.map((arg, i) => {
        const type = types[i]!;
        if (arg.kind === 'one') return recorded[arg.argument]!;
        if (arg.kind === 'numbers') return backend.upload(type, numbersOf[i]!);
        const stack = backend.upload(type, { kind: 'zeros' });
        const copyRow = (into: Uint8Array<ArrayBuffer>, k: number): void =>
          void recorded[arg.arguments[k]!]!.copyToHost(into);
        const memory = stack.fillable?.();
        if (memory === undefined) return backend.upload(type, joined(type, copyRow));
        fillRows(memory as Uint8Array<ArrayBuffer>, type, copyRow);
        return stack;
      }),
    outputsOf: computed =>
      rolled.results.map(({ result, row }, i) =>
        row === undefined ? computed[result]! : bufferRow(computed[result]!, rowTypes[i]!, row),
      ),
  };
}
const rowTypesOf = ({ body }: Func): readonly TensorType[] => body.results.map(tensorTypeOf);

type CopyRow = (into: Uint8Array<ArrayBuffer>, row: number) => void;
function fillRows(memory: Uint8Array<ArrayBuffer>, { shape }: TensorType, copyRow: CopyRow): void {
  const rows = shape[0]!;
  const bytes = memory.byteLength / rows;
  for (let row = 0; row < rows; row++) copyRow(memory.subarray(row * bytes, (row + 1) * bytes), row);
}
function joined(type: TensorType, copyRow: CopyRow): Uint8Array<ArrayBuffer> {
  const memory = new Uint8Array(byteSize(type));
  fillRows(memory, type, copyRow);
  return memory;
}
