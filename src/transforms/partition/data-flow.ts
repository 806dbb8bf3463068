// Edges of data flow: values that flow into one another, through loops, branches, calls and regions, have one sharding. It is
// that of the owner of the edge (Shardy's ShardableDataFlowOpInterface).
//
//   while          sources: operand, result of the body       owner: result      also: arguments of condition and body
//   case, if       sources: results of the branches           owner: result
//   manual, call   sources: operand                           owner: argument
//                  sources: result of the body                owner: result
import type { OpOf, Value } from '../../hlo/program.ts';
import type { AxisRef } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { dynamicDim } from '../../hlo/types.ts';
import { type Body, type Graph, isBody, type Node, type Use } from './graph.ts';

export interface Edge {
  readonly owner: Value;
  readonly sources: readonly Value[];
  /** Other values that have the sharding of the owner. */
  readonly targets: readonly Value[];
  readonly node: Node;
}

/** The edges of a node: those of its arguments, which come before its bodies, and of its results, which come after it. */
interface NodeEdges {
  readonly ofArguments: readonly Edge[];
  readonly ofResults: readonly Edge[];
}

export function edgesOf(node: Node): NodeEdges {
  const { op, operands, results, bodies } = node;
  const edges = (owners: readonly Value[], sources: (i: number) => readonly (Value | undefined)[]): readonly Edge[] =>
    owners.flatMap((owner, i) =>
      isStatic(owner)
        ? [{ owner, sources: sources(i).filter(v => v !== undefined), targets: targetsOf(node, i), node }]
        : [],
    );
  switch (op.name) {
    case 'while':
      return { ofArguments: [], ofResults: edges(results, i => [operands[i], bodies[1]!.results[i]]) };
    case 'case':
    case 'if':
      return { ofArguments: [], ofResults: edges(results, i => bodies.map(body => body.results[i])) };
    case 'optimization_barrier':
      return { ofArguments: [], ofResults: edges(results, i => [operands[i]]) };
    case 'sdy.manual_computation':
    case 'func.call': {
      const [body] = bodies;
      if (body === undefined) return { ofArguments: [], ofResults: [] };
      return { ofArguments: edges(body.args, i => [operands[i]]), ofResults: edges(results, i => [body.results[i]]) };
    }
    default:
      return { ofArguments: [], ofResults: [] };
  }
}

const targetsOf = ({ op, bodies }: Node, i: number): readonly Value[] =>
  op.name === 'while' ? bodies.map(body => body.args[i]!) : [];

export const isStatic = ({ type }: Value): boolean => type.kind === 'tensor' && !type.shape.includes(dynamicDim);

/** The value that has the sharding of this one; undefined if it has none, such as an argument of a reduction. */
export function shardableValue(graph: Graph, value: Value): Value | undefined {
  if (graph.nodeOf(value) !== undefined) return value;
  const body = graph.bodyOf(value);
  if (body === undefined) return undefined;
  const { owner } = body;
  if (owner === undefined || isWritten(owner)) return value;
  return owner.op.name === 'while' ? owner.results[value.index] : undefined;
}
/** Whether the body has its own shardings of arguments. */
const isWritten = ({ op }: Node): boolean => op.name === 'sdy.manual_computation' || op.name === 'func.call';

/** The owner of the edge that a use is a source of. */
export function ownerOfSource({ user, index }: Use): Value | undefined {
  const node = isBody(user) ? user.owner : user;
  if (node === undefined) return undefined;
  switch (node.op.name) {
    case 'while':
    case 'optimization_barrier':
      return node.results[index];
    case 'case':
    case 'if':
      return isBody(user) ? node.results[index] : undefined;
    case 'sdy.manual_computation':
    case 'func.call':
      return isBody(user) ? node.results[index] : node.bodies[0]?.args[index];
    default:
      return undefined;
  }
}

export type Manual = OpOf<'sdy.manual_computation'>;
export const manualOf = ({ op }: Node): Manual | undefined => (op.name === 'sdy.manual_computation' ? op : undefined);

/** The sharding of an edge's target as its sources see it: within a manual computation, manual axes divide nothing. */
export function seenBySources({ owner, node }: Edge, sharding: Sharding): Sharding {
  const manual = manualOf(node);
  if (manual === undefined) return sharding;
  return isResult(node, owner)
    ? withoutAxes(sharding, manual.attributes.manualAxes)
    : withManualAxes(manual.attributes.inShardings[owner.index]!, sharding, manual);
}
/** The inverse of `seenBySources`. */
export function asOwned({ owner, node }: Edge, sharding: Sharding): Sharding {
  const manual = manualOf(node);
  if (manual === undefined) return sharding;
  return isResult(node, owner)
    ? withManualAxes(manual.attributes.outShardings[owner.index]!, sharding, manual)
    : withoutAxes(sharding, manual.attributes.manualAxes);
}
const isResult = (node: Node, value: Value): boolean => node.results.includes(value);

/** The sharding within the body: along free axes only. */
export function withoutAxes(sharding: Sharding, names: readonly string[]): Sharding {
  const free = (axes: readonly AxisRef[]): readonly AxisRef[] => axes.filter(axis => !names.includes(axis.name));
  return {
    ...sharding,
    dims: sharding.dims.map(dim => ({ ...dim, axes: free(dim.axes) })),
    replicated: free(sharding.replicated),
    unreduced: free(sharding.unreduced),
  };
}
/** The manual axes of `outer`, then the axes of `inner`. */
export function withManualAxes(outer: Sharding, inner: Sharding, { attributes: { manualAxes } }: Manual): Sharding {
  const dims = inner.dims.map((dim, d) => ({
    ...dim,
    axes: [...outer.dims[d]!.axes.filter(axis => manualAxes.includes(axis.name)), ...dim.axes],
  }));
  return { ...inner, dims, replicated: outer.replicated, unreduced: outer.unreduced };
}

/** Whether the body is that of the function of a call. */
export const isCallee = (body: Body): boolean => body.owner?.op.name === 'func.call';
