// The part of a trace that gradients flow through: from some values back to the leaves they were computed from. A
// computation with a custom gradient (autograd.Function, scan, cond) is a single node: the ops that
// compute its results are ignored.
import { backpropagate, type GradientContext, type GradientRule, type Seed } from '../../autodiff/index.ts';
import type { Builder } from '../../hlo/builder.ts';
import { conjugated } from '../../hlo/ops/matrices.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { isContinuous } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import type { Device } from '../device.ts';
import { operandsOf } from '../step/program.ts';
import type { Trace } from '../step/trace.ts';
import type { TensorImpl } from '../tensor-impl.ts';
import type { GradientHook, GradientNode } from './gradient-node.ts';
import { operatorRules } from './operator-gradients.ts';

const leafHooks = new WeakMap<TensorImpl, GradientHook[]>();

/** The hooks on the gradient of a tensor: of the leaf, or of the value it has now. */
export function hooksOf(trace: Trace, impl: TensorImpl): GradientHook[] {
  if (impl.leaf) {
    const known = leafHooks.get(impl) ?? [];
    leafHooks.set(impl, known);
    return known;
  }
  const known = trace.hooks.get(impl.value!) ?? [];
  trace.hooks.set(impl.value!, known);
  return known;
}

/** The graph through which gradients of some values flow. */
export interface GradientGraph {
  /** In program order; nodes among them. */
  readonly ops: readonly Op[];
  readonly nodes: ReadonlyMap<Op, GradientRule<'custom_call'>>;
  readonly stops: ReadonlySet<Value>;
  readonly hooks: ReadonlyMap<Value, (cotangent: Value) => Value>;
  /** The leaves that require gradients, in the order in which they were first used. */
  readonly leaves: readonly (readonly [value: Value, leaf: TensorImpl])[];
}

/** True for a leaf, whose gradient is accumulated, and through which none flows. */
const endsAt = (trace: Trace, value: Value): TensorImpl | undefined => {
  const leaf = trace.leafOf(value);
  return leaf?.requiresGrad ? leaf : undefined;
};

/** No gradient flows through integers and booleans. */
export const mayCarryGradient = ({ type }: Value): boolean => type.kind !== 'tensor' || isContinuous(type.elementType);

/** The search stops at leaves, stopped values and `ends`. */
export function gradientGraph(
  trace: Trace,
  outputs: readonly Value[],
  isEnd: (value: Value) => boolean = () => false,
): GradientGraph {
  const leaves = new Map<Value, TensorImpl>();
  const stops = new Set<Value>();
  const hooks = new Map<Value, (cotangent: Value) => Value>();
  const nodes = new Map<Op, GradientRule<'custom_call'>>();
  const seen = new Set<Value>();
  const ops = new Set<Op>();
  const entered = new Set<GradientNode>();
  const pending: Value[] = [...outputs];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (isEnd(value) || !mayCarryGradient(value)) continue;
    const leaf = endsAt(trace, value);
    if (leaf === undefined && trace.stopped.has(value)) {
      stops.add(value);
      continue;
    }
    const hooked = leaf === undefined ? trace.hooks.get(value) : leafHooks.get(leaf);
    if (hooked !== undefined && hooked.length > 0)
      hooks.set(value, gradient =>
        [...hooked].reduce((g, hook) => conjugate(trace.builder, hook(conjugate(trace.builder, g))), gradient),
      );
    if (leaf !== undefined) {
      leaves.set(value, leaf);
      continue;
    }
    const node = trace.nodes.get(value);
    if (node !== undefined) {
      if (entered.has(node)) continue;
      entered.add(node);
      const op = opOfNode(node);
      ops.add(op);
      nodes.set(op, ruleOfNode(node));
      pending.push(...node.inputs);
      continue;
    }
    if (value.op === undefined || ops.has(value.op)) continue;
    ops.add(value.op);
    pending.push(...operandsOf(value.op));
    for (const region of value.op.regions)
      forEachOp(region, inner => {
        for (const result of inner.results) if (trace.stopped.has(result)) stops.add(result);
      });
  }
  return {
    ops: [...ops].sort((a, b) => (a.results[0]?.id ?? 0) - (b.results[0]?.id ?? 0)),
    nodes,
    stops,
    hooks,
    leaves: [...leaves].sort(([a], [b]) => a.id - b.id),
  };
}

/**
 * Gradients as PyTorch has them, ∂L/∂x + i·∂L/∂y for a complex number x + iy, are the conjugates of the cotangents of
 * autodiff; real ones are the same.
 */
const conjugate = (b: Builder, gradient: Value): Value =>
  gradient.type.kind === 'tensor' ? conjugated(b, gradient) : gradient;

/** An op that belongs to no program: it has the operands and results of the node. */
const opOfNode = (node: GradientNode): Op => ({
  name: 'custom_call',
  operands: node.inputs,
  results: node.outputs,
  regions: [],
  location: node.location,
  attributes: {
    callTargetName: node.name,
    backendConfig: '',
    resultTypes: node.outputs.map(({ type }) => type),
    hasSideEffect: false,
  },
});
const ruleOfNode =
  (node: GradientNode): GradientRule<'custom_call'> =>
  ({ cotangents, needs, builder }: GradientContext<'custom_call'>) => {
    const turned = (list: readonly (Value | undefined)[]): readonly (Value | undefined)[] =>
      list.map(value => value && conjugate(builder, value));
    return turned(node.gradient({ cotangents: turned(cotangents), needs }));
  };

/**
 * The cotangents of `wrt`, given those of some values of the graph; undefined where none flows.
 * @throws {NOT_DIFFERENTIABLE} at the location of the op that a cotangent cannot pass
 */
export function cotangentsIn(
  device: Device,
  trace: Trace,
  graph: GradientGraph,
  seeds: readonly Seed[],
  wrt: readonly Value[],
): readonly (Value | undefined)[] {
  const { builder } = trace;
  const found = backpropagate(
    builder,
    graph.ops,
    seeds.map(([value, gradient]) => [value, conjugate(builder, gradient)]),
    wrt,
    {
      stopGradients: graph.stops,
      hooks: graph.hooks,
      nodes: graph.nodes,
      recompute: trace.recomputed,
      ...(device.mesh.dividesPrograms ? { again: (value: Value) => trace.usedAgain.has(value) } : {}),
      customGradients: operatorRules(device, trace),
    },
  );
  return found.map(cotangent => cotangent && conjugate(builder, cotangent));
}

/** Whether a gradient flows from this value to a leaf that requires one, or to an argument of an open transformation. */
export function isAttached(trace: Trace, value: Value): boolean {
  const seen = new Set<Value>();
  const pending: Value[] = [value];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    if (seen.has(v)) continue;
    seen.add(v);
    if (trace.active.has(v) || endsAt(trace, v) !== undefined) return true;
    if (trace.stopped.has(v)) continue;
    const node = trace.nodes.get(v);
    if (node !== undefined) pending.push(...node.inputs);
    else if (v.op !== undefined) pending.push(...operandsOf(v.op));
  }
  return false;
}
