// Averages of a model's parameters over training (Polyak and Juditsky, 1992; stochastic weight averaging, Izmailov et al., 2018),
// under the names of torch.optim.swa_utils. Averages are recorded like any op and stay on the device.
//
//   AveragedModel           module.fc.weight …       the averages, as separate parameters in a copy of the module tree
//     forward(x)            assigns them to the model's fields, runs the model's forward, and restores the model's own
import { TrenioError } from '../base/errors.ts';
import { Module, Parameter, StateBuffer } from '../nn/index.ts';
import {
  type Device,
  noGrad,
  type Settings,
  settle,
  Tensor,
  tensor,
  userLocation,
  where,
  wrongArgument,
  zeros,
} from '../tensor/index.ts';

/** The new average, from the old one, the parameter, and the number of parameters averaged so far, a scalar on the device. */
export type AvgFn = (averaged: Tensor, current: Tensor, numAveraged: Tensor) => Tensor;
/** The same for all parameters at once, in place. */
export type MultiAvgFn = (averaged: readonly Tensor[], current: readonly Tensor[], numAveraged: Tensor) => void;

const checkDecay = (what: string, decay: number): void => {
  if (!(decay >= 0 && decay <= 1))
    throw new TrenioError(
      'INVALID_OPTION',
      { what, option: 'decay', got: String(decay), expected: 'a number in [0, 1]' },
      { location: userLocation() },
    );
};
/**
 * An exponential moving average: averaged ← decay · averaged + (1 − decay) · current.
 * @throws {INVALID_OPTION} for a decay outside of [0, 1]
 * @example
 * const layer = new nn.Linear(2, 2);
 * const averaged = new optim.AveragedModel(layer, { avgFn: optim.getEmaAvgFn(0.99) });
 * averaged.updateParameters(layer);
 * averaged.n_averaged // 1
 */
export function getEmaAvgFn(decay = 0.999): AvgFn {
  checkDecay('getEmaAvgFn', decay);
  return (averaged, current) => averaged.mul(decay).add(current.mul(1 - decay));
}
/**
 * The same for all parameters at once, in place: the `multiAvgFn` of {@link AveragedModel}.
 * @throws {INVALID_OPTION} for a decay outside of [0, 1]
 * @example
 * const layer = new nn.Linear(2, 2);
 * const averaged = new optim.AveragedModel(layer, { multiAvgFn: optim.getEmaMultiAvgFn(0.99) });
 * averaged.updateParameters(layer);
 * averaged.n_averaged // 1
 */
export function getEmaMultiAvgFn(decay = 0.999): MultiAvgFn {
  checkDecay('getEmaMultiAvgFn', decay);
  return inPlace((averaged, current) => averaged.add(current.sub(averaged).mul(1 - decay)));
}
/**
 * The mean of all parameters so far: averaged ← averaged + (current − averaged) / (numAveraged + 1).
 * @example
 * const layer = new nn.Linear(2, 2);
 * const averaged = new optim.AveragedModel(layer, { avgFn: optim.getSwaAvgFn() });
 * averaged.updateParameters(layer);
 * averaged.n_averaged // 1
 */
export const getSwaAvgFn = (): AvgFn => (averaged, current, count) =>
  averaged.add(current.sub(averaged).div(count.to('f32').add(1)).to(averaged.dtype));
/**
 * The same for all parameters at once, in place.
 * @example
 * const layer = new nn.Linear(2, 2);
 * const averaged = new optim.AveragedModel(layer, { multiAvgFn: optim.getSwaMultiAvgFn() });
 * averaged.updateParameters(layer);
 * averaged.n_averaged // 1
 */
export const getSwaMultiAvgFn = (): MultiAvgFn => inPlace(getSwaAvgFn());
const inPlace =
  (average: AvgFn): MultiAvgFn =>
  (averaged, current, count) =>
    averaged.forEach((tensor, i) => {
      tensor.assign_(average(tensor, current[i]!, count).to(tensor.dtype));
    });

/** Options of `AveragedModel`. */
export interface AveragedModelOptions {
  /** The device of the averages; by default, that of the parameters. */
  readonly device?: Device;
  /** How one parameter is averaged; the arithmetic mean by default. */
  readonly avgFn?: AvgFn;
  /** How all parameters are averaged, instead of `avgFn`. */
  readonly multiAvgFn?: MultiAvgFn;
  /** Averages buffers such as running statistics too; false by default: they are copied. */
  readonly useBuffers?: boolean;
}

const averagedOrder = ['device', 'avgFn', 'multiAvgFn', 'useBuffers'] as const;

/** The location of a parameter in a tree of modules. */
class Averages extends Module {
  override forward(): never {
    throw new TrenioError('UNSUPPORTED', {
      what: 'a part of an AveragedModel on its own',
      where: 'forward()',
      instead: 'call forward() of the AveragedModel',
    });
  }
}

/**
 * A model with averaged parameters, like torch.optim.swa_utils.AveragedModel. The first update copies the parameters, and each
 * further one averages; buffers are copied. Its state has the names `n_averaged` and `module.…`. `forward` runs the model's own
 * forward with the averages in its fields.
 *
 *     const averaged = new AveragedModel(model, { multiAvgFn: getEmaMultiAvgFn(0.999) });
 *     …
 *     optimizer.step();
 *     averaged.updateParameters(model);
 *     …
 *     await updateBn(loader, averaged);          // if the model has batch normalization
 *     averaged.eval().forward(x);
 *
 * @throws {WRONG_ARGUMENT} if the model is not a module, or both functions are given
 * @example
 * const layer = new nn.Linear(1, 1, { bias: false });
 * const averaged = new optim.AveragedModel(layer);
 * for (const value of [1, 3]) {
 *   nn.init.constant_(layer.weight, value);
 *   averaged.updateParameters(layer);
 * }
 * averaged(ones(1, 1)) // [[2]]
 */
export class AveragedModel extends Module {
  /** The number of averaged updates. */
  readonly n_averaged: StateBuffer;
  /** The averages, under the names of the model. */
  readonly module: Module;
  readonly #model: Module;
  readonly #avgFn: AvgFn;
  readonly #multiAvgFn: MultiAvgFn | undefined;
  readonly #useBuffers: boolean;
  /** For each parameter and buffer of the model, its average. */
  readonly #averages = new Map<Parameter, Parameter>();

  constructor(model: Module, ...rest: Settings<AveragedModelOptions, typeof averagedOrder>) {
    super();
    if (!(model instanceof Module))
      throw wrongArgument({ call: 'AveragedModel', argument: 'the model' }, model, 'a module');
    const {
      avgFn,
      multiAvgFn,
      useBuffers = false,
      device,
    } = settle<AveragedModelOptions>('AveragedModel', averagedOrder, rest);
    if (avgFn !== undefined && multiAvgFn !== undefined)
      throw wrongArgument(
        { call: 'AveragedModel', argument: 'avgFn' },
        avgFn,
        'undefined where multiAvgFn is given',
        'give one of them',
      );
    this.#model = model;
    this.#avgFn = avgFn ?? getSwaAvgFn();
    this.#multiAvgFn = multiAvgFn;
    this.#useBuffers = useBuffers;
    this.module = this.#copy(model, device);
    this.#checkSwap();
    const at = device ?? [...this.#averages.values()][0]?.device;
    this.n_averaged = new StateBuffer(zeros([], { dtype: 'i64', ...(at ? { device: at } : {}) }));
  }
  #copy(module: Module, device: Device | undefined): Module {
    const copy = new Averages();
    for (const [name, field] of stateFields(module)) {
      const average = this.#averages.get(field) ?? averageOf(field, device);
      this.#averages.set(field, average);
      if (average instanceof StateBuffer) copy.registerBuffer(name, average);
      else copy.registerParameter(name, average);
    }
    for (const [name, child] of module.namedChildren()) copy.addModule(name, this.#copy(child, device));
    return copy;
  }

  /** Containers of parameters do not keep them in fields. */
  #checkSwap(): void {
    const averages = new Set(this.#averages.values());
    const others = this.within(model => [...model.namedParameters(), ...model.namedBuffers()]).filter(
      ([, parameter]) => !averages.has(parameter),
    );
    if (others.length > 0)
      throw new TrenioError(
        'UNSUPPORTED',
        {
          what: `the parameter ${others[0]![0]}, which is in no field of its module,`,
          where: 'AveragedModel',
          instead: 'keep it in a field, or register it with registerParameter()',
        },
        { location: userLocation() },
      );
  }
  /** @internal Runs `body` with the averages in the fields of the model, and in the modes of this module. */
  within<T>(body: (model: Module) => T): T {
    const modules = [...this.#model.modules()];
    const modes = modules.map(({ training }) => training);
    const fields = modules.flatMap(module => stateFields(module).map(([name, field]) => ({ module, name, field })));
    const set = (of: (field: Parameter) => Parameter): void => {
      for (const { module, name, field } of fields)
        Object.defineProperty(module, name, { value: of(field), enumerable: true, configurable: true, writable: true });
    };
    try {
      set(field => this.#averages.get(field)!);
      this.#model.train(this.training);
      return body(this.#model);
    } finally {
      set(field => field);
      modules.forEach((module, i) => {
        module.training = modes[i]!;
      });
    }
  }
  override forward(...args: readonly unknown[]): Tensor {
    return this.within(model => model.forward(...(args as never[])) as Tensor);
  }

  /**
   * Updates the averages with the parameters of the model.
   * @throws {STATE_KEYS} for a model with other parameters
   */
  updateParameters(model: Module): void {
    const named = (of: Module): ReadonlyMap<string, Parameter> =>
      new Map([...of.namedParameters(), ...of.namedBuffers()]);
    const [own, theirs] = [named(this.module), named(model)];
    const missing = [...own.keys()].filter(name => !theirs.has(name));
    const unexpected = [...theirs.keys()].filter(name => !own.has(name));
    if (missing.length + unexpected.length > 0)
      throw new TrenioError('STATE_KEYS', { what: 'AveragedModel', missing, unexpected });
    noGrad(() => {
      const averaged: Parameter[] = [];
      const current: Tensor[] = [];
      for (const [name, average] of own) {
        const value = theirs.get(name)!.detach().to(average.device);
        if (average instanceof StateBuffer && !this.#useBuffers) average.assign_(value);
        else {
          averaged.push(average);
          current.push(value);
        }
      }
      const isFirst = this.n_averaged.eq(0);
      // The function must not receive a parameter that requires a gradient.
      const old = averaged.map(average => average.detach());
      if (this.#multiAvgFn !== undefined) this.#multiAvgFn(old, current, this.n_averaged);
      averaged.forEach((average, i) => {
        const next = this.#multiAvgFn === undefined ? this.#avgFn(old[i]!, current[i]!, this.n_averaged) : old[i]!;
        average.assign_(where(isFirst, current[i]!, next.to(average.dtype)));
      });
      this.n_averaged.add_(1);
    });
  }
}
const stateFields = (module: Module): readonly (readonly [string, Parameter])[] => [
  ...module.namedParameters('', false),
  ...module.namedBuffers('', false),
];
function averageOf(field: Parameter, device: Device | undefined): Parameter {
  const copy = tensor(field.literal(), { device: device ?? field.device });
  return field instanceof StateBuffer ? new StateBuffer(copy) : new Parameter(copy, { requiresGrad: false });
}

interface Normalization extends Module {
  readonly running_mean: StateBuffer;
  readonly running_var: StateBuffer;
  readonly num_batches_tracked?: StateBuffer;
  momentum: number | null;
}
const isNormalization = (module: Module): module is Normalization =>
  'running_mean' in module &&
  module.running_mean instanceof StateBuffer &&
  'running_var' in module &&
  module.running_var instanceof StateBuffer &&
  'momentum' in module;

/**
 * Recomputes the running statistics of batch normalization, as the mean over all batches, with the current parameters, for
 * a model whose parameters were averaged. Like torch.optim.swa_utils.update_bn. If a batch is a list, its first entry is the
 * input.
 *
 *     await updateBn(loader, averaged);
 * @example
 * const bn = new nn.BatchNorm1d(2);
 * await optim.updateBn([tensor([[1, 10], [3, 30]])], bn);
 * bn.running_mean // [2, 20]
 */
export async function updateBn(
  loader: Iterable<unknown> | AsyncIterable<unknown>,
  model: Module,
  device?: Device,
): Promise<void> {
  const within = <T>(body: (model: Module) => T): T =>
    model instanceof AveragedModel ? model.within(body) : body(model);
  const modules = within(inner => [...inner.modules()].filter(isNormalization));
  if (modules.length === 0) return;
  const wasTraining = model.training;
  model.train();
  try {
    const statistics = within(() =>
      modules.map(module => {
        const { running_mean, running_var, num_batches_tracked } = module;
        num_batches_tracked?.assign_(num_batches_tracked.mul(0));
        return [running_mean, running_var] as const;
      }),
    );
    const means = statistics.map(pair => pair.map(({ shape, device: at }) => zeros(shape, { device: at })));
    let count = 0;
    for await (const batch of loader) {
      const given = Array.isArray(batch) ? (batch as unknown[])[0] : batch;
      if (!(given instanceof Tensor))
        throw wrongArgument(
          { call: 'updateBn', argument: 'a batch' },
          given,
          'a tensor, or a list that starts with one',
        );
      const input = device === undefined ? given : given.to(device);
      const share = tensor(1 / ++count, { device: input.device });
      noGrad(() => {
        within(inner => {
          const momenta = modules.map(({ momentum }) => momentum);
          // Computes the statistics of this batch only.
          for (const module of modules) module.momentum = 1;
          try {
            inner.forward(input as never);
          } finally {
            modules.forEach((module, i) => {
              module.momentum = momenta[i]!;
            });
          }
        });
        statistics.forEach((pair, i) => {
          pair.forEach((running, k) => {
            const mean = means[i]![k]!;
            mean.assign_(mean.add(running.sub(mean).mul(share)));
            running.assign_(mean);
          });
        });
      });
      input.device.markStep();
    }
  } finally {
    model.train(wasTraining);
  }
}
