// L-BFGS (Liu and Nocedal, 1989) as in PyTorch: a loop on the host, controlled by losses and slopes, over vectors that stay
// on the device. Each evaluation of the closure is one step of the trace; the vector arithmetic is a few small compiled
// functions, which do not depend on the values or the length of the history.
import { invariant, TrenioError } from '../../base/errors.ts';
import { type Literal, literal, numberAt } from '../../hlo/literal.ts';
import { formatType } from '../../hlo/types.ts';
import type { Parameter } from '../../nn/index.ts';
import { literalOf } from '../../nn/module/module-state.ts';
import { cat, compile, enableGrad, noGrad, Tensor, tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { averageGradients } from '../gradients/average-gradients.ts';
import { checkChoice, checkNotNegative, checkSetting } from '../update/check-settings.ts';
import { Optimizer } from '../update/optimizer.ts';
import type { OptimizerState } from '../update/optimizer-state.ts';
import {
  defaultFormat,
  type ParameterGroup,
  type Parameters,
  type SettingsOf,
  type StateFormat,
} from '../update/parameter-group.ts';
import { recordUpdate } from '../update/record-update.ts';
import type { StepOptions } from '../update/update.ts';
import { type Point, strongWolfe } from './strong-wolfe.ts';

/** Settings of `LBFGS`. */
export interface LBFGSSettings extends StateFormat {
  /** The learning rate; 1 by default. */
  lr: number;
  /** Maximum number of iterations per step; 20 by default. */
  maxIter: number;
  /** Maximum number of evaluations per step; by default null, which is 5/4 of the iterations. */
  maxEval: number | null;
  /** A step ends if no element of the gradient is larger in magnitude; 1e-7 by default. */
  toleranceGrad: number;
  /** A step ends if neither the loss nor any parameter changes by more; 1e-9 by default. */
  toleranceChange: number;
  /** The number of gradient changes in the history; 100 by default. */
  historySize: number;
  /** The line search; null by default: a fixed step of `lr`. */
  lineSearchFn: 'strong_wolfe' | null;
}

/** State between steps: vectors with all parameters concatenated. */
interface Memory {
  evaluations: number;
  iterations: number;
  direction: Tensor | undefined;
  step: number;
  previousGradient: Tensor | undefined;
  previousLoss: number;
  /** The scale of the first approximation of the inverse Hessian. */
  scale: Tensor | undefined;
  history: { readonly change: Tensor; readonly move: Tensor; readonly inverse: Tensor }[];
}
const emptyMemory = (): Memory => ({
  evaluations: 0,
  iterations: 0,
  direction: undefined,
  step: 0,
  previousGradient: undefined,
  previousLoss: 0,
  scale: undefined,
  history: [],
});

const dot = compile((x: Tensor, y: Tensor) => x.mul(y).sum());
const largest = compile((x: Tensor) => x.abs().max());
const sumOfSizes = compile((x: Tensor) => x.abs().sum());
const negated = compile((x: Tensor) => x.neg());
const scaled = compile((x: Tensor, factor: Tensor) => x.mul(factor));
const difference = compile((x: Tensor, y: Tensor) => x.sub(y));
const moved = compile((x: Tensor, direction: Tensor, step: Tensor) => x.add(direction.mul(step)));
const inverseOf = compile((x: Tensor) => x.reciprocal());
const scaleOf = compile((change: Tensor, product: Tensor) => product.div(change.mul(change).sum()));
/** One iteration of the first loop of the two-loop recursion, and one of the second (Nocedal, 1980). */
const backwards = compile((q: Tensor, change: Tensor, move: Tensor, inverse: Tensor) => {
  const share = move.mul(q).sum().mul(inverse);
  return { share, q: q.sub(change.mul(share)) };
});
const forwards = compile((r: Tensor, change: Tensor, move: Tensor, inverse: Tensor, share: Tensor) =>
  r.add(move.mul(share.sub(change.mul(r).sum().mul(inverse)))),
);

/**
 * L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for large scale optimization", 1989), like torch.optim.LBFGS: steps
 * along −H g, where H approximates the inverse Hessian from the last changes of the gradient. For small problems and full
 * batches. One parameter group, all on one device; `step` needs a closure and waits for each of its losses, so it cannot be
 * part of a function for `compile`.
 *
 * Settings: see {@link LBFGSSettings}.
 *
 *     const optimizer = new LBFGS(model.parameters(), { lineSearchFn: 'strong_wolfe' });
 *     const loss = optimizer.step(() => {
 *       optimizer.zeroGrad();
 *       const loss = F.mseLoss(model.forward(x), y);
 *       loss.backward();
 *       return loss;
 *     });
 *
 * @throws {INVALID_OPTION} if a setting is out of range, or several groups
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([3, -2]));
 * const optimizer = new optim.LBFGS([w], { lineSearchFn: 'strong_wolfe' });
 * optimizer.step(() => {
 *   optimizer.zeroGrad();
 *   const loss = w.sub(1).square().sum();
 *   loss.backward();
 *   return loss;
 * });
 * w.allclose(ones(2), { atol: 1e-4 }) // true
 */
export class LBFGS extends Optimizer<LBFGSSettings> {
  #memory: Memory = emptyMemory();

  constructor(
    params: Parameters<LBFGSSettings>,
    ...rest: SettingsOf<
      LBFGSSettings,
      ['lr', 'maxIter', 'maxEval', 'toleranceGrad', 'toleranceChange', 'historySize', 'lineSearchFn']
    >
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1,
      maxIter: 20,
      maxEval: null,
      toleranceGrad: 1e-7,
      toleranceChange: 1e-9,
      historySize: 100,
      lineSearchFn: null,
    });
  }
  protected override checkGroup(group: ParameterGroup<LBFGSSettings>): void {
    const { lr, maxIter, maxEval, toleranceGrad, toleranceChange, historySize, lineSearchFn, params } = group;
    checkNotNegative('LBFGS', { lr, maxIter, maxEval: maxEval ?? 0, toleranceGrad, toleranceChange });
    checkSetting(
      'LBFGS',
      'historySize',
      historySize,
      Number.isSafeInteger(historySize) && historySize > 0,
      'an integer above 0',
    );
    checkChoice('LBFGS', 'lineSearchFn', lineSearchFn, [null, 'strong_wolfe']);
    checkChoice('LBFGS', 'masterWeights', group.masterWeights, [false]);
    const groups = this.paramGroups.length + 1;
    checkSetting('LBFGS', 'the number of groups', groups, groups === 1, '1');
    const devices = new Set(params.map(({ device }) => device)).size;
    checkSetting('LBFGS', 'the number of devices of the parameters', devices, devices <= 1, '1');
  }

  /**
   * Up to `maxIter` iterations. The closure clears gradients, computes the loss, calls `backward()` and returns the loss. Returns
   * the loss before the step.
   * @throws {WRONG_ARGUMENT} without a closure that returns a tensor
   * @throws {READ_WHILE_COMPILING} within `compile(fn)`
   */
  override step(closure: () => Tensor): Tensor;
  override step(options?: StepOptions): undefined;
  override step(closure?: StepOptions | (() => Tensor)): Tensor | undefined {
    if (typeof closure !== 'function')
      throw wrongArgument(
        { call: 'LBFGS.step', argument: 'the closure' },
        closure,
        'a function',
        'give a function that computes the loss and its gradients, and returns the loss',
      );
    this.hooks.run('stepPre', this);
    this.noteStep();
    const loss = noGrad(() => this.#iterate(closure));
    this.endStep();
    return loss;
  }
  /** @throws {WRONG_ARGUMENT} always: `GradScaler` does not support this optimizer */
  override recordStep(): never {
    throw wrongArgument(
      { call: 'LBFGS.step', argument: 'the closure' },
      undefined,
      'a function',
      'call optimizer.step(closure) itself, without a GradScaler',
    );
  }

  #iterate(closure: () => Tensor): Tensor {
    const group = this.paramGroups[0]!;
    const { lr, maxIter, toleranceGrad, toleranceChange, historySize, lineSearchFn } = group;
    const maxEval = group.maxEval ?? Math.floor((maxIter * 5) / 4);
    const memory = this.#memory;
    const first = this.#evaluate(closure);
    let { loss, gradient } = first;
    let evaluations = 1;
    memory.evaluations++;
    if (largest(gradient).item() <= toleranceGrad) return first.tensor;
    let x = this.#flat(parameter => parameter);
    let { direction, step } = memory;
    for (let n = 1; n <= maxIter; n++) {
      memory.iterations++;
      direction =
        memory.iterations === 1 ? negated(gradient) : this.#direction(gradient, direction!, step, historySize);
      memory.previousGradient = gradient;
      memory.previousLoss = loss;
      step = memory.iterations === 1 ? Math.min(1, 1 / sumOfSizes(gradient).item()) * lr : lr;
      const slope = dot(gradient, direction).item();
      // Not a descent direction.
      if (slope > -toleranceChange) break;
      let used = 0;
      if (lineSearchFn === 'strong_wolfe') {
        const [from, along] = [x, direction];
        const evaluate = (at: number): Point<Tensor> => {
          this.#set(moved(from, along, scalar(from, at)));
          const found = this.#evaluate(closure);
          return { step: at, loss: found.loss, gradient: found.gradient, slope: dot(found.gradient, along).item() };
        };
        const { point, evaluations: count } = strongWolfe({ step: 0, loss, slope, gradient }, step, evaluate, {
          directionSize: largest(direction).item(),
          maxEvaluations: maxEval - evaluations,
          toleranceChange,
        });
        ({ loss, gradient, step } = point);
        used = count;
        x = moved(x, direction, scalar(x, step));
        this.#set(x);
      } else {
        x = moved(x, direction, scalar(x, step));
        this.#set(x);
        if (n !== maxIter) {
          ({ loss, gradient } = this.#evaluate(closure));
          used = 1;
        }
      }
      evaluations += used;
      memory.evaluations += used;
      if (n === maxIter || evaluations >= maxEval) break;
      if (largest(gradient).item() <= toleranceGrad) break;
      if (largest(direction).item() * step <= toleranceChange) break;
      if (Math.abs(loss - memory.previousLoss) < toleranceChange) break;
    }
    memory.direction = direction;
    memory.step = step;
    return first.tensor;
  }

  /** −H g, after adding the curvature of the last step to the history. */
  #direction(gradient: Tensor, direction: Tensor, step: number, historySize: number): Tensor {
    const memory = this.#memory;
    const { history } = memory;
    const change = difference(gradient, memory.previousGradient!);
    const move = scaled(direction, scalar(direction, step));
    const product = dot(change, move);
    if (product.item() > 1e-10) {
      if (history.length === historySize) history.shift();
      history.push({ change, move, inverse: inverseOf(product) });
      memory.scale = scaleOf(change, product);
    }
    let q = negated(gradient);
    const shares: Tensor[] = [];
    for (const { change, move, inverse } of history.toReversed()) {
      const turn = backwards(q, change, move, inverse);
      shares.unshift(turn.share);
      q = turn.q;
    }
    const start = memory.scale === undefined ? q : scaled(q, memory.scale);
    return history.reduce((r, { change, move, inverse }, i) => forwards(r, change, move, inverse, shares[i]!), start);
  }

  /** The loss and the gradient at the current point, in one program. */
  #evaluate(closure: () => Tensor): { readonly tensor: Tensor; readonly loss: number; readonly gradient: Tensor } {
    const loss = enableGrad(closure);
    if (!(loss instanceof Tensor))
      throw wrongArgument(
        { call: 'LBFGS.step', argument: 'what the closure returns' },
        loss,
        'a tensor',
        'return the loss',
      );
    loss.keep();
    averageGradients(this.parameters());
    const gradient = this.#flat(parameter => parameter.grad ?? zeros(parameter.shape, { device: parameter.device }));
    for (const { trace } of new Set(this.parameters().map(({ device }) => device))) trace.isUpdated = true;
    this.parameters()[0]!.device.markStep();
    return { tensor: loss, loss: loss.item(), gradient };
  }
  /** Concatenates a value per parameter into a vector of their type, or in f32 for low-precision types. */
  #flat(of: (parameter: Parameter) => Tensor): Tensor {
    const parameters = this.parameters();
    const type = parameters.some(p => p.dtype === 'float64') ? 'f64' : 'f32';
    return cat(
      parameters.map(parameter => of(parameter).to(type).reshape(-1)),
      0,
    )
      .detach()
      .keep();
  }
  #set(flat: Tensor): void {
    const parameters = this.parameters();
    recordUpdate(parameters, () => {
      let from = 0;
      for (const parameter of parameters) {
        const count = parameter.numel();
        parameter.assign_(flat.narrow(0, from, count).reshape(parameter.shape).to(parameter.dtype));
        from += count;
      }
    });
  }

  // A single state for all parameters, under the name of the first.
  protected override stateOf(): readonly [] {
    return [];
  }
  protected override numbers(): readonly number[] {
    return [];
  }
  protected override update(): never {
    invariant(false, 'LBFGS updates all parameters together');
  }
  override get state(): Optimizer['state'] {
    const { evaluations, iterations, direction } = this.#memory;
    if (evaluations === 0) return new Map();
    const state = { step: iterations, funcEvals: evaluations, nIter: iterations };
    return new Map([[this.parameters()[0]!, direction === undefined ? state : { ...state, d: direction }]]);
  }
  override *namedState(): Generator<readonly [name: string, value: Tensor | Literal]> {
    const { evaluations, iterations, direction, step, previousGradient, previousLoss, scale, history } = this.#memory;
    if (evaluations === 0) return;
    yield ['0.step', literal('i64', [], [iterations])];
    yield ['0.func_evals', literal('i64', [], [evaluations])];
    yield ['0.t', literal('f64', [], [step])];
    yield ['0.prev_loss', literal('f64', [], [previousLoss])];
    if (direction !== undefined) yield ['0.d', direction];
    if (previousGradient !== undefined) yield ['0.prev_flat_grad', previousGradient];
    if (scale !== undefined) yield ['0.H_diag', scale];
    for (const [i, { change, move, inverse }] of history.entries()) {
      yield [`0.old_dirs.${i}`, change];
      yield [`0.old_stps.${i}`, move];
      yield [`0.ro.${i}`, inverse];
    }
  }
  protected override restore(state: OptimizerState): void {
    this.checkGroupSizes(state);
    const { tensors } = state;
    const { device } = this.parameters()[0]!;
    const count = this.parameters().reduce((n, parameter) => n + parameter.numel(), 0);
    const memory = emptyMemory();
    const number = (name: string): number => {
      const value = tensors.get(name);
      if (value === undefined) throw new TrenioError('STATE_KEYS', { what: 'LBFGS', missing: [name], unexpected: [] });
      return numberAt(literalOf(value), 0);
    };
    const vector = (name: string, size: number | undefined = count): Tensor | undefined => {
      const value = tensors.get(name);
      if (value === undefined) return undefined;
      const shape = size === 0 ? [] : [size];
      if (String(value.type.shape) !== String(shape))
        throw new TrenioError('WEIGHT_SHAPE', {
          name,
          expected: formatType({ ...value.type, shape }),
          got: formatType(value.type),
        });
      return tensor(literalOf(value), { device });
    };
    if (tensors.has('0.step')) {
      memory.iterations = number('0.step');
      memory.evaluations = number('0.func_evals');
      memory.step = number('0.t');
      memory.previousLoss = number('0.prev_loss');
      memory.direction = vector('0.d');
      memory.previousGradient = vector('0.prev_flat_grad');
      memory.scale = vector('0.H_diag', 0);
      for (let i = 0; tensors.has(`0.old_dirs.${i}`); i++) {
        const [change, move, inverse] = [vector(`0.old_dirs.${i}`), vector(`0.old_stps.${i}`), vector(`0.ro.${i}`, 0)];
        if (move === undefined || inverse === undefined)
          throw new TrenioError('STATE_KEYS', {
            what: 'LBFGS',
            missing: [move === undefined ? `0.old_stps.${i}` : `0.ro.${i}`],
            unexpected: [],
          });
        memory.history.push({ change: change!, move, inverse });
      }
    }
    this.loadGroupSettings(state);
    this.#memory = memory;
  }
}

/** A number as an input of a compiled function, so that a different number does not recompile it. */
const scalar = (like: Tensor, value: number): Tensor => tensor(value, { dtype: like.dtype, device: like.device });
