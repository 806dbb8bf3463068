// A model's recorded program as a TensorFlow graph, for TensorBoard: a node for each op, in a box for each module that
// recorded it.
import type { Op, Value } from '../hlo/program.ts';
import { shapeOf } from '../hlo/program.ts';
import { formatType } from '../hlo/types.ts';
import type { Module } from '../nn/module/module.ts';
import { restoreState } from '../tensor/compile.ts';
import { noGrad } from '../tensor/gradients/grad-mode.ts';
import { programOf } from '../tensor/step/program.ts';
import type { Trace } from '../tensor/step/trace.ts';
import { mapTensors, tensorsIn } from '../tensor/structure.ts';
import { Tensor } from '../tensor/tensor.ts';
import { share } from '../tensor/tensor-impl.ts';
import { Message, shapeMessage } from './messages.ts';

/**
 * The `GraphDef` of the computation of `model` for these arguments. It is recorded but not run; the model's state is unchanged.
 */
export function graphOf(model: Module, args: readonly unknown[]): Uint8Array {
  const inputs = tensorsIn(args);
  const device = (inputs[0] ?? model.parameters()[0]!).device;
  return device.withTrace(trace => {
    const names = new Map<object, string>();
    for (const [name, tensor] of [...model.namedParameters(), ...model.namedBuffers()]) names.set(tensor, name);
    const placeholders = inputs.map((input, i) => {
      const buffer = device.read(input);
      share(buffer);
      const placeholder = new Tensor({ device, type: input.type, op: 'input', buffer });
      names.set(placeholder, `input/${i}`);
      return placeholder;
    });
    try {
      let next = 0;
      const given = mapTensors(args, () => placeholders[next++]!) as readonly unknown[];
      const { returned, modules } = recordModules(trace, model, () => noGrad(() => callOf(model)(...given)));
      const results = tensorsIn(returned).flatMap(tensor => tensor.value ?? []);
      return encodeGraph(trace, results, modules, names);
    } finally {
      restoreState(trace);
    }
  });
}
const callOf = (model: Module): ((...args: readonly unknown[]) => unknown) =>
  model as unknown as (...args: readonly unknown[]) => unknown;

/** The result of `record`, and the path of the module that recorded each op. */
function recordModules<T>(
  trace: Trace,
  model: Module,
  record: () => T,
): { readonly returned: T; readonly modules: ReadonlyMap<Op, string> } {
  const modules = new Map<Op, string>();
  const path: string[] = [];
  const hooks = [...model.namedModules()].flatMap(([name, module]) => [
    module.registerForwardPreHook(() => {
      path.push(name === '' ? module.constructor.name : name.replaceAll('.', '/'));
    }),
    module.registerForwardHook(() => {
      path.pop();
    }),
  ]);
  const { onEmit } = trace.builder;
  trace.builder.onEmit = op => {
    onEmit?.(op);
    modules.set(op, path.at(-1) ?? '');
  };
  try {
    return { returned: record(), modules };
  } finally {
    trace.builder.onEmit = onEmit;
    for (const hook of hooks) hook.remove();
  }
}

function encodeGraph(
  trace: Trace,
  results: readonly Value[],
  modules: ReadonlyMap<Op, string>,
  names: ReadonlyMap<object, string>,
): Uint8Array {
  const { func, sources } = programOf('graph', trace, [...new Set(results)]);
  const graph = new Message();
  const nameOf = new Map<Value, string>();
  const taken = new Map<string, number>();
  const unique = (name: string): string => {
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    return count === 0 ? name : `${name}_${count}`;
  };
  func.body.args.forEach((argument, i) => {
    const { impl } = sources[i]!;
    const known = impl && names.get(impl);
    const name = unique(known?.replaceAll('.', '/') ?? `constants/${i}`);
    nameOf.set(argument, name);
    graph.message(1, node(name, known?.startsWith('input/') ? 'Input' : 'Parameter', [], argument));
  });
  for (const op of func.body.ops) {
    const module = modules.get(op) ?? '';
    const name = unique(module === '' ? op.name : `${module}/${op.name}`);
    op.results.forEach((result, i) => {
      nameOf.set(result, i === 0 ? name : `${name}:${i}`);
    });
    graph.message(
      1,
      node(
        name,
        op.name,
        op.operands.map(operand => nameOf.get(operand) ?? ''),
        op.results[0],
      ),
    );
  }
  func.body.results.forEach((result, i) => {
    graph.message(1, node(unique(`output/${i}`), 'Output', [nameOf.get(result)!], result));
  });
  return graph.message(4, new Message().int(1, graphVersion)).finish();
}
/** `VersionDef.producer`: the version of graphs written by PyTorch. */
const graphVersion = 22;

/** `NodeDef`, with the type of its first result as text and as a shape. */
function node(name: string, op: string, inputs: readonly string[], result: Value | undefined): Message {
  const message = new Message().string(1, name).string(2, op);
  for (const input of inputs) if (input !== '') message.string(3, input);
  const attribute = (key: string, value: Message): Message => new Message().string(1, key).message(2, value);
  if (result?.type.kind !== 'tensor') return message;
  const shapes = new Message().message(7, shapeMessage(shapeOf(result)));
  return message
    .message(5, attribute('_output_shapes', new Message().message(1, shapes)))
    .message(5, attribute('type', new Message().bytes(2, new TextEncoder().encode(formatType(result.type)))));
}
