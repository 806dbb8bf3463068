// Parameters as functions of others, like torch.nn.utils.parametrize: `module.weight` is computed by modules from originals,
// and these are trained.
//
//   module.parametrizations.weight.original ──▶ [0] ──▶ [1] ──▶ … ──▶ module.weight
//                                            ◀── rightInverse ◀──      module.weight = value
//
// A module with parametrizations becomes an instance of a new subclass; its accessors are the computed members.
import { checkFunction, checkOptionNames, noGrad, Tensor, wrongArgument } from '../../tensor/index.ts';
import { ModuleDict, ModuleList } from '../layers/containers.ts';
import { checkOwner, membersOf, ownState, placeMember } from '../module/computed-members.ts';
import type { Module } from '../module/module.ts';
import { Parameter, StateBuffer } from '../module/parameter.ts';

/** A module whose forward computes a parameter from its originals; `rightInverse` computes the originals of a value. */
export interface Parametrization extends Module {
  /** Computes the tensor from its originals. */
  forward(...originals: Tensor[]): Tensor;
  /** Computes the originals for a value of the tensor. */
  rightInverse?(value: Tensor): Tensor | readonly Tensor[];
}
/** Options of `registerParametrization`. */
export interface ParametrizationOptions {
  /** Allows parametrizations that change the shape or the data type; false by default. */
  readonly unsafe?: boolean;
}

/** The values computed since `cached` began, by list. */
let cache: Map<ParametrizationList, Tensor> | undefined;

/**
 * Runs `fn`, and computes each parametrized tensor at most once in it: for those that are used several times, such as the
 * weights of recurrent networks. PyTorch: `with parametrize.cached()`.
 *
 *     const y = nn.utils.parametrize.cached(() => model(x));
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 3));
 * nn.utils.parametrize.cached(() => layer(layer(randn(1, 3)))).shape // [1, 3]
 */
export function cached<R>(fn: () => R): R {
  checkFunction('parametrize.cached', 'the function', fn);
  const before = cache;
  cache ??= new Map();
  try {
    return fn();
  } finally {
    cache = before;
  }
}

/**
 * The parametrizations of one tensor, applied one after the other to the originals.
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 2));
 * nn.utils.parametrize.isParametrized(layer, 'weight') // true
 */
export class ParametrizationList extends ModuleList<Parametrization> {
  /** Whether parametrizations may change the shape or the data type. */
  unsafe: boolean;
  /** The number of originals if the first parametrization takes several: original0, original1 … */
  readonly #count: number | undefined;
  constructor(parametrizations: readonly Parametrization[], value: Parameter, unsafe = false) {
    super(parametrizations);
    this.unsafe = unsafe;
    const inverted = noGrad(() =>
      parametrizations.reduceRight<Tensor | readonly Tensor[]>(
        (y, one) => (typeof one.rightInverse === 'function' ? one.rightInverse(y as Tensor) : y),
        value,
      ),
    );
    const kept = (made: Tensor): Parameter =>
      value instanceof StateBuffer
        ? new StateBuffer(made, { persistent: value.persistent })
        : new Parameter(made, { requiresGrad: value.requiresGrad });
    if (Array.isArray(inverted)) {
      const list = inverted as readonly Tensor[];
      this.#count = list.length;
      list.forEach((one, i) => {
        placeMember(this, `original${i}`, kept(one));
      });
    } else {
      this.#count = undefined;
      // The parameter object is kept, so that optimizers still refer to it.
      const made = inverted as Tensor;
      if (made !== value && made.dtype === value.dtype && String(made.shape) === String(value.shape))
        noGrad(() => value.assign_(made));
      placeMember(this, 'original', made === value || String(made.shape) === String(value.shape) ? value : kept(made));
    }
  }
  /** The parameters, or buffers, that the tensor is computed from. */
  get originals(): readonly Parameter[] {
    const names =
      this.#count === undefined ? ['original'] : Array.from({ length: this.#count }, (_, i) => `original${i}`);
    return names.map(name => membersOf(this)[name] as Parameter);
  }
  /** Sets the originals such that the parametrized tensor is this value, if all parametrizations have a right inverse. */
  rightInverse(value: Tensor): void {
    noGrad(() => {
      let made: Tensor | readonly Tensor[] = value;
      for (const one of [...this].reverse()) {
        if (typeof one.rightInverse !== 'function')
          throw wrongArgument(
            { call: 'the assignment of a parametrized tensor', argument: 'the parametrization' },
            one,
            'one with a method rightInverse',
            `give ${one.constructor.name} a rightInverse, or set the originals`,
          );
        made = one.rightInverse(made as Tensor);
      }
      const list = (Array.isArray(made) ? made : [made]) as readonly Tensor[];
      this.originals.forEach((original, i) => {
        original.copy_(list[i]!);
      });
    });
  }
  /** The parametrized tensor. */
  compute(): Tensor {
    const known = cache?.get(this);
    if (known !== undefined) return known;
    const [first, ...rest] = [...this];
    let made: Tensor = first!(...this.originals);
    for (const one of rest) made = one(made);
    cache?.set(this, made);
    return made;
  }
  override forward(): never {
    return this.compute() as never;
  }
}

const lists = (module: Module): ModuleDict | undefined => {
  const found = membersOf(module).parametrizations;
  return found instanceof ModuleDict ? found : undefined;
};

/**
 * Whether a module has parametrized tensors, or the one with this name. PyTorch: `parametrize.is_parametrized`.
 *
 *     nn.utils.parametrize.isParametrized(layer, 'weight')
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 2));
 * nn.utils.parametrize.isParametrized(layer, 'weight') // true
 * nn.utils.parametrize.isParametrized(layer, 'bias') // false
 */
export function isParametrized(module: Module, tensorName?: string): boolean {
  const found = lists(module);
  if (found === undefined) return false;
  return tensorName === undefined ? found.size > 0 : found.has(tensorName);
}

/**
 * From now on, a module computes `module[tensorName]` from its original value, `parametrizations[tensorName].original`, which is
 * trained instead. Each of several parametrizations gets the result of the previous one.
 *
 *     class Symmetric extends nn.Module {
 *       forward(x: Tensor) {
 *         return x.triu().add(x.triu(1).transpose(-1, -2));
 *       }
 *     }
 *     const layer = nn.utils.parametrize.registerParametrization(new nn.Linear(5, 5), 'weight', new Symmetric());
 *     layer.weight; // symmetric
 *
 * @throws {WRONG_ARGUMENT} for an argument that is not a module, and for a parametrization that changes the shape or the data type, unless `unsafe`
 * @throws {UNKNOWN_MEMBER} for a name that is not a parameter or buffer
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * class Symmetric extends nn.Module {
 *   override forward(x: Tensor) {
 *     return x.triu().add(x.triu(1).t());
 *   }
 * }
 * const layer = new nn.Linear(3, 3);
 * nn.utils.parametrize.registerParametrization(layer, 'weight', new Symmetric());
 * layer.weight.allclose(layer.weight.t()) // true
 */
export function registerParametrization<M extends Module>(
  module: M,
  tensorName: string,
  parametrization: Parametrization,
  options: ParametrizationOptions = {},
): M {
  const call = 'registerParametrization';
  checkOptionNames(call, options, ['unsafe']);
  checkOwner(call, module);
  checkOwner(call, parametrization);
  const { unsafe = false } = options;
  parametrization.train(module.training);
  if (isParametrized(module, tensorName)) {
    const list = lists(module)!.get(tensorName) as unknown as ParametrizationList;
    if (!unsafe) checkKept(call, parametrization, list.compute());
    list.append(parametrization);
    list.unsafe ||= unsafe;
    return module;
  }
  const value = ownState(call, module, tensorName);
  if (!unsafe) checkKept(call, parametrization, value);
  const list = new ParametrizationList([parametrization], value, unsafe);
  list.train(module.training);
  delete membersOf(module)[tensorName];
  if (lists(module) === undefined) {
    ownClass(module);
    placeMember(module, 'parametrizations', new ModuleDict());
  }
  lists(module)!.set(tensorName, list);
  Object.defineProperty(Object.getPrototypeOf(module), tensorName, {
    get(): Tensor {
      return list.compute();
    },
    set(given: Tensor) {
      list.rightInverse(given);
    },
    enumerable: false,
    configurable: true,
  });
  return module;
}

/**
 * The class of a module, without that of its parametrizations: `Linear` for one that prints as ParametrizedLinear.
 *
 *     nn.utils.parametrize.typeBeforeParametrizations(layer) === nn.Linear
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 2));
 * nn.utils.parametrize.typeBeforeParametrizations(layer) === nn.Linear // true
 */
export function typeBeforeParametrizations(module: Module): unknown {
  checkOwner('typeBeforeParametrizations', module);
  const own = Object.getPrototypeOf(module) as object;
  return (isParametrized(module) ? (Object.getPrototypeOf(own) as object) : own).constructor;
}

/** The shape and the data type stay. */
function checkKept(call: string, parametrization: Parametrization, value: Tensor): void {
  noGrad(() => {
    const inverse = typeof parametrization.rightInverse === 'function' ? parametrization.rightInverse(value) : value;
    const made = parametrization(...(Array.isArray(inverse) ? (inverse as Tensor[]) : [inverse as Tensor]));
    if (made instanceof Tensor && made.dtype === value.dtype && String(made.shape) === String(value.shape)) return;
    throw wrongArgument(
      { call, argument: 'the result of the parametrization' },
      made,
      `a tensor of shape [${value.shape}] and type ${value.dtype}`,
      'pass { unsafe: true } to allow another shape or data type',
    );
  });
}

/** Changes the class of one module to a new subclass, as PyTorch does: it prints as ParametrizedLinear. */
function ownClass(module: Module): void {
  const base = module.constructor as new () => object;
  const name = `Parametrized${base.name}`;
  const made = { [name]: class extends base {} }[name]!;
  Object.setPrototypeOf(module, made.prototype as object);
}

/**
 * Turns a parametrized tensor back into a parameter: with its current value, or with `leaveParametrized` false with that of its
 * original.
 *
 *     nn.utils.parametrize.removeParametrizations(layer, 'weight');
 *
 * @throws {WRONG_ARGUMENT} if the tensor is not parametrized, and for several originals with `leaveParametrized` false
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 2));
 * nn.utils.parametrize.removeParametrizations(layer, 'weight');
 * nn.utils.parametrize.isParametrized(layer) // false
 */
export function removeParametrizations<M extends Module>(
  module: M,
  tensorName: string,
  options: { readonly leaveParametrized?: boolean } | boolean = {},
): M {
  const call = 'removeParametrizations';
  if (typeof options === 'object') checkOptionNames(call, options, ['leaveParametrized']);
  const leave = typeof options === 'boolean' ? options : (options.leaveParametrized ?? true);
  checkOwner(call, module);
  if (!isParametrized(module, tensorName))
    throw wrongArgument({ call, argument: 'the name' }, tensorName, 'the name of a parametrized tensor');
  const dict = lists(module)!;
  const list = dict.get(tensorName) as unknown as ParametrizationList;
  const { originals } = list;
  const [original] = originals as readonly [Parameter, ...Parameter[]];
  let kept = original;
  if (!leave) {
    if (originals.length > 1)
      throw wrongArgument(
        { call, argument: 'leaveParametrized' },
        leave,
        `true: ${tensorName} is computed from ${originals.length} tensors`,
      );
  } else {
    const value = noGrad(() => list.compute().detach());
    const fits =
      originals.length === 1 && value.dtype === original.dtype && String(value.shape) === String(original.shape);
    if (fits) noGrad(() => original.assign_(value));
    else
      kept =
        original instanceof StateBuffer
          ? new StateBuffer(value, { persistent: original.persistent })
          : new Parameter(value, { requiresGrad: originals.some(one => one.requiresGrad) });
  }
  delete (Object.getPrototypeOf(module) as Record<string, unknown>)[tensorName];
  dict.delete(tensorName);
  if (dict.size === 0) {
    delete membersOf(module).parametrizations;
    Object.setPrototypeOf(module, Object.getPrototypeOf(Object.getPrototypeOf(module)) as object);
  }
  placeMember(module, tensorName, kept);
  return module;
}
