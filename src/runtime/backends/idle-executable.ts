// A program that is never run: it accepts inputs like a real one and returns zeros of the right types, so that a script
// that reads its loss continues. Shared by the trial runs (`trenio compile`, `trenio plan`).
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim } from '../../hlo/types.ts';
import { checkedInputs, type Signature } from '../execution/arguments.ts';
import { HostBuffer } from '../execution/buffer.ts';
import type { DeviceBuffer, Executable } from '../execution/executable.ts';

/** `onRun` is called before each execution. */
export function idleExecutable(module: Module, onRun: () => void): Executable {
  const { body, aliases } = mainOf(module);
  const outputTypes = body.results.map(tensorTypeOf);
  const donated = outputTypes.map((_, i) => (aliases.includes(i) ? aliases.indexOf(i) : undefined));
  const signature: Signature = { name: module.name, inputTypes: body.args.map(tensorTypeOf), outputTypes, donated };
  const run = (inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] => {
    const buffers = checkedInputs(signature, inputs);
    onRun();
    return outputTypes.map((type, i) => {
      const input = buffers[donated[i] ?? -1];
      // Sizes unknown before a program runs are 1 here.
      const sized = { ...type, shape: type.shape.map(size => (size === dynamicDim ? 1 : size)) };
      if (input === undefined) return HostBuffer.idle(sized);
      const { isUntouched } = input;
      const block = input.consume(module.name);
      return isUntouched ? HostBuffer.idle(type) : new HostBuffer(type, block);
    });
  };
  return { ...signature, run };
}
