// Members that are added to a module by name, if a field is not possible: parameters, buffers and modules.
import { Tensor, wrongArgument } from '../../tensor/index.ts';
import { isModuleNode, type TreeNode } from './module-tree.ts';
import { Parameter, StateBuffer } from './parameter.ts';

/** A name of a member of a module: dots separate names. @throws {WRONG_ARGUMENT} */
export function checkMemberName(call: string, name: unknown): void {
  if (typeof name === 'string' && name !== '' && !name.includes('.')) return;
  throw wrongArgument({ call, argument: 'the name' }, name, 'a name without dots');
}

/** @throws {WRONG_ARGUMENT} */
export function checkParameter(parameter: unknown): void {
  if (parameter !== undefined && (!(parameter instanceof Parameter) || parameter instanceof StateBuffer))
    throw wrongArgument(
      { call: 'registerParameter', argument: 'the parameter' },
      parameter,
      'a Parameter',
      'give new Parameter(tensor)',
    );
}

/** @throws {WRONG_ARGUMENT} */
export function checkBuffer(value: unknown): void {
  if (value !== undefined && !(value instanceof Tensor))
    throw wrongArgument({ call: 'registerBuffer', argument: 'the buffer' }, value, 'a tensor');
}

/** @throws {WRONG_ARGUMENT} */
export function checkModule(module: unknown): void {
  if (module !== undefined && !isModuleNode(module))
    throw wrongArgument(
      { call: 'addModule', argument: 'the module' },
      module,
      'a module',
      'give a module such as new Linear(8, 2)',
    );
}

/** Sets the field `name` of a module. @throws {WRONG_ARGUMENT} for a name in use by something else */
export function setMember(
  module: TreeNode,
  call: string,
  name: string,
  value: Parameter | TreeNode | null | undefined,
): void {
  checkMemberName(call, name);
  const present = (module as unknown as Record<string, unknown>)[name];
  if (present !== undefined && !(present instanceof Parameter) && !isModuleNode(present))
    throw wrongArgument(
      { call, argument: 'the name' },
      name,
      'a name that is not in use',
      `choose another name: ${module.constructor.name} has a member '${name}'`,
    );
  Object.defineProperty(module, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The arguments of `setSubmodule`. @throws {WRONG_ARGUMENT} */
export function checkSubmodule(path: unknown, module: unknown): void {
  if (!isModuleNode(module) || typeof path !== 'string' || path === '')
    throw wrongArgument(
      { call: 'setSubmodule', argument: isModuleNode(module) ? 'the name' : 'the module' },
      isModuleNode(module) ? path : module,
      isModuleNode(module) ? 'a name such as encoder.0' : 'a module',
    );
}
