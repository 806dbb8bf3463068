// One call of a module's forward. The outermost call keeps its results readable after the step; calls within it are checked for
// modules that are not registered. Recorded ops get the name of the layer, and the user's line that called it.
import { tensorsIn, withinLayer } from '../../tensor/index.ts';
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
  const caller = running.at(-1);
  const searched = hooks === undefined ? module : undefined;
  if (outermost !== undefined) checkRegistered(module, caller!, outermost);
  running.push(module);
  try {
    if (outermost !== undefined) return withinLayer(nameIn(outermost, module), caller!.constructor, searched, body);
    const inputs = tensorsIn(args);
    inputs[0]?.device.beginForward(module);
    inputs.forEach((input, i) => {
      input.label ??= `input ${i} of ${module.constructor.name}.forward`;
    });
    const result = withinLayer('', undefined, searched, body);
    for (const output of tensorsIn(result)) {
      if (output.value !== undefined && output.buffer === undefined) output.device.trace.forwarded(output);
    }
    return result;
  } finally {
    running.pop();
  }
}

const names = new WeakMap<InspectedModule, Map<InspectedModule, string>>();
/** The dotted name of a module; '' if the tree does not have it. */
function nameIn(root: InspectedModule, module: InspectedModule): string {
  const known = names.get(root)?.get(module);
  if (known !== undefined) return known;
  const found = new Map(Array.from(root.namedModules(), ([name, one]) => [one, name] as const));
  names.set(root, found);
  if (!found.has(module)) found.set(module, '');
  return found.get(module)!;
}
