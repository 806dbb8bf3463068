// Functions that are written for one rank, within a program of whole tensors. The function is recorded once, with tensors that
// have the shapes of a rank's parts, and its ops become the region of a `sdy.manual_computation`.
import { TrenioError } from '../../base/errors.ts';
import { inline } from '../../hlo/inline.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { type Sharding, shardShape } from '../../hlo/sharding/sharding.ts';
import { checkFunction, checkTensors, wrongArgument } from '../check-arguments.ts';
import { branchBody } from '../control/body.ts';
import { made, recordBody } from '../control/scan.ts';
import type { Device } from '../device.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { checkAxis, type PartitionSpec, shardingOfSpec } from './layouts.ts';
import { withinManual } from './manual-axes.ts';

/** Options of `shardMap`. `R`: what the function returns. */
export interface ShardMapOptions<A extends readonly Tensor[], R extends Tensor | readonly Tensor[]> {
  /** The mesh of the device. */
  readonly mesh: DeviceMesh;
  /** How each argument is divided. Along axes that its spec does not name, every rank gets the same. */
  readonly inSpecs: { readonly [I in keyof A]: PartitionSpec };
  /** How the result is made of the ranks' results, which must be the same along axes that its spec does not name. */
  readonly outSpecs: R extends Tensor ? PartitionSpec : { readonly [I in keyof R]: PartitionSpec };
  /** The axes that the function handles itself: all by default. Along others, the partitioner divides its ops. */
  readonly axisNames?: readonly string[];
}

/**
 * Runs a function on the parts that each rank has of its arguments: within it, tensors have the shapes of the parts, and
 * `collectives` exchange them along axes of the mesh. Dims must divide evenly. Gradients flow through it, also to tensors from
 * outside, of which every rank gets all. Random numbers are the same on every rank. JAX: `jax.shard_map`.
 * @throws {INVALID_SHARDING} for specs that do not fit the shapes
 * @throws {UNKNOWN_MESH_AXIS} for axes that the mesh lacks
 * @throws {WRONG_ARGUMENT}
 * @throws {NOT_DIFFERENTIABLE} for loops, branches and custom gradients within the function, where a gradient is needed
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const product = shardMap((x: Tensor, w: Tensor) => collectives.allReduce(x.matmul(w), 'tp'), {
 *   mesh,
 *   inSpecs: [[null, 'tp'], ['tp', null]],
 *   outSpecs: [null, null],
 * });
 * product(tensor([[1, 2]]), tensor([[3], [4]])) // [[11]]
 */
export function shardMap<A extends readonly Tensor[], R extends Tensor | readonly Tensor[]>(
  fn: (...args: A) => R,
  options: ShardMapOptions<A, R>,
): (...args: A) => R {
  const call = 'shardMap';
  checkFunction(call, 'the function', fn);
  const { mesh, inSpecs, outSpecs, axisNames = dividedAxes(mesh) } = options;
  for (const axis of axisNames) checkAxis(axis, mesh);
  if (!Array.isArray(inSpecs)) throw wrongArgument({ call, argument: 'inSpecs' }, inSpecs, 'a list of specs');
  return (...args) => {
    checkTensors(call, Object.fromEntries(args.map((arg, i) => [`argument ${i}`, arg])));
    if (args.length !== inSpecs.length || args.length === 0)
      throw wrongArgument(
        { call, argument: 'the arguments' },
        args,
        `${inSpecs.length} tensors, one for each of inSpecs`,
      );
    const { device } = args[0]!;
    if (String(mesh) !== String(device.mesh))
      throw wrongArgument({ call, argument: 'the mesh' }, mesh, `that of the device of the tensors, ${device.mesh}`);
    const scope = { mesh, axes: axisNames };
    const ins = args.map((arg, i) => sharding(call, inSpecs[i]!, arg.shape, scope));
    const outsOf = (result: R): readonly Sharding[] => {
      const list: readonly Tensor[] = result instanceof Tensor ? [result] : result;
      const specs = (result instanceof Tensor ? [outSpecs] : outSpecs) as readonly PartitionSpec[];
      if (!Array.isArray(list) || !list.every(one => one instanceof Tensor) || list.length !== specs.length)
        throw wrongArgument(
          { call, argument: 'the result of the function' },
          result,
          'one tensor for each of outSpecs',
        );
      return list.map((one, i) => sharding(call, specs[i]!, one.shape, scope, 'part'));
    };
    if (device.mesh.standsForOthers)
      throw new TrenioError(
        'UNSUPPORTED',
        { what: call, where: 'splitContractions', instead: 'run the layout on as many ranks' },
        { location: userLocation() },
      );
    if (!device.mesh.dividesPrograms) {
      const result = withinManual({ device, ...scope }, () => fn(...args));
      outsOf(result);
      return result;
    }
    return recorded(device, args, ins, outsOf, scope, given => fn(...(given as unknown as A)));
  };
}

const dividedAxes = (mesh: DeviceMesh): readonly string[] =>
  mesh.axes.map(({ name }) => name).filter(name => name !== 'data');

/** The axes that a function handles itself. */
interface Scope {
  readonly mesh: DeviceMesh;
  readonly axes: readonly string[];
}

/** The sharding of a tensor whose shape is that of the whole, or of a part. @throws {INVALID_SHARDING} */
function sharding(
  call: string,
  spec: PartitionSpec,
  shape: readonly number[],
  { mesh, axes }: Scope,
  of: 'whole' | 'part' = 'whole',
): Sharding {
  const stated = shardingOfSpec(spec, { call, mesh, rank: shape.length });
  const refuse = (detail: string): TrenioError =>
    new TrenioError('INVALID_SHARDING', { sharding: JSON.stringify(spec), detail }, { location: userLocation() });
  const isPartial = dividedAxes(mesh).some(axis => !axes.includes(axis));
  const dims = stated.dims.map((dim, d) => {
    if (dim.isOpen) throw refuse(`dim ${d} is '?': name an axis, or null`);
    const other = dim.axes.find(({ name }) => !axes.includes(name));
    if (other !== undefined) throw refuse(`the axis '${other.name}' is not one of axisNames`);
    const parts = dim.axes.reduce((product, { name }) => product * sizeOf(mesh, name), 1);
    if (of === 'whole' && shape[d]! % parts !== 0)
      throw refuse(`dim ${d} has size ${shape[d]}, which ${parts} ranks cannot share evenly`);
    return { ...dim, isOpen: isPartial };
  });
  return { ...stated, dims, mesh: { axes: mesh.axes } };
}
const sizeOf = (mesh: DeviceMesh, axis: string): number => mesh.axes.find(({ name }) => name === axis)!.size;

function recorded<R extends Tensor | readonly Tensor[]>(
  device: Device,
  args: readonly Tensor[],
  ins: readonly Sharding[],
  outsOf: (result: R) => readonly Sharding[],
  scope: Scope,
  body: (given: readonly Tensor[]) => R,
): R {
  const call = 'shardMap';
  const { trace, builder } = opening(device);
  const location = userLocation();
  builder.location = location;
  const mesh = { axes: scope.mesh.axes };
  const operands = args.map(arg => device.valueOf(arg));
  for (const arg of args) trace.used(arg);
  const start = builder.lastId;
  const placeholders: readonly Value[] = operands.map((value, i) => {
    const local = shardShape(args[i]!.shape, ins[i]!, mesh);
    return builder.slice(
      value,
      local.map(() => 0),
      local,
    );
  });
  const result = recordBody(call, device, placeholders, given => withinManual({ device, ...scope }, () => body(given)));
  const outs = outsOf(result);
  const list: readonly Tensor[] = result instanceof Tensor ? [result] : result;
  const returned = list.map(one => device.valueOf(one));
  const { ops, captured } = branchBody(trace, start, returned, value => placeholders.includes(value));
  const outside = captured.filter(value => !placeholders.includes(value));
  const whole = outside.map(value => sharding(call, [], shapeOf(value), scope));
  const types = [...placeholders, ...outside].map(value => value.type);
  const region = builder.region(types, (inner, given) => {
    const map = new Map([...placeholders, ...outside].map((value, i): [Value, Value] => [value, given[i]!]));
    inline(inner, ops, map);
    for (const [from, to] of map) if (trace.stopped.has(from)) trace.stopped.add(to);
    return returned.map(value => map.get(value)!);
  });
  const inputs = [...operands, ...outside];
  const isDifferentiated = isGradEnabled() && inputs.some(value => isAttached(trace, value));
  const custom = ops
    .flatMap(op => op.results)
    .find(value => trace.nodes.get(value)?.isZero !== true && trace.nodes.has(value));
  if (isDifferentiated && custom !== undefined) {
    const reason = `${trace.nodes.get(custom)!.name} within shardMap has no gradient yet`;
    throw new TrenioError('NOT_DIFFERENTIABLE', { op: call, reason }, { location });
  }
  builder.location = location;
  const resultTypes = returned.map((value, i): Tensor['type'] => {
    const type = tensorTypeOf(value);
    const shape = type.shape.map((size, d) =>
      outs[i]!.dims[d]!.axes.reduce((product, { name }) => product * sizeOf(scope.mesh, name), size),
    );
    return { ...type, shape };
  });
  const attributes = {
    inShardings: [...ins, ...whole],
    outShardings: outs,
    manualAxes: scope.axes,
    resultTypes,
  };
  const values = builder.emit('sdy.manual_computation', inputs, attributes, [region]);
  if (!isDifferentiated) for (const value of values) trace.stopped.add(value);
  const tensors = made(device, values, call);
  return (result instanceof Tensor ? tensors[0]! : tensors) as R;
}
