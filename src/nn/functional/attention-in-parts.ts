// Attention where the sequence is divided over ranks, in the way that `contextParallel` has chosen. Where that does not fit the
// shapes, keys and values are gathered, as for every other op.
import { formatLocation, TrenioError } from '../../base/errors.ts';
import { warnOnce } from '../../base/warn-once.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import type { MeshAxisName } from '../../hlo/sharding/device-mesh.ts';
import type { DimSharding } from '../../hlo/sharding/sharding.ts';
import { type Device, meshName, type Trace, userLocation } from '../../tensor/index.ts';
import { type AttentionInputs, type AttentionOptions, attention, repeatHeads } from './attention.ts';
import { type ContextAttention, contextAttentionOf, sizeAlong } from './context-attention.ts';
import { ringAttention } from './ring-attention.ts';

interface Call {
  readonly b: Builder;
  readonly trace: Trace;
  readonly device: Device;
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  readonly inputs: AttentionInputs;
  readonly options: AttentionOptions;
}

export function attentionInParts(call: Call): Value {
  const context = contextAttentionOf(call.device);
  if (context === undefined || sizeAlong(context) === 1 || !isSelfAttention(call)) return plain(call);
  const length = shapeOf(call.q).at(-2)!;
  if (length % sizeAlong(context) !== 0) return gathered(call, context, `a sequence of ${length}`, sizeAlong(context));
  switch (context.attention) {
    case 'all_gather':
      return plain(call);
    case 'ulysses':
      return ulysses(call, context);
    case 'ring':
      return ring(call, context);
  }
}
const plain = ({ b, trace, device, q, k, v, inputs, options }: Call): Value =>
  attention(b, trace, device, q, k, v, inputs, options);

/** Keys and values are gathered, as the user did not ask for: a warning, once for each line. */
function gathered(call: Call, { attention: kind, axis }: ContextAttention, what: string, parts: number): Value {
  if (kind === 'all_gather') return plain(call);
  const location = userLocation();
  const text = `attention: '${kind}' gathers keys and values along ${axis}: ${what} is not a multiple of ${parts}`;
  warnOnce(
    `${text} ${location === undefined ? '' : formatLocation(location)}`,
    `${text}; use other sizes, or 'all_gather'`,
    location,
  );
  return plain(call);
}

/** Whether queries and keys are those of one sequence. */
function isSelfAttention({ q, k, v, options }: Call): boolean {
  const [sq, sk, sv] = [q, k, v].map(shapeOf) as [readonly number[], readonly number[], readonly number[]];
  const rank = sq.length;
  const length = sq[rank - 2];
  const heads = sq[rank - 3];
  const keyHeads = sk[rank - 3]!;
  const areGrouped = options.enableGqa === true && heads !== undefined && heads % keyHeads === 0;
  return (
    rank >= 3 &&
    [sk, sv].every(shape => shape.length === rank && shape[rank - 2] === length && shape[rank - 3] === keyHeads) &&
    [sk, sv].every(shape => shape.slice(0, -3).join() === sq.slice(0, -3).join()) &&
    sk[rank - 1] === sq[rank - 1] &&
    (heads === keyHeads || areGrouped)
  );
}

function ring({ b, trace, q, k, v, inputs, options }: Call, context: ContextAttention): Value {
  if (options.dropout)
    throw new TrenioError(
      'UNSUPPORTED',
      {
        what: 'dropout of attention weights',
        where: 'ring attention',
        instead: "use attention: 'ulysses', or no dropout",
      },
      { location: userLocation() },
    );
  const mesh = { axes: context.mesh.axes };
  const isBalanced = options.order === 'headtail';
  return ringAttention(b, trace, { q, k, v }, inputs, options, {
    mesh,
    axis: context.axis,
    size: sizeAlong(context),
    isBalanced,
  });
}

/** DeepSpeed-Ulysses (arXiv:2309.14509): each rank has all of the sequence, for some of the heads. */
function ulysses(call: Call, context: ContextAttention): Value {
  const { mesh, axis } = context;
  const { b, q, k, v } = call;
  const rank = shapeOf(q).length;
  const [heads, sequence] = [rank - 3, rank - 2];
  const layers = (['tp', 'tensor'] satisfies MeshAxisName[]).filter(name => mesh.size(name) > 1);
  const axes = [...layers, axis];
  const parts = axes.reduce((product, name) => product * mesh.axes.find(one => one.name === name)!.size, 1);
  const canShare = (x: Value): boolean => shapeOf(x)[heads]! % parts === 0;
  if (!canShare(q)) return gathered(call, context, `the number of heads, ${shapeOf(q)[heads]},`, parts);
  const constrained = (x: Value, dims: readonly DimSharding[]): Value =>
    b.emit1('sdy.sharding_constraint', [x], {
      sharding: { mesh: meshName, dims, replicated: [], unreduced: [], reduction: 'sum' },
    });
  const divided = (by: readonly string[], isOpen: boolean): DimSharding => ({
    axes: by.map(name => ({ name })),
    isOpen,
  });
  // Gradients are divided like the values: in both ways, one after the other.
  const byHeads = (x: Value): Value =>
    constrained(
      x,
      shapeOf(x).map((_, d) => divided(d === heads ? axes : [], d < heads)),
    );
  const bySequence = (x: Value): Value =>
    constrained(
      x,
      shapeOf(x).map((_, d) => divided(d === sequence ? [axis] : d === heads ? layers : [], d < heads)),
    );
  const [key, value] = [k, v].map(x => byHeads(canShare(x) ? bySequence(x) : repeatHeads(b, x, q))) as [Value, Value];
  return bySequence(byHeads(plain({ ...call, q: byHeads(bySequence(q)), k: key, v: value })));
}
