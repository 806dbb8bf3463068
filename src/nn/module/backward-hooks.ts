// Functions that run while gradients flow through a module. The module's tensor arguments and its results pass through an
// identity function, whose gradient runs the hooks:
//
//   forward    x ──▶ entry ──▶ forward ──▶ exit ──▶ y
//   backward   dx ◀── hooks ◀── …        ◀── pre-hooks ◀── dy
import type { FunctionContext } from '../../tensor/autograd/index.ts';
import { autograd, mapTensors, Tensor, tensorsIn, wrongArgument } from '../../tensor/index.ts';

/** A gradient; undefined if none flows. */
export type MaybeGradient = Tensor | undefined;
type Gradients = readonly MaybeGradient[];
/**
 * Runs when the gradients of a module's arguments are known: one for each argument of its forward, undefined for those that
 * need none. Its result, unless undefined, replaces them.
 */
export type BackwardHook<M> = (module: M, gradInput: Gradients, gradOutput: Gradients) => unknown;
/** Runs when the gradients of a module's results are known. Its result, unless undefined, replaces them. */
export type BackwardPreHook<M> = (module: M, gradOutput: Gradients) => unknown;

type Pass = (gradients: Gradients) => Gradients;
/** The identity, whose gradient is the result of a function. */
class Tap extends autograd.Function {
  static override forward(ctx: FunctionContext & { pass?: Pass }, pass: Pass, ...tensors: Tensor[]): Tensor[] {
    ctx.pass = pass;
    ctx.setMaterializeGrads(false);
    return tensors;
  }
  static override backward(ctx: FunctionContext & { pass?: Pass }, ...gradients: MaybeGradient[]): MaybeGradient[] {
    return [undefined, ...ctx.pass!(gradients)];
  }
}

const needsGradient = (x: unknown): x is Tensor => x instanceof Tensor && x.requiresGrad;

/** The gradients that a hook returned instead. @throws {WRONG_ARGUMENT} if it does not match them */
function replaced(call: string, given: Gradients, returned: unknown): Gradients {
  if (returned === undefined) return given;
  const list = returned instanceof Tensor ? [returned] : returned;
  if (!Array.isArray(list) || list.length !== given.length || list.some(g => g !== undefined && !(g instanceof Tensor)))
    throw wrongArgument(
      { call, argument: 'the result of the hook' },
      returned,
      `a list of gradients, as many as the hook is given: ${given.length}`,
    );
  return list as Gradients;
}

/** Runs a forward between the two identity functions. */
export function runWithBackwardHooks(
  module: object,
  preHooks: readonly BackwardPreHook<never>[],
  hooks: readonly BackwardHook<never>[],
  args: readonly unknown[],
  forward: (args: readonly unknown[]) => unknown,
): unknown {
  let gradOutput: Gradients = [];
  const runHooks = (given: Gradients): Gradients => {
    let gradInput = given;
    for (const hook of hooks)
      gradInput = replaced('registerFullBackwardHook', gradInput, hook(module as never, gradInput, gradOutput));
    return gradInput;
  };
  const entering = args.flatMap((arg, i) => (needsGradient(arg) ? [i] : []));
  const given = [...args];
  if (hooks.length > 0 && entering.length > 0) {
    const enter: Pass = gradients => {
      const all: MaybeGradient[] = args.map(() => undefined);
      entering.forEach((at, i) => {
        all[at] = gradients[i];
      });
      const result = runHooks(all);
      return entering.map(at => result[at]);
    };
    const tapped = Tap.apply(enter, ...entering.map(i => args[i] as Tensor));
    entering.forEach((at, i) => {
      given[at] = tapped[i];
    });
  }
  const output = forward(given);
  const leaving = tensorsIn(output);
  const tappedOutputs = leaving.filter(needsGradient);
  if (tappedOutputs.length === 0) return output;
  const exit: Pass = gradients => {
    gradOutput = leaving.map(y => {
      const at = tappedOutputs.indexOf(y);
      return at < 0 ? undefined : gradients[at];
    });
    for (const hook of preHooks)
      gradOutput = replaced('registerFullBackwardPreHook', gradOutput, hook(module as never, gradOutput));
    // No argument needs a gradient: this is the last point at which the module's hooks can run.
    if (entering.length === 0) runHooks(args.map(() => undefined));
    return tappedOutputs.map(y => gradOutput[leaving.indexOf(y)]);
  };
  const tapped = Tap.apply(exit, ...tappedOutputs);
  return mapTensors(output, y => {
    const at = tappedOutputs.indexOf(y);
    return at < 0 ? y : tapped[at]!;
  });
}
