// One call of a module's forward. The outermost call keeps its results readable after the step, and gives the recorded ops its
// line; calls within it are checked for modules that are not registered.
import { tensorsIn, withinCall } from '../tensor/index.ts';
import type { Hooks } from './hooks.ts';
import { warnOfNothing } from './returned-nothing.ts';
import { checkRegistered, type InspectedModule } from './unregistered.ts';

/** The modules whose forward runs, the outermost first. */
const running: InspectedModule[] = [];

export function runForward(
  module: InspectedModule,
  forward: (...args: never[]) => unknown,
  args: never[],
  hooks: Hooks | undefined,
): unknown {
  const body = (): unknown => {
    const result: unknown =
      hooks === undefined
        ? forward.apply(module, args)
        : hooks.run(module, args, given => forward.apply(module, given as never[]));
    if (result === undefined) warnOfNothing(module);
    return result;
  };
  const outermost = running[0];
  if (outermost !== undefined) checkRegistered(module, running.at(-1)!, outermost);
  running.push(module);
  try {
    if (outermost !== undefined) return body();
    const inputs = tensorsIn(args);
    inputs[0]?.device.beginForward(module);
    inputs.forEach((input, i) => {
      input.label ??= `input ${i} of ${module.constructor.name}.forward`;
    });
    const result = withinCall(body);
    for (const output of tensorsIn(result)) {
      if (output.value !== undefined && output.buffer === undefined) output.device.trace.forwarded(output);
    }
    return result;
  } finally {
    running.pop();
  }
}
