// Converts optimizer state between PyTorch's format and ours: parameters have the same numbers, and tensors the same names.
import { TrenioError } from '../../base/errors.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { literalOf } from '../../nn/module/module-state.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import { isLiteral } from '../../tensor/index.ts';
import type { TorchValue } from './torch-file.ts';

/** Settings that exist only in PyTorch or only here; most affect only how a step is computed. */
const onlyTorch = new Set(['foreach', 'capturable', 'differentiable', 'fused', 'decoupled_weight_decay']);
const onlyOurs = new Set(['masterWeights', 'stateType']);
const invalid = (problem: string): TrenioError =>
  new TrenioError('TORCH_FILE_INVALID', { file: 'the state of the optimizer', problem });
const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/**
 * Converts PyTorch's `optimizer.state_dict()` to the state for `optimizer.loadStateDict` of the same optimizer.
 * @throws {TORCH_FILE_INVALID} for other values
 * @example
 * ```ts no-run
 * const optimizer = new AdamW(new nn.Linear(4, 3).parameters(), { lr: 1e-3 });
 * optimizer.loadStateDict(optimizerStateFromTorch(await loadTorchFile('optimizer.pt')));
 * ```
 */
export function optimizerStateFromTorch(value: TorchValue): OptimizerState<Literal> {
  const state = fieldOf(value, 'state');
  const groups = fieldOf(value, 'param_groups');
  if (!(state instanceof Map) || !Array.isArray(groups))
    throw invalid("'state' is not a dictionary, or 'param_groups' is not a list");
  // torch.distributed.checkpoint has the names of parameters instead of numbers.
  const numbers = new Map<string, number>();
  const converted = (groups as readonly TorchValue[]).map(group => {
    const params = fieldOf(group, 'params');
    if (!Array.isArray(params)) throw invalid("a group has no list 'params'");
    for (const id of params as readonly TorchValue[]) {
      if ((typeof id !== 'number' && typeof id !== 'string') || numbers.has(`${id}`))
        throw invalid('the parameters of its groups are not distinct numbers or names');
      numbers.set(`${id}`, numbers.size);
    }
    const settings = [...(group as ReadonlyMap<string | number, TorchValue>)]
      .filter(([name, setting]) => name !== 'params' && !onlyTorch.has(String(name)) && setting !== null)
      .map(([name, setting]): [string, unknown] => [camelCase(String(name)), plain(String(name), setting)]);
    return { ...Object.fromEntries(settings), params: params.length };
  });
  const tensors = new Map<string, Literal>();
  for (const [id, values] of state as ReadonlyMap<string | number, TorchValue>) {
    const number = numbers.get(`${id}`);
    if (number === undefined || !(values instanceof Map))
      throw invalid(`the state has the parameter ${id}, which is not in any group`);
    // SGD does not count its steps, but has taken at least one.
    if (!values.has('step')) tensors.set(`${number}.step`, literal('i32', [], [1]));
    for (const [name, tensor] of values as ReadonlyMap<string, TorchValue>) {
      if (tensor === null) continue;
      if (name === 'step') tensors.set(`${number}.step`, literal('i32', [], [plain(name, tensor) as number]));
      else if (isLiteral(tensor)) tensors.set(`${number}.${name}`, tensor);
      else throw invalid(`'${name}' of the parameter ${id} is not a tensor`);
    }
  }
  return { tensors, groups: converted };
}

/**
 * Converts optimizer state to the argument of PyTorch's `optimizer.load_state_dict`.
 * @example
 * ```ts no-run
 * const optimizer = new AdamW(new nn.Linear(4, 3).parameters(), { lr: 1e-3 });
 * await saveTorchFile('optimizer.pt', torchOptimizerState(optimizer.stateDict()));
 * ```
 */
export function torchOptimizerState({ tensors, groups }: OptimizerState): TorchValue {
  const state = new Map<number, Map<string, TorchValue>>();
  for (const [name, tensor] of tensors) {
    const [, number, rest] = /^(\d+)\.(.+)$/.exec(name) ?? [];
    if (number === undefined) continue;
    const of = state.get(Number(number)) ?? new Map<string, TorchValue>();
    state.set(Number(number), of);
    of.set(rest!, rest === 'step' ? literal('f32', [], [Number(tensor.data[0])]) : literalOf(tensor));
  }
  let first = 0;
  const converted = groups.map(({ params, ...settings }) => {
    const ids = Array.from({ length: Number(params) }, () => first++);
    const entries = Object.entries(settings).filter(([name, setting]) => isPlain(setting) && !onlyOurs.has(name));
    return new Map<string, TorchValue>([
      ...entries.map(([name, setting]): [string, TorchValue] => [snakeCase(name), setting as TorchValue]),
      ['params', ids],
    ]);
  });
  return new Map<string, TorchValue>([
    ['state', state],
    ['param_groups', converted],
  ]);
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  ['boolean', 'number', 'string'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlain));

function fieldOf(value: TorchValue, name: string): TorchValue {
  const found = value instanceof Map ? (value as ReadonlyMap<string | number, TorchValue>).get(name) : undefined;
  if (found === undefined) throw invalid(`it has no '${name}': is it what optimizer.state_dict() returns?`);
  return found;
}

/** Numbers may be zero-dimensional tensors. */
function plain(name: string, value: TorchValue): unknown {
  if (!isLiteral(value)) return Array.isArray(value) ? value.map(child => plain(name, child as TorchValue)) : value;
  if (value.type.shape.length > 0) throw invalid(`the setting '${name}' is a tensor with dimensions`);
  return Number(value.data[0]);
}
