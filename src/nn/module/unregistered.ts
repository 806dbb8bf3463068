// Finds modules that are used but not registered: those in `#private` fields, arrays, maps and closures. `parameters()` and
// `stateDict()` do not include their parameters, so training would silently leave them unchanged. As in PyTorch they are not
// registered (an array is the usual way to keep a frozen module out of the tree), but a warning is printed.

import { warnOnce } from '../../base/warn-once.ts';
import { isGradEnabled, userLocation } from '../../tensor/index.ts';

/** The part of a module that is inspected here. */
export interface InspectedModule {
  modules(): Iterable<InspectedModule>;
  namedModules(): Iterable<readonly [string, InspectedModule]>;
  parameters(): readonly { readonly requiresGrad: boolean }[];
}

/** Modules that are part of a tree, or that have caused a warning. */
const known = new WeakSet<InspectedModule>();
/** Modules whose tree has been searched for arrays of modules. */
const searched = new WeakSet<InspectedModule>();

const trains = (module: InspectedModule): boolean => module.parameters().some(parameter => parameter.requiresGrad);
const consequence = 'optimizers do not train its parameters, and stateDict() does not save them';

/**
 * Called for a forward within another; `root` is the outermost running module, `caller` the module whose forward makes the call.
 */
export function checkRegistered(module: InspectedModule, caller: InspectedModule, root: InspectedModule): void {
  if (known.has(module)) return;
  for (const one of root.modules()) known.add(one);
  if (known.has(module) || !isGradEnabled()) return;
  known.add(module);
  if (!trains(module)) return;
  const [layer, owner] = [module.constructor.name, caller.constructor.name];
  warnOnce(
    `unregistered ${owner} ${layer}`,
    `the ${layer} that ${owner} calls is not registered in ${root.constructor.name}: ${consequence}. ` +
      'Keep it in a public field, or several of them in a ModuleList or ModuleDict; modules in #private fields, arrays and maps are not found',
    userLocation(),
  );
}

/** Warns about arrays and maps of modules in the fields of a tree, once per tree. */
export function checkArrays(root: InspectedModule, isModule: (x: unknown) => x is InspectedModule): void {
  if (searched.has(root)) return;
  searched.add(root);
  const tree = new Set(root.modules());
  for (const owner of tree) {
    for (const [field, value] of Object.entries(owner)) {
      const kind = Array.isArray(value) ? 'an array' : value instanceof Map ? 'a Map' : undefined;
      if (kind === undefined) continue;
      const entries: readonly unknown[] = Array.isArray(value) ? value : [...(value as Map<unknown, unknown>).values()];
      const hidden = entries.filter(isModule).filter(entry => !tree.has(entry));
      for (const module of hidden) known.add(module);
      if (!hidden.some(trains)) continue;
      const instead = kind === 'an array' ? 'ModuleList' : 'ModuleDict';
      warnOnce(
        `array ${owner.constructor.name} ${field}`,
        `${owner.constructor.name}.${field} is ${kind} of modules and is not registered: ${consequence}. Use a ${instead} instead`,
        userLocation(),
      );
    }
  }
}
