// A recorded program in the form in which it is compiled: with one argument for many that are concatenated
// (transforms/join-arguments.ts), and its repeated code as loops (transforms/roll-loops.ts). Before each run, arguments that are
// concatenated, or read by the iterations of a loop, are copied into one buffer; of its stacked results, each tensor gets a row.
import { bytesOf } from '../../hlo/literal.ts';
import { type Func, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { bufferRow } from '../../runtime/backends/buffer-row.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { type JoinedArguments, joinArguments } from '../../transforms/join-arguments.ts';
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

/**
 * With joined arguments and loops, if it has repeated code. Weights and state are not elements of lists: they stay where they
 * are.
 */
export function rolledForm(recorded: TracedProgram, backend: Backend): ProgramForm {
  const mayStackIn =
    ({ func: { aliases }, sources }: TracedProgram) =>
    (value: Value, i: number): boolean =>
      aliases[i] === undefined &&
      sources[i]!.impl?.requiresGrad !== true &&
      sources[i]!.impl?.op !== 'Parameter' &&
      byteSize(tensorTypeOf(value)) <= maxStackedBytes;
  const joined = joinArguments(recorded.func, mayStackIn(recorded));
  const form = joined === undefined ? asRecorded(recorded) : withArguments(asRecorded(recorded), joined, backend);
  const { program } = form;
  const rolled = rollLoops(program.func, { mayStack: mayStackIn(program) });
  if (rolled === undefined) return form;
  const rowTypes = rowTypesOf(program.func);
  return {
    ...withArguments(form, rolled, backend),
    loops: rolled.loops,
    outputsOf: computed =>
      rolled.results.map(({ result, row }, i) =>
        row === undefined ? computed[result]! : bufferRow(computed[result]!, rowTypes[i]!, row),
      ),
  };
}
const rowTypesOf = ({ body }: Func): readonly TensorType[] => body.results.map(tensorTypeOf);

/** The form whose arguments are made of those of another. */
function withArguments(form: ProgramForm, { func, args }: JoinedArguments, backend: Backend): ProgramForm {
  const { program } = form;
  const types = func.body.args.map(tensorTypeOf);
  const numbersOf = args.map((arg, i) =>
    arg.kind === 'numbers' ? Buffer.concat(arg.literals.map(bytesOf), byteSize(types[i]!)) : undefined,
  );
  const numbers = (i: number): DeviceBuffer => backend.upload(types[i]!, new Uint8Array(numbersOf[i]!));
  return {
    ...form,
    program: {
      ...program,
      func,
      sources: args.map((arg, i) => {
        if (arg.kind !== 'numbers') return program.sources[arg.kind === 'one' ? arg.argument : arg.arguments[0]!]!;
        return { buffer: numbers(i), impl: undefined, host: undefined };
      }),
    },
    inputsOf: recorded => {
      const inputs = form.inputsOf(recorded);
      return args.map((arg, i) => {
        if (arg.kind === 'one') return inputs[arg.argument]!;
        if (arg.kind === 'numbers') return numbers(i);
        const parts = arg.arguments.map(k => inputs[k]!);
        const whole = backend.upload(types[i]!, { kind: 'zeros' });
        const memory = whole.fillable?.();
        if (memory === undefined) return backend.upload(types[i]!, fill(new Uint8Array(byteSize(types[i]!)), parts));
        fill(memory as Uint8Array<ArrayBuffer>, parts);
        return whole;
      });
    },
  };
}

/** Copies buffers into memory, one after another. */
function fill(memory: Uint8Array<ArrayBuffer>, parts: readonly DeviceBuffer[]): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const part of parts) {
    const bytes = byteSize(part.type);
    part.copyToHost(memory.subarray(at, at + bytes));
    at += bytes;
  }
  return memory;
}
