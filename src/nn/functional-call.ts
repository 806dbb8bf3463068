// A module as a function of its parameters, for the function transformations in `func`.
import { TrenioError } from '../base/errors.ts';
import { Tensor, wrongArgument } from '../tensor/index.ts';
import type { Module } from './module/module.ts';

/** Tensors by the dotted names of parameters and buffers. */
export type NamedTensors = { readonly [name: string]: Tensor } | ReadonlyMap<string, Tensor>;

type Fields = { [name: string]: unknown };

/**
 * The result of `module.forward(...args)`, computed with these tensors in place of the parameters and buffers of the same names.
 * The module itself does not change.
 *
 *     const params = Object.fromEntries(model.namedParameters());
 *     const loss = (p: NamedTensors, x: Tensor) => func.functionalCall(model, p, [x]).square().mean();
 *     const perSample = func.vmap(func.grad(loss), { inDims: [null, 0] })(params, xs);
 * @throws {STATE_KEYS} for names that the module does not have
 * @throws {WRONG_ARGUMENT} if one of them is not a tensor
 * @example
 * const layer = new nn.Linear(2, 1, { bias: false });
 * func.functionalCall(layer, { weight: tensor([[1, 1]]) }, tensor([[3, 4]])) // [[7]]
 */
export function functionalCall<A extends readonly never[] | readonly unknown[], R>(
  module: Module & { forward(...args: A): R },
  tensors: NamedTensors | readonly NamedTensors[],
  args: A | A[number],
): R {
  const given = (Array.isArray(tensors) ? tensors : [tensors]) as readonly NamedTensors[];
  const named = given.flatMap(list => (list instanceof Map ? [...list] : Object.entries(list))) as [string, Tensor][];
  const known = new Set([...module.namedParameters(), ...module.namedBuffers()].map(([name]) => name));
  const unexpected = named.map(([name]) => name).filter(name => !known.has(name));
  if (unexpected.length > 0)
    throw new TrenioError('STATE_KEYS', { what: module.constructor.name, missing: [], unexpected });
  const modules = new Map(module.namedModules());
  const replaced: [Fields, string, unknown][] = [];
  try {
    for (const [name, tensor] of named) {
      if (!(tensor instanceof Tensor))
        throw wrongArgument({ call: 'functionalCall', argument: name }, tensor, 'a tensor');
      const dot = name.lastIndexOf('.');
      const owner = modules.get(dot < 0 ? '' : name.slice(0, dot)) as unknown as Fields;
      const field = name.slice(dot + 1);
      const before = owner[field];
      // A parameter that several modules share is replaced in all of them.
      for (const each of modules.values()) {
        const fields = each as unknown as Fields;
        for (const key of Object.keys(fields))
          if (fields[key] === before) {
            replaced.push([fields, key, before]);
            fields[key] = tensor;
          }
      }
    }
    return module.forward(...((Array.isArray(args) ? args : [args]) as unknown as A));
  } finally {
    for (const [fields, key, before] of replaced.reverse()) fields[key] = before;
  }
}
