// Collectives: calls of the runtime, in the step function itself, so that an error ends the step. They run over all ranks
// of the program; those of some of them are in exchange-calls.ts.
import { TrenioError } from '../../../base/errors.ts';
import type { Collective } from '../../../hlo/attributes.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import { byteSize, elementCount } from '../../../hlo/types.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { nativeReduction } from '../../lowering/native-reduction.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { KernelText } from '../kernel-text.ts';

function unsupported(op: Op, what: string): TrenioError {
  return new TrenioError(
    'UNSUPPORTED',
    {
      what: `${op.name} ${what}`,
      where: 'the C compiler backend',
      instead: 'use one group of all ranks and f32, f64, bf16, f16, i32 or i64',
    },
    { location: op.location },
  );
}
function checkGroups(op: Op, { replicaGroups }: Collective): void {
  if (replicaGroups.length > 1) throw unsupported(op, `over ${replicaGroups.length} groups`);
}
export function nativeReductionOf(
  op: Op<'all_reduce' | 'reduce_scatter'>,
  value: Value,
): { dtype: number; how: number } {
  const type = tensorTypeOf(value).elementType;
  const native = nativeReduction(op.regions[0], type);
  if (native === undefined)
    throw unsupported(op, `of ${type} with ${reducerOf(op.regions[0]) ?? 'a region of its own'}`);
  return native;
}
function reduction(op: Op<'all_reduce'>, value: Value): string {
  const { dtype, how } = nativeReductionOf(op, value);
  return `${dtype}, ${how}`;
}
const call = (text: string): string => `{ const int error = ${text}; if (error) return error; }`;

function callAllReduce(tensors: readonly string[], counts: readonly number[], how: string): string[] {
  return [
    '{',
    `  void *const tensors[] = {${tensors.join(', ')}};`,
    `  const int64_t counts[] = {${counts.join(', ')}};`,
    `  const int error = rt->all_reduce(rt, tensors, counts, ${tensors.length}, ${how});`,
    '  if (error) return error;',
    '}',
  ];
}

export function buildAllReduce(op: Op<'all_reduce'>): KernelText {
  checkGroups(op, op.attributes);
  const operands: KernelOperand[] = [];
  op.operands.forEach((v, i) => {
    operands.push(
      { value: storageRootOf(v), access: 'read' },
      { value: op.results[i]!, access: 'write', inPlaceOf: [2 * i] },
    );
  });
  const parts = op.operands.map(v => ({
    bytes: byteSize(tensorTypeOf(v)),
    count: elementCount(shapeOf(v)),
    how: reduction(op, v),
  }));
  return {
    code: '',
    operands,
    workspaceBytes: 0,
    // One exchange for all operands of a type: a hundred small gradients meet at one barrier, not at a hundred.
    inline: p => [
      '// all_reduce',
      ...parts.flatMap(({ bytes }, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        return from === to ? [] : [`__builtin_memcpy(${to}, ${from}, ${bytes});`];
      }),
      ...[...Map.groupBy(parts.keys(), i => parts[i]!.how)].flatMap(([how, members]) =>
        callAllReduce(
          members.map(i => p[2 * i + 1]!),
          members.map(i => parts[i]!.count),
          how,
        ),
      ),
    ],
  };
}

export function buildAllGather(op: Op<'all_gather'>): KernelText {
  checkGroups(op, op.attributes);
  const { allGatherDim } = op.attributes;
  const operands: KernelOperand[] = [];
  op.operands.forEach((v, i) => {
    operands.push({ value: storageRootOf(v), access: 'read' }, { value: op.results[i]!, access: 'write' });
  });
  const parts = op.operands.map((v, i) => {
    const shape = shapeOf(v);
    const bytes = byteSize(tensorTypeOf(v));
    const outer = elementCount(shape.slice(0, allGatherDim));
    return { bytes, outer, ranks: (shapeOf(op.results[i]!)[allGatherDim] ?? 1) / Math.max(1, shape[allGatherDim]!) };
  });
  const workspaceBytes = Math.max(0, ...parts.map(p => (p.outer === 1 ? 0 : p.bytes * p.ranks)));
  return {
    code: '',
    operands,
    workspaceBytes,
    inline: p => [
      '// all_gather',
      `if (rt->world_size != ${parts[0]!.ranks}) return -1;`,
      ...parts.flatMap(({ bytes, outer, ranks }, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        if (outer === 1) return [call(`rt->all_gather(rt, ${from}, ${to}, ${bytes})`)];
        const row = bytes / outer;
        const workspace = p[operands.length]!;
        return [
          call(`rt->all_gather(rt, ${from}, ${workspace}, ${bytes})`),
          `for (int64_t r = 0; r < ${ranks}; r++) for (int64_t o = 0; o < ${outer}; o++) __builtin_memcpy(${to} + (o * ${ranks} + r) * ${row}, ${workspace} + r * ${bytes} + o * ${row}, ${row});`,
        ];
      }),
    ],
  };
}

/** The id of this process among the replicas, or among the partitions, of a module of so many partitions. */
export function printProcessId({ op, numPartitions }: OpKernelOf<'process-id'>): KernelText {
  const sign = op.name === 'replica_id' ? '/' : '%';
  return {
    code: '',
    operands: [{ value: op.results[0], access: 'write' }],
    workspaceBytes: 0,
    inline: ([to]) => [
      `*(uint32_t *)${to!.startsWith('(') ? to : `(${to})`} = (uint32_t)(rt->rank ${sign} ${numPartitions});`,
    ],
  };
}
