// Finds the training state among a program's inputs: an input whose memory a result takes over is state. State that the loss
// depends on is a weight; the rest belongs to the optimizer (or is a counter). The gradient of a weight is found by walking up
// from its new value through the optimizer's arithmetic, which has the weight's shape, to the first value that is not computed
// from state.
//
//   weight, m, v (donated) ──┐
//   loss ◀── forward         ├─▶ optimizer: elementwise, in the weight's shape ─▶ new weight, m, v
//   gradient (boundary) ─────┘
import { opTable } from '../../hlo/op-table.ts';
import { bytesOfType, countOf } from '../../hlo/ops/costs.ts';
import { type Func, type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize, dynamicDim, type ElementType, elementBytes, isFloat, isInteger } from '../../hlo/types.ts';
import { reachableOps } from '../../hlo/walk.ts';

export type ProgramPhase = 'forward' | 'backward' | 'optimizer';

export interface TrainingState {
  readonly weights: readonly Value[];
  /** State other than weights. */
  readonly others: readonly Value[];
  /** Inputs other than state: a batch, or frozen weights. */
  readonly inputs: readonly Value[];
  /** Bytes of gradient per weight. */
  readonly gradientBytes: number;
  readonly hasGradients: boolean;
  /** The loss was found, so the forward pass is known. */
  readonly hasLoss: boolean;
  phaseOf(op: Op): ProgramPhase;
}

export function trainingStateOf(func: Func): TrainingState {
  const { args, results } = func.body;
  const newValueOf = new Map<Value, Value>();
  args.forEach((arg, i) => {
    const alias = func.aliases[i];
    if (alias !== undefined && results[alias] !== undefined) newValueOf.set(arg, results[alias]);
  });
  const donated = args.filter(arg => newValueOf.has(arg) && isFloatTensor(arg));
  const counters = args.filter(arg => newValueOf.has(arg) && !isFloatTensor(arg));
  const inputs = args.filter(arg => !newValueOf.has(arg));
  const loss = donated.length === 0 ? undefined : lossOf(func, new Set(newValueOf.values()));
  const forward = new Set(loss === undefined ? [] : reachableOps([loss]));
  const reads = new Set([...forward].flatMap(op => op.operands));
  const read = donated.filter(arg => loss === undefined || reads.has(arg));
  const optimizer = new Set<Op>();
  const gradients = new Map<Value, ElementType>();
  const state = new Set(donated);
  for (const arg of donated) {
    const gradient = walkOptimizer(newValueOf.get(arg)!, state, forward, optimizer);
    if (gradient !== undefined) gradients.set(arg, gradient);
  }
  const weights = read.filter(arg => gradients.has(arg));
  const isWeight = new Set(weights);
  const gradientBytes = weights.reduce((sum, arg) => {
    return sum + bytesOfType({ ...tensorTypeOf(arg), elementType: gradients.get(arg)! });
  }, 0);
  const hasGradients = weights.length > 0;
  return {
    weights,
    others: [...donated.filter(arg => !isWeight.has(arg)), ...counters],
    inputs,
    gradientBytes,
    hasGradients,
    hasLoss: loss !== undefined,
    phaseOf: op => {
      if (!hasGradients || forward.has(op)) return 'forward';
      if (optimizer.has(op)) return 'optimizer';
      return loss === undefined ? 'forward' : 'backward';
    },
  };
}

const isFloatTensor = ({ type }: Value): boolean => type.kind === 'tensor' && isFloat(type.elementType);

/** The scalar float result with the fewest ops, among those that depend on multiplies. */
function lossOf(func: Func, state: ReadonlySet<Value>): Value | undefined {
  const candidates = func.body.results
    .filter(v => !state.has(v) && isFloatTensor(v) && v.op !== undefined)
    .map(value => ({ value, ops: reachableOps([value]) }))
    .filter(({ ops }) => ops.some(op => opTable[op.name].kind === 'contraction' || op.name === 'while'));
  const scalars = candidates.filter(({ value }) => countOf(value.type) === 1);
  return [...(scalars.length > 0 ? scalars : candidates)].sort((a, b) => a.ops.length - b.ops.length)[0]?.value;
}

/**
 * Adds the ops by which a new value of state is computed from the old one and a gradient, and returns the gradient's type.
 * Undefined if its only inputs are state and scalars.
 */
function walkOptimizer(
  updated: Value,
  state: ReadonlySet<Value>,
  forward: ReadonlySet<Op>,
  optimizer: Set<Op>,
): ElementType | undefined {
  const elements = countOf(updated.type);
  const isInside = (v: Value): boolean => {
    if (v.op === undefined || state.has(v) || forward.has(v.op) || countOf(v.type) !== elements) return false;
    return opTable[v.op.name].kind === 'elementwise' || v.op.name === 'reshape';
  };
  const inside = new Set<Value>(isInside(updated) ? [updated] : []);
  for (const v of inside) for (const operand of v.op!.operands) if (isInside(operand)) inside.add(operand);
  const ofState = new Set<Value>(state);
  // Ids grow in program order, so operands come first.
  for (const v of [...inside].sort((x, y) => x.id - y.id))
    if (v.op!.operands.some(operand => ofState.has(operand))) ofState.add(v);
  if (!ofState.has(updated)) return undefined;
  let gradient: ElementType | undefined;
  for (const v of inside) {
    if (!ofState.has(v)) continue;
    optimizer.add(v.op!);
    for (const operand of v.op!.operands)
      if (!ofState.has(operand) && isFloatTensor(operand) && countOf(operand.type) === elements && isArray(operand))
        gradient ??= narrowestOf(operand);
  }
  return gradient;
}

/** Not a constant broadcast to all elements, such as a learning rate. */
function isArray(value: Value): boolean {
  const { op } = value;
  if (op === undefined) return true;
  if (op.name === 'broadcast_in_dim') return countOf(op.operands[0].type) > 1 && isArray(op.operands[0]);
  if (opTable[op.name].kind === 'elementwise') return op.operands.some(isArray);
  return opTable[op.name].kind !== 'source';
}

/** The narrowest float type between the sum of a gradient and its use: the type that would be all-reduced. */
function narrowestOf(value: Value): ElementType {
  let { elementType } = tensorTypeOf(value);
  for (let v: Value | undefined = value; v !== undefined; ) {
    const type = tensorTypeOf(v).elementType;
    if (isFloat(type) && elementBytes(type) < elementBytes(elementType)) elementType = type;
    const { op }: Value = v;
    if (op === undefined || (opTable[op.name].kind !== 'elementwise' && opTable[op.name].kind !== 'view')) break;
    const arrays: Value[] = [...new Set(op.operands.filter(isArray))];
    v = arrays.length === 1 && countOf(arrays[0]!.type) === countOf(value.type) ? arrays[0] : undefined;
  }
  return elementType;
}

/** Samples and tokens of a step, guessed from the shapes of its batch. */
export interface BatchGuess {
  readonly samples: number;
  readonly tokens: number | undefined;
}

/**
 * Takes the samples from the first dim of an integer input (labels, tokens), or else of the largest input; there are tokens if an
 * integer input has a second dim.
 */
export function batchOf(inputs: readonly Value[]): BatchGuess | undefined {
  const shapes = inputs.flatMap(({ type }) =>
    type.kind === 'tensor' && type.shape.length > 0 && !type.shape.includes(dynamicDim) ? [type] : [],
  );
  const integers = shapes.filter(({ elementType }) => isInteger(elementType) && elementType !== 'ui64');
  const largest = [...(integers.length > 0 ? integers : shapes)].sort((a, b) => byteSize(b) - byteSize(a))[0];
  const samples = largest?.shape[0];
  if (samples === undefined) return undefined;
  const ids = shapes.find(t => t.shape.length === 2 && t.shape[0] === samples && !isFloat(t.elementType));
  return { samples, tokens: ids === undefined ? undefined : samples * ids.shape[1]! };
}
