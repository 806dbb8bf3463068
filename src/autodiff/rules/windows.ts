// Gradient rules of reduce_window and select_and_scatter: pooling, forwards and backwards.
//
//   a sum over windows      ← a sum over windows of the cotangent, with strides and dilations swapped
//   a maximum over windows  ← select_and_scatter: each window sends its cotangent to its first largest element
//   select_and_scatter      ← the cotangent at the position that each window selected
import type { OpAttributes } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { reductionOperands } from '../../hlo/operand-groups.ts';
import { type OpOf, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import { combinerOf, pairSelectorOf, type Selector, selectorOf } from '../combiner.ts';
import { dilated, splatOf, sumAll, zeroScalar, zerosLike } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

type Windowed = OpAttributes['reduce_window'];

/** Sums over windows of x. */
function sumWindows(b: Builder, x: Value, window: Windowed): Value {
  return b.emit1('reduce_window', [x, zeroScalar(b, x)], window, [b.combiner('add', tensorTypeOf(x).elementType)]);
}

/** The window attributes that carry a cotangent of shape `out` back to an operand of shape `operand`. */
function transposedWindow(window: Windowed, operand: readonly number[], out: readonly number[]): Windowed {
  const padding = operand.map((size, d): [number, number] => {
    const reach = dilated(window.windowDimensions[d]!, window.windowDilations[d]!);
    const low = reach - window.padding[d]![0] - 1;
    const whole = dilated(size, window.baseDilations[d]!);
    return [low, whole + reach - 1 - dilated(out[d]!, window.windowStrides[d]!) - low];
  });
  return { ...window, windowStrides: window.baseDilations, baseDilations: window.windowStrides, padding };
}

/** The initial value is in every window once, and at the position of each padded element. */
function sumOfInits(b: Builder, g: Value, x: Value, window: Windowed): Value {
  const elements = sumWindows(b, b.fill(tensorTypeOf(g).elementType, shapeOf(x), 1), window);
  return sumAll(b, b.multiply(g, b.subtract(b.like(g, elementCount(window.windowDimensions) + 1), elements)));
}

/** Windows that cover every element of an undilated operand, as select_and_scatter requires. */
const isPlain = (window: Windowed): boolean =>
  window.baseDilations.every(d => d === 1) &&
  window.windowDilations.every(d => d === 1) &&
  window.padding.flat().every(p => p >= 0);

/** Each window adds its g to the element of x that it selects. */
function scatterToSelected(
  b: Builder,
  { direction }: Pick<Selector, 'direction'>,
  g: Value,
  x: Value,
  window: Windowed,
): Value {
  const { elementType } = tensorTypeOf(x);
  const scalar = tensorType(elementType);
  const select = b.region([scalar, scalar], (inner, [a, c]) => [inner.compare(direction, a!, c!)]);
  const { windowDimensions, windowStrides, padding } = window;
  return b.emit1('select_and_scatter', [x, g, zeroScalar(b, x)], { windowDimensions, windowStrides, padding }, [
    select,
    b.combiner('add', elementType),
  ]);
}

/**
 * The same for any dilation: one strided slice of the padded operand per window position; the first that equals the
 * result takes the cotangent. It needs one set of ops per window position, so it is used only if select_and_scatter does not
 * apply.
 */
function unrolledExtremum(b: Builder, g: Value, x: Value, z: Value, init: Value, window: Windowed): Value {
  const low = window.padding.map(p => p[0]);
  const high = window.padding.map(p => p[1]);
  const holes = window.baseDilations.map(d => d - 1);
  const padded = b.pad(x, init, low, high, holes);
  const isElement = b.pad(b.fill('i1', shapeOf(x), true), b.fill('i1', [], false), low, high, holes);
  const out = shapeOf(z);
  let free: Value = b.fill('i1', out, true);
  let total: Value = zerosLike(b, padded);
  for (let place = 0; place < elementCount(window.windowDimensions); place++) {
    const starts: number[] = [];
    for (let d = out.length - 1, rest = place; d >= 0; d--) {
      starts[d] = (rest % window.windowDimensions[d]!) * window.windowDilations[d]!;
      rest = Math.floor(rest / window.windowDimensions[d]!);
    }
    const limits = starts.map((s, d) => s + (out[d]! - 1) * window.windowStrides[d]! + 1);
    const at = (v: Value): Value => b.slice(v, starts, limits, window.windowStrides);
    const takes = b.binary('and', b.binary('and', b.compare('EQ', at(padded), z), at(isElement)), free);
    free = b.binary('and', free, b.unary('not', takes));
    const after = shapeOf(padded).map((size, d) => size - limits[d]!);
    const mine = b.select(takes, g, zerosLike(b, g));
    total = b.add(
      total,
      b.pad(
        mine,
        zeroScalar(b, g),
        starts,
        after,
        window.windowStrides.map(s => s - 1),
      ),
    );
  }
  const whole = b.pad(
    total,
    zeroScalar(b, g),
    low.map(n => Math.max(0, -n)),
    high.map(n => Math.max(0, -n)),
  );
  const starts = low.map(n => Math.max(0, n));
  const limits = shapeOf(x).map((size, d) => starts[d]! + dilated(size, window.baseDilations[d]!));
  return b.slice(whole, starts, limits, window.baseDilations);
}

type Pair = readonly [x: Value | undefined, init: Value | undefined];

function extremum(
  b: Builder,
  kind: 'maximum' | 'minimum',
  g: Value,
  op: OpOf<'reduce_window'>,
  i: number,
  needsInit: boolean,
): Pair {
  const z = op.results[i]!;
  const operands = reductionOperands(op.operands)[i]!;
  const x = b.convert(operands.input, tensorTypeOf(z).elementType);
  const init = b.convert(operands.init, tensorTypeOf(z).elementType);
  const initial = splatOf(init);
  const initCanWin = initial === undefined || Number.isFinite(initial);
  // A finite initial value counts as an element of each window: if it is the result, no element gets a gradient.
  const initWins = initCanWin ? b.compare('EQ', z, b.broadcastInDim(init, [], shapeOf(z))) : undefined;
  const ofElements = initWins === undefined ? g : b.select(initWins, zerosLike(b, g), g);
  const dx = isPlain(op.attributes)
    ? scatterToSelected(b, { direction: kind === 'maximum' ? 'GE' : 'LE' }, ofElements, x, op.attributes)
    : unrolledExtremum(b, ofElements, x, z, init, op.attributes);
  return [dx, needsInit && initWins ? sumAll(b, b.select(initWins, g, zerosLike(b, g))) : undefined];
}

/** A reduction of pairs (element, companion) to the selected pair, which is the gradient of select_and_scatter. */
function selectedPair(
  b: Builder,
  op: OpOf<'reduce_window'>,
  selector: Selector,
  cotangents: readonly (Value | undefined)[],
) {
  const [x] = op.operands;
  const back = cotangents.map(g =>
    g === undefined ? undefined : scatterToSelected(b, selector, g, x!, op.attributes),
  );
  return [...back, undefined, undefined];
}

const reduceWindowRule: GradientRule<'reduce_window'> = ({ builder: b, op, cotangents, needs, refuse }) => {
  const n = cotangents.length;
  const selector = pairSelectorOf(op.regions[0]);
  const operands = reductionOperands(op.operands);
  const initial = operands[0] && splatOf(operands[0].init);
  if (selector && isPlain(op.attributes) && initial !== undefined && !Number.isFinite(initial)) {
    return selectedPair(b, op, selector, cotangents);
  }
  const pairs = operands.map(({ input: x, init }, i): Pair => {
    const g = cotangents[i];
    if (g === undefined || elementCount(shapeOf(g)) === 0) return [undefined, undefined];
    const combiner = combinerOf(op.regions[0], i, n);
    switch (combiner) {
      case 'add':
        return [
          needs(x) ? sumWindows(b, g, transposedWindow(op.attributes, shapeOf(x), shapeOf(g))) : undefined,
          needs(init) ? sumOfInits(b, g, x, op.attributes) : undefined,
        ];
      case 'maximum':
      case 'minimum':
        return extremum(b, combiner, g, op, i, needs(init));
      default:
        return refuse('its region is not a plain add, maximum or minimum');
    }
  });
  return [...pairs.map(pair => pair[0]), ...pairs.map(pair => pair[1])];
};

const selectAndScatterRule: GradientRule<'select_and_scatter'> = ({
  builder: b,
  op,
  cotangents: [g],
  needs,
  refuse,
}) => {
  const [x, source, init] = op.operands;
  const [select, scatter] = op.regions;
  const { elementType } = tensorTypeOf(x);
  const selector = selectorOf(select) ?? refuse('its select region is not a plain comparison');
  if (combinerOf(scatter, 0, 1) !== 'add') refuse('its scatter region is not a plain add');
  const ofSource = (): Value => {
    // Reduces pairs (element, cotangent at its position) to the pair with the selected element.
    const scalar = tensorType(elementType);
    const region = b.region([scalar, scalar, scalar, scalar], (inner, [a, ga, c, gc]) => {
      const keep = inner.compare(selector.direction, a!, c!);
      return [inner.select(keep, a!, c!), inner.select(keep, ga!, gc!)];
    });
    const ones = shapeOf(x).map(() => 1);
    const lowest = b.fill(
      elementType,
      [],
      selector.prefers === 'maximum' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
    );
    const window = { ...op.attributes, baseDilations: ones, windowDilations: ones };
    return b.emit('reduce_window', [x, g, lowest, zeroScalar(b, g)], window, [region])[1]!;
  };
  // The operand only determines positions: its gradient is zero.
  return [undefined, needs(source) ? ofSource() : undefined, needs(init) ? sumAll(b, g) : undefined];
};

export const windowRules = {
  reduce_window: reduceWindowRule,
  select_and_scatter: selectAndScatterRule,
} satisfies Partial<GradientTable>;
