// The styles of a plan: how the parameters of one module, its input and its output are divided along one axis of the mesh.
// PyTorch: torch.distributed.tensor.parallel.
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { Embedding, Linear, type Module, type Parameter } from '../../nn/index.ts';
import {
  constrained,
  divide,
  mapTensors,
  meshName,
  type Placement,
  Replicate,
  Shard,
  type Tensor,
  wrongArgument,
} from '../../tensor/index.ts';

/** The part of a plan for one module. */
export interface ParallelStyle {
  /** Its name, in errors. */
  readonly name: string;
  /** Divides a module along an axis. @throws {WRONG_ARGUMENT} for a module that it does not fit */
  apply(module: Module, axis: string): void;
}

/** How the input and the output of a module are divided along the axis; by default, as the style says. */
export interface LayoutOptions {
  /** How the input is divided. */
  readonly inputLayouts?: Placement;
  /** How the output is divided. */
  readonly outputLayouts?: Placement;
}

/** The dim of a tensor along an axis, other dims and axes as the partitioner chooses. */
function along(axis: string, placement: Placement, rank: number): Sharding {
  const axes = [{ name: axis }];
  const isSharded = placement.kind === 'shard';
  const dim = isSharded ? (placement.dim < 0 ? placement.dim + rank : placement.dim) : -1;
  return {
    mesh: meshName,
    dims: Array.from({ length: rank }, (_, d) => ({ axes: d === dim ? axes : [], isOpen: true })),
    replicated: isSharded ? [] : axes,
    unreduced: [],
    reduction: 'sum',
  };
}
/** The tensors of a structure that have the dim, divided along an axis. */
const placed = <T>(value: T, axis: string, placement: Placement | undefined): T =>
  placement === undefined
    ? value
    : (mapTensors(value, (x: Tensor) =>
        placement.kind === 'shard' && (placement.dim >= x.ndim || placement.dim < -x.ndim)
          ? x
          : constrained(x, along(axis, placement, x.ndim)),
      ) as T);

function placeBorders(module: Module, axis: string, input: Placement | undefined, output: Placement | undefined): void {
  if (input !== undefined)
    module.registerForwardPreHook((_, [first, ...rest]) => [placed(first, axis, input), ...rest]);
  if (output !== undefined) module.registerForwardHook((_, _args, result) => placed(result, axis, output));
}

function divideParameter(parameter: Parameter | null, dim: number, axis: string): void {
  if (parameter !== null) divide(parameter, dim, axis, 'parts');
}

const unfit = (style: string, module: Module): Error =>
  wrongArgument({ call: style, argument: 'the module' }, module.constructor.name, 'a Linear or an Embedding');

/**
 * The output features of a linear layer, or the columns of an embedding, are divided. The input is whole, the output divided in
 * its last dim. PyTorch: `torch.distributed.tensor.parallel.ColwiseParallel`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const model = new nn.Sequential(new nn.Linear(4, 8), new nn.ReLU(), new nn.Linear(8, 4));
 * parallelize(model, mesh, { 0: ColwiseParallel(), 2: RowwiseParallel() });
 */
export function ColwiseParallel({
  inputLayouts = Replicate(),
  outputLayouts = Shard(-1),
}: LayoutOptions = {}): ParallelStyle {
  const name = 'ColwiseParallel';
  return {
    name,
    apply(module, axis) {
      if (module instanceof Linear) {
        divideParameter(module.weight, 0, axis);
        divideParameter(module.bias, 0, axis);
      } else if (module instanceof Embedding) divideParameter(module.weight, 1, axis);
      else throw unfit(name, module);
      placeBorders(module, axis, module instanceof Embedding ? undefined : inputLayouts, outputLayouts);
    },
  };
}

/**
 * The input features of a linear layer, or the rows of an embedding, are divided. The input of a linear layer is divided in its
 * last dim; the output is whole, or divided in another dim, as `outputLayouts` says. PyTorch:
 * `torch.distributed.tensor.parallel.RowwiseParallel`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const model = new nn.Sequential(new nn.Linear(4, 8), new nn.ReLU(), new nn.Linear(8, 4));
 * parallelize(model, mesh, { 0: ColwiseParallel(), 2: RowwiseParallel() });
 */
export function RowwiseParallel({
  inputLayouts = Shard(-1),
  outputLayouts = Replicate(),
}: LayoutOptions = {}): ParallelStyle {
  const name = 'RowwiseParallel';
  return {
    name,
    apply(module, axis) {
      if (module instanceof Linear) divideParameter(module.weight, 1, axis);
      else if (module instanceof Embedding) divideParameter(module.weight, 0, axis);
      else throw unfit(name, module);
      placeBorders(module, axis, module instanceof Embedding ? undefined : inputLayouts, outputLayouts);
    },
  };
}

/** Options of `SequenceParallel`. */
export interface SequenceParallelOptions {
  /** The dim of the sequence: 1 by default. */
  readonly sequenceDim?: number;
}
/**
 * A norm or dropout whose input and output are divided along the sequence; its parameters are whole. PyTorch:
 * `torch.distributed.tensor.parallel.SequenceParallel`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const model = new nn.Sequential(new nn.LayerNorm(4), new nn.Linear(4, 8));
 * parallelize(model, mesh, { 0: SequenceParallel(), 1: ColwiseParallel() });
 */
export const SequenceParallel = ({ sequenceDim = 1 }: SequenceParallelOptions = {}): ParallelStyle => ({
  name: 'SequenceParallel',
  apply: (module, axis) => placeBorders(module, axis, Shard(sequenceDim), Shard(sequenceDim)),
});

/** Options of `PrepareModuleInput`. */
export interface PrepareInputOptions {
  /** How the first argument is to be divided. */
  readonly desiredInputLayouts: Placement;
}
/**
 * The first argument of a module is divided in this way. PyTorch: `torch.distributed.tensor.parallel.PrepareModuleInput`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * parallelize(new nn.Sequential(new nn.ReLU()), mesh, { 0: PrepareModuleInput({ desiredInputLayouts: Shard(1) }) });
 */
export const PrepareModuleInput = ({ desiredInputLayouts }: PrepareInputOptions): ParallelStyle => ({
  name: 'PrepareModuleInput',
  apply: (module, axis) => placeBorders(module, axis, desiredInputLayouts, undefined),
});
/** Options of `PrepareModuleOutput`. */
export interface PrepareOutputOptions {
  /** How the result is to be divided. */
  readonly desiredOutputLayouts: Placement;
}
/**
 * The result of a module is divided in this way. PyTorch: `torch.distributed.tensor.parallel.PrepareModuleOutput`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * parallelize(new nn.Sequential(new nn.ReLU()), mesh, { 0: PrepareModuleOutput({ desiredOutputLayouts: Replicate() }) });
 */
export const PrepareModuleOutput = ({ desiredOutputLayouts }: PrepareOutputOptions): ParallelStyle => ({
  name: 'PrepareModuleOutput',
  apply: (module, axis) => placeBorders(module, axis, undefined, desiredOutputLayouts),
});
