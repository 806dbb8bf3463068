// How attention is computed where the sequence is divided over ranks along an axis of the mesh: a setting of the device, which
// `contextParallel` makes. By default, the partitioner gathers keys and values.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { cat, collectives, type Device, shardMap, type Tensor, where } from '../../tensor/index.ts';

/** How attention gets the keys and values of other ranks. */
export type ContextAttentionKind = 'all_gather' | 'ring' | 'ulysses';
export interface ContextAttention {
  readonly attention: ContextAttentionKind;
  readonly mesh: DeviceMesh;
  /** The axis along which sequences are divided. */
  readonly axis: string;
  /** Whether decoders order sequences such that causal attention is equal work for all ranks. */
  readonly isBalanced: boolean;
}

const settings = new WeakMap<Device, ContextAttention>();
/** @internal For `contextParallel`. */
export const setContextAttention = (device: Device, context: ContextAttention): void =>
  void settings.set(device, context);
/** Undefined if the device has no such mesh, or attention gathers. */
export const contextAttentionOf = (device: Device): ContextAttention | undefined => settings.get(device);
export const sizeAlong = ({ mesh, axis }: ContextAttention): number =>
  mesh.axes.find(({ name }) => name === axis)?.size ?? 1;

/**
 * @internal Sequences in head-tail order: of 2 n chunks, rank r of n has r and 2 n − 1 − r, so that in causal attention all ranks
 * have equally many pairs of queries and keys.
 *
 *   n = 2      in order  0 1 | 2 3        head-tail  0 3 | 1 2
 */
export interface SequenceOrder {
  /** [B, T, …] in head-tail order. */
  balanced(x: Tensor): Tensor;
  /** [B, T, …] back in its own order. */
  natural(x: Tensor): Tensor;
  /** [.., T, E], which every rank has whole, in head-tail order. */
  rows(table: Tensor): Tensor;
}

/** @internal Undefined if sequences of this length stay in their order. */
export function sequenceOrder(device: Device, length: number): SequenceOrder | undefined {
  const context = contextAttentionOf(device);
  if (context === undefined || !context.isBalanced) return undefined;
  const { mesh, axis } = context;
  const n = sizeAlong(context);
  if (n === 1 || length % (2 * n) !== 0) return undefined;
  const homeOf = (chunk: number): number => (chunk < n ? chunk : 2 * n - 1 - chunk);
  // Rank r has chunks 2r and 2r + 1. Each rank gets one of the even ones and one of the odd ones.
  const [evens, odds] = [0, 1].map(odd => Array.from({ length: n }, (_, r) => [r, homeOf(2 * r + odd)] as const));
  const back = (pairs: readonly (readonly [number, number])[]) => pairs.map(([from, to]) => [to, from] as const);
  const halves = (x: Tensor): readonly [Tensor, Tensor] => {
    const size = x.shape[1]! / 2;
    return [x.narrow(1, 0, size), x.narrow(1, size, size)];
  };
  const isEven = (): Tensor => collectives.axisIndex(axis).remainder(2).eq(0);
  const onParts = (fn: (x: Tensor) => Tensor) => {
    const specs = { inSpecs: [[null, axis]], outSpecs: [null, axis] } as const;
    return shardMap(fn as (...args: readonly Tensor[]) => Tensor, { mesh, ...specs, axisNames: [axis] });
  };
  return {
    balanced: onParts(x => {
      const [first, second] = halves(x);
      const even = collectives.permute(first, axis, evens!);
      const odd = collectives.permute(second, axis, odds!);
      return cat([where(isEven(), even, odd), where(isEven(), odd, even)], 1);
    }),
    natural: onParts(x => {
      const [head, tail] = halves(x);
      const even = where(isEven(), head, tail);
      const odd = where(isEven(), tail, head);
      return cat([collectives.permute(even, axis, back(evens!)), collectives.permute(odd, axis, back(odds!))], 1);
    }),
    rows: table => {
      const dim = table.ndim - 2;
      const size = length / (2 * n);
      const chunks = Array.from({ length: n }, (_, r) => [r, 2 * n - 1 - r]).flat();
      return cat(
        chunks.map(chunk => table.narrow(dim, chunk * size, size)),
        dim,
      );
    },
  };
}
