// From ops to nodes: one element of a value, at an index, as a node of a kernel's graph. Walks from the value towards its
// operands through the ops that the kernel computes, and ends at memory. Views become index arithmetic, so no view is
// ever stored for the sake of a kernel.

import { elementAt } from '../../base/element-at.ts';
import { invariant } from '../../base/errors.ts';
import { zip } from '../../base/zip.ts';
import { reductionOperands } from '../../hlo/operand-groups.ts';
import { bitWidth } from '../../hlo/ops/element-data.ts';
import { dispatch, forAll, isIn, type PerOp } from '../../hlo/per-op.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import { type ElementType, elementCount, numberKind } from '../../hlo/types.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { add, constantIndex, dataIndex, type Index, scale } from '../ir/index-expr.ts';
import type { Guard, Node, NodeGraph } from '../ir/node.ts';
import { type ScalarOpName, scalarCost, scalarOpNames, scalarOpOf } from '../ir/scalar-op.ts';
import { splatOf } from './constants.ts';
import { isLoweredAs, type LoweredAs } from './lowering-kinds.ts';
import { advancedState, randomElement } from './random.ts';
import { concatenateParts, gatherIndex, isView, padIndex, simplifyGuards, startIndexAt, viewIndex } from './views.ts';

export interface Scope {
  readonly graph: NodeGraph;
  /** True for the values whose elements this kernel computes; everything else is read from memory. */
  computes(value: Value): boolean;
  /** An element of a value that this kernel does not compute. */
  leaf(value: Value, index: readonly Index[], guards: readonly Guard[]): Node;
  /** For a reduce computed here: the index of an element it reduces, and the loops it runs over. */
  reduceAt?(op: Op<'reduce'>, index: readonly Index[]): { readonly index: readonly Index[]; readonly over: number };
}

/** Floats below f32 are computed in f32, and rounded in a separate node. */
const computedWide: ReadonlySet<string> = new Set(['chlo.erf', 'tanh']);

/** Magnitudes and squares, or NaN. */
const notNegative: ScalarTable<boolean> = {
  abs: () => true,
  multiply: ([a, b]) => a === b,
};
/** Nodes that are 0 or less, or NaN: -(x · x), -|x|, or x less the maximum of a row that x is in. */
const belowZero: ScalarTable<boolean> = {
  negate: ([x]) => x !== undefined && holds(notNegative, x),
  subtract: ([x, most]) => {
    if (most?.kind !== 'reduced') return false;
    const { reduction, which } = most;
    return reduction.inputs[which] === x && reducerOf(reduction.region) === 'maximum';
  },
};
type ScalarTable<R> = { readonly [N in ScalarOpName]?: (args: readonly Node[]) => R };
const holds = (table: ScalarTable<boolean>, node: Node): boolean =>
  node.kind === 'expression' && node.op.name in table && table[node.op.name as ScalarOpName]!(node.args);

/** The ops whose elements a kernel computes; views are index arithmetic. */
type ComputedName = LoweredAs<'element' | 'source' | 'constant' | 'reduce'>['name'];

/** Ops whose elements depend on the kind of their operand's node. */
const byOperand: PerOp<'convert' | 'exponential', Node | undefined, [NodeGraph, ElementType, Node]> = {
  // an index is an integer, so it need not be rounded to the operand's type
  convert: (_op, graph, type, x) => (x.kind === 'index' ? converted(graph, x, type) : undefined),
  exponential: (op, graph, type, x) => {
    if (type !== 'f32' || !holds(belowZero, x)) return undefined;
    return graph.expression(type, { name: op.name, nonPositive: true }, [x], scalarCost(op));
  },
};

/** A scalar op of elements. */
export function scalarNode(graph: NodeGraph, op: Op<ScalarOpName>, type: ElementType, args: readonly Node[]): Node {
  const [first] = args;
  const special = first !== undefined && isIn(byOperand, op) ? dispatch(byOperand, op, graph, type, first) : undefined;
  if (special !== undefined) return special;
  const scalar = scalarOpOf(op);
  if (computedWide.has(op.name) && numberKind(type) === 'float' && type !== 'f64' && type !== 'f32') {
    const wide = graph.expression('f32', scalar, args, scalarCost(op));
    return graph.expression(type, { name: 'convert' }, [wide], 0);
  }
  return graph.expression(type, scalar, args, scalarCost(op));
}

/** The value of all elements of a splat constant; undefined for other values. */
export function literalNode(graph: NodeGraph, value: Value): Node | undefined {
  const { op } = value;
  const splat = op !== undefined && isLoweredAs(op, 'constant') ? splatOf(op) : undefined;
  return splat === undefined ? undefined : graph.literal(tensorTypeOf(value).elementType, splat);
}

export const converted = (graph: NodeGraph, node: Node, to: ElementType): Node =>
  node.type === to ? node : graph.expression(to, { name: 'convert' }, [node], 0);

/** An element of a bitcast, from the elements of the operand. */
export function bitcastNode(
  graph: NodeGraph,
  op: Op<'bitcast_convert'>,
  index: readonly Index[],
  at: (index: readonly Index[]) => Node,
): Node {
  const from = tensorTypeOf(op.operands[0]).elementType;
  const to = op.attributes.type.elementType;
  if (from === to) return at(index);
  const [fromBits, toBits] = [bitWidth(from), bitWidth(to)];
  if (fromBits === toBits) return graph.expression(to, { name: 'bitcast' }, [at(index)], 0);
  if (toBits < fromBits) {
    // little endian: piece k of an element holds its bits from k·width on
    const piece = graph.index(index.at(-1)!);
    return graph.expression(to, { name: 'bitcast_piece' }, [at(index.slice(0, -1)), piece], 1);
  }
  const parts = Array.from({ length: toBits / fromBits }, (_, k) => at([...index, constantIndex(k)]));
  return graph.expression(to, { name: 'bitcast_join' }, parts, parts.length);
}

/** The operand that a result of a barrier equals. */
function passedThrough(op: Op<'optimization_barrier'>, result: Value): Value {
  const operand = op.operands[result.index];
  invariant(operand !== undefined, 'a barrier has a result for each operand');
  return operand;
}

export class Evaluator {
  readonly scope: Scope;
  readonly #memo = new Map<string, Node>();

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** One element of `value`. Under `guards`, memory is only read where they hold; elsewhere the result is not used. */
  at(value: Value, index: readonly Index[], guards: readonly Guard[] = []): Node {
    let key = String(value.id);
    for (const i of index) key += ` ${i.key}`;
    if (guards.length > 0) key += ` ? ${guards.map(g => `${g.index.key}@${g.low}:${g.high}:${g.modulus}`).join()}`;
    const known = this.#memo.get(key);
    if (known) return known;
    const { op } = value;
    const node =
      op !== undefined && this.scope.computes(value)
        ? this.#compute(op, value, index, guards)
        : this.scope.leaf(value, index, guards);
    this.#memo.set(key, node);
    return node;
  }

  #compute(op: Op, value: Value, index: readonly Index[], guards: readonly Guard[]): Node {
    if (isView(op)) return this.at(op.operands[0], viewIndex(op, index), guards);
    invariant(isIn(this.#rules, op), `${op.name} is not computed element by element`);
    return dispatch(this.#rules, op, value, index, guards);
  }

  /** A scalar op of the elements of the operands at the same index. */
  #scalar(op: Op<ScalarOpName>, value: Value, index: readonly Index[], guards: readonly Guard[]): Node {
    const args = op.operands.map(v => (shapeOf(v).length === 0 ? this.at(v, [], []) : this.at(v, index, guards)));
    return scalarNode(this.scope.graph, op, tensorTypeOf(value).elementType, args);
  }

  readonly #rules: PerOp<ComputedName, Node, [Value, readonly Index[], readonly Guard[]]> = {
    ...forAll(scalarOpNames, this.#scalar.bind(this)),
    constant: (_op, value) => {
      const literal = literalNode(this.scope.graph, value);
      invariant(literal !== undefined, 'a constant of many values must be read from memory');
      return literal;
    },
    iota: (op, value, index) =>
      converted(
        this.scope.graph,
        this.scope.graph.index(index[op.attributes.iotaDimension]!),
        tensorTypeOf(value).elementType,
      ),
    pad: (op, _value, index, guards) => {
      const { index: inner, guards: needed } = padIndex(op, index);
      return this.#guarded(
        needed,
        guards,
        inside => this.at(op.operands[0], inner, inside),
        () => this.at(op.operands[1], [], guards),
      );
    },
    concatenate: (op, _value, index, guards) => {
      const parts = zip(concatenateParts(op, index), op.operands);
      const from = (k: number): Node => {
        const [part, operand] = parts[k]!;
        if (k === parts.length - 1) return this.at(operand, part.index, [...guards, part.guard]);
        return this.#guarded(
          [part.guard],
          guards,
          inside => this.at(operand, part.index, inside),
          () => from(k + 1),
        );
      };
      return from(0);
    },
    gather: (op, _value, index, guards) =>
      this.at(
        op.operands[0],
        gatherIndex(op, index, (batch, component, d) => {
          const limit = elementAt(shapeOf(op.operands[0]), d) - elementAt(op.attributes.sliceSizes, d);
          return this.#start(op.operands[1], startIndexAt(op, batch, component), limit, guards);
        }),
        guards,
      ),
    dynamic_slice: (op, _value, index, guards) => {
      const [x, ...starts] = op.operands;
      const shape = shapeOf(x);
      const inner = zip(index, starts).map(([i, start], d) =>
        add(i, this.#start(start, [], shape[d]! - op.attributes.sliceSizes[d]!, guards)),
      );
      return this.at(x, inner, guards);
    },
    dynamic_update_slice: (op, _value, index, guards) => {
      const [x, update, ...starts] = op.operands;
      const sizes = shapeOf(update);
      const inner = zip(index, starts).map(([i, start], d) =>
        add(i, scale(this.#start(start, [], shapeOf(x)[d]! - sizes[d]!, guards), -1)),
      );
      const needed = inner.map((i, d): Guard<number> => ({ index: i, low: 0, high: sizes[d]! }));
      return this.#guarded(
        needed,
        guards,
        inside => this.at(update, inner, inside),
        () => this.at(x, index, guards),
      );
    },
    optimization_barrier: (op, value, index, guards) => this.at(passedThrough(op, value), index, guards),
    bitcast_convert: (op, _value, index, guards) =>
      bitcastNode(this.scope.graph, op, index, at => this.at(op.operands[0], at, guards)),
    rng_bit_generator: (op, value, index) => {
      const { graph } = this.scope;
      const state = op.operands[0];
      const words = Array.from({ length: elementCount(shapeOf(state)) }, (_, i) =>
        this.at(state, [constantIndex(i)], []),
      );
      return value.index === 0 ? advancedState(graph, op, words, index[0]!) : randomElement(graph, op, words, index);
    },
    reduce: (op, value, index) => {
      invariant(this.scope.reduceAt, 'a reduce in a kernel that has no reductions');
      const { index: inner, over } = this.scope.reduceAt(op, index);
      const groups = reductionOperands(op.operands);
      // no guards: it has separate loops, and the index of a reduce that is computed here is within its bounds
      const inputs = groups.map(({ input }) => this.at(input, inner, []));
      const inits = groups.map(({ init }) => this.at(init, [], []));
      const captured = [...capturesOf(op)].map(v => [v, this.at(v, [], [])] as const);
      return this.scope.graph.reduce(op, inputs, inits, captured, over)[value.index]!;
    },
  };

  #guarded(
    needed: readonly Guard<number>[],
    outer: readonly Guard[],
    onTrue: (inside: readonly Guard[]) => Node,
    onFalse: () => Node,
  ): Node {
    const simple = simplifyGuards(needed);
    if (simple === 'always') return onTrue(outer);
    if (simple === 'never') return onFalse();
    return this.scope.graph.guarded(simple, onTrue([...outer, ...simple]), onFalse());
  }

  /** A start index read from memory, clamped to [0, limit]. */
  #start(value: Value, index: readonly Index[], limit: number, guards: readonly Guard[]): Index {
    if (limit === 0) return constantIndex(0);
    const node = this.at(value, index, guards);
    if (node.kind === 'index' && node.index.min >= 0 && node.index.max <= limit) return node.index;
    const clamped = this.scope.graph.expression('i64', { name: 'clamp_index', limit }, [node], 1);
    return dataIndex(clamped, limit);
  }
}
