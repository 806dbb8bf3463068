// Collectives among some of the ranks, those that hand parts around, and send and recv: calls of the runtime's exchange, in
// the step function itself. All ranks share one program: who is with whom are tables of it, which each rank reads at its place.
import { invariant, TrenioError } from '../../../base/errors.ts';
import { type Module, type Op, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { byteSize, elementBytes, elementCount } from '../../../hlo/types.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import {
  coversAll,
  type GroupOp,
  type Groups,
  groupsOf,
  processCount,
  routesOf,
  upTo,
} from '../../lowering/collective-groups.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import { exchangeKinds } from '../../target/runtime-abi.ts';
import type { KernelText } from '../kernel-text.ts';
import { memoryType } from '../scalar/c-types.ts';
import { nativeReductionOf } from './collective-calls.ts';

type ExchangeName = keyof typeof exchangeKinds;

function refused(op: Op, what: string, instead: string): TrenioError {
  return new TrenioError(
    'UNSUPPORTED',
    { what: `${op.name} ${what}`, where: 'the C compiler backend', instead },
    { location: op.location },
  );
}

const table = (name: string, numbers: readonly number[]): string =>
  `static const int32_t ${name}[] = {${numbers.join(', ')}};`;

/** Tables of groups, one after another, and where the group of each rank begins and how many it has. */
function groupTables(groups: Groups, processes: number): string[] {
  const first = new Array<number>(processes).fill(0);
  const members = new Array<number>(processes).fill(0);
  let at = 0;
  for (const group of groups) {
    for (const p of group) {
      first[p] = at;
      members[p] = group.length;
    }
    at += group.length;
  }
  return [
    table('ranks', groups.length === 0 ? [0] : groups.flat()),
    table('firsts', first),
    table('sizes', members),
    'const int32_t *const group = ranks + firsts[rt->rank];',
    'const int32_t members = sizes[rt->rank];',
  ];
}

interface Call {
  readonly op: Op<ExchangeName>;
  /** C of the members of the description, after the kind and the channel. */
  readonly fields: string;
  /** Numbers, or C of numbers known at run time. */
  readonly counts: readonly (number | string)[];
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
}
function call({ op, fields, counts, inputs, outputs }: Call): string[] {
  const { channelId = 0 } = op.attributes;
  const list = (name: string, type: string, pointers: readonly string[] | undefined): string =>
    pointers === undefined ? '' : `  ${type} ${name}[] = {${pointers.join(', ')}};`;
  return [
    '{',
    `  ${counts.every(n => typeof n === 'number') ? 'static ' : ''}const int64_t counts[] = {${counts.join(', ')}};`,
    list('in', 'const void *const', inputs),
    list('out', 'void *const', outputs),
    `  const trenio_exchange x = {.kind = ${exchangeKinds[op.name]}, .channel = ${BigInt.asIntN(32, BigInt(channelId))}, ${fields}, .tensors = ${counts.length}, .counts = counts};`,
    `  const int error = rt->exchange(rt, &x, ${inputs ? 'in' : '0'}, ${outputs ? 'out' : '0'});`,
    '  if (error) return error;',
    '}',
  ].filter(line => line !== '');
}
const ofGroup = '.group = group, .members = members, .source = -1, .target = -1';
const sizeCheck = (processes: number): string => `if (rt->world_size != ${processes}) return -1;`;
const isTensor = (v: Value): boolean => v.type.kind === 'tensor';

/** Rows of memory copied, `outer` times `parts` of them: C of both indices `o` and `k`. */
function copyRows(outer: number, parts: number, to: string, from: string, bytes: number): string {
  return `for (int64_t o = 0; o < ${outer}; o++) for (int64_t k = 0; k < ${parts}; k++) __builtin_memcpy(${to}, ${from}, ${bytes});`;
}

/** The kernel of an op that exchanges, except among all ranks where the runtime has a call for that. */
export function buildExchange(op: Op<ExchangeName>, module: Module): KernelText {
  switch (op.name) {
    case 'all_reduce':
      return allReduce(op, module);
    case 'all_gather':
      return allGather(op, module);
    case 'reduce_scatter':
      return reduceScatter(op, module);
    case 'all_to_all':
      return allToAll(op, module);
    case 'collective_broadcast':
      return broadcast(op, module);
    default:
      return handOn(op, module);
  }
}

function allGroups(op: GroupOp, module: Module): Groups {
  const groups = groupsOf(op, module);
  if (!coversAll(groups, processCount(module)))
    throw refused(
      op,
      `over groups that are not all ${processCount(module)} processes`,
      'put each process into one group',
    );
  return groups;
}
function inputsAndOutputs(op: Op): KernelOperand[] {
  return op.operands.flatMap((v, i): KernelOperand[] => [
    { value: storageRootOf(v), access: 'read' },
    { value: op.results[i]!, access: 'write' },
  ]);
}

/** C that all-reduces memory in place within the groups of an op; for sizes that are known at run time. */
export function groupAllReduce(
  op: Op<'all_reduce'>,
  module: Module,
  {
    dtype,
    how,
    count,
    memory,
  }: { readonly dtype: number; readonly how: number; readonly count: number | string; readonly memory: string },
): string[] {
  const fields = `${ofGroup}, .dtype = ${dtype}, .op = ${how}`;
  return [
    sizeCheck(processCount(module)),
    '{',
    ...groupTables(allGroups(op, module), processCount(module)),
    ...call({ op, fields, counts: [count], outputs: [memory] }),
    '}',
  ];
}

function allReduce(op: Op<'all_reduce'>, module: Module): KernelText {
  const groups = allGroups(op, module);
  const parts = op.operands.map(v => ({ value: v, ...nativeReductionOf(op, v) }));
  const operands = op.operands.flatMap((v, i): KernelOperand[] => [
    { value: storageRootOf(v), access: 'read' },
    { value: op.results[i]!, access: 'write', inPlaceOf: [2 * i] },
  ]);
  return {
    code: '',
    operands,
    workspaceBytes: 0,
    inline: p => [
      '// all_reduce in groups',
      sizeCheck(processCount(module)),
      ...groupTables(groups, processCount(module)),
      ...parts.flatMap(({ value }, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        return from === to ? [] : [`__builtin_memcpy(${to}, ${from}, ${byteSize(tensorTypeOf(value))});`];
      }),
      ...[...Map.groupBy(parts.keys(), i => `${parts[i]!.dtype} ${parts[i]!.how}`)].flatMap(([, members]) => {
        const { dtype, how } = parts[members[0]!]!;
        return call({
          op,
          fields: `${ofGroup}, .dtype = ${dtype}, .op = ${how}`,
          counts: members.map(i => elementCount(shapeOf(parts[i]!.value))),
          outputs: members.map(i => p[2 * i + 1]!),
        });
      }),
    ],
  };
}

function allGather(op: Op<'all_gather'>, module: Module): KernelText {
  const groups = allGroups(op, module);
  const { allGatherDim } = op.attributes;
  const parts = op.operands.map((v, i) => {
    const shape = shapeOf(v);
    const members = shapeOf(op.results[i]!)[allGatherDim]! / Math.max(1, shape[allGatherDim]!);
    return { bytes: byteSize(tensorTypeOf(v)), outer: elementCount(shape.slice(0, allGatherDim)), members };
  });
  requireSize(op, groups, parts[0]!.members);
  const operands = inputsAndOutputs(op);
  return {
    code: '',
    operands,
    workspaceBytes: Math.max(0, ...parts.map(p => (p.outer === 1 ? 0 : p.bytes * p.members))),
    inline: p => [
      '// all_gather in groups',
      sizeCheck(processCount(module)),
      ...groupTables(groups, processCount(module)),
      ...parts.flatMap(({ bytes, outer, members }, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        const gathered = outer === 1 ? to : p[operands.length]!;
        const row = bytes / outer;
        return [
          ...call({ op, fields: ofGroup, counts: [bytes], inputs: [from], outputs: [gathered] }),
          ...(outer === 1
            ? []
            : [
                copyRows(
                  outer,
                  members,
                  `${to} + (o * ${members} + k) * ${row}`,
                  `${gathered} + k * ${bytes} + o * ${row}`,
                  row,
                ),
              ]),
        ];
      }),
    ],
  };
}
function requireSize(op: GroupOp, groups: Groups, members: number): void {
  const other = groups.find(g => g.length !== members);
  if (other === undefined) return;
  throw refused(op, `over a group of ${other.length} where its type is for ${members}`, 'use groups of one size');
}

function reduceScatter(op: Op<'reduce_scatter'>, module: Module): KernelText {
  const [x] = op.operands;
  const shape = shapeOf(x);
  const d = op.attributes.scatterDimension;
  const members = shape[d]! / Math.max(1, shapeOf(op.results[0])[d]!);
  // A module of one process may be run by any number of ranks: the types tell how many.
  const processes = processCount(module) === 1 ? members : processCount(module);
  const groups = processCount(module) === 1 ? [upTo(members)] : allGroups(op, module);
  requireSize(op, groups, members);
  const outer = elementCount(shape.slice(0, d));
  const count = elementCount(shape) / members;
  const row = (elementCount(shape.slice(d)) / members) * elementBytes(tensorTypeOf(x).elementType);
  const { dtype, how } = nativeReductionOf(op, x);
  return {
    code: '',
    operands: inputsAndOutputs(op),
    workspaceBytes: outer === 1 ? 0 : byteSize(tensorTypeOf(x)),
    inline: ([from, to, workspace]) => [
      '// reduce_scatter',
      sizeCheck(processes),
      ...groupTables(groups, processes),
      ...(outer === 1
        ? []
        : [
            copyRows(
              outer,
              members,
              `${workspace} + (k * ${outer} + o) * ${row}`,
              `${from} + (o * ${members} + k) * ${row}`,
              row,
            ),
          ]),
      ...call({
        op,
        fields: `${ofGroup}, .dtype = ${dtype}, .op = ${how}`,
        counts: [count],
        inputs: [outer === 1 ? from! : workspace!],
        outputs: [to!],
      }),
    ],
  };
}

function allToAll(op: Op<'all_to_all'>, module: Module): KernelText {
  const groups = allGroups(op, module);
  const { splitDimension, concatDimension, splitCount } = op.attributes;
  requireSize(op, groups, splitCount);
  const operands = inputsAndOutputs(op);
  const parts = op.operands.map(v => {
    const whole = shapeOf(v);
    const bytes = byteSize(tensorTypeOf(v)) / splitCount;
    const size = elementBytes(tensorTypeOf(v).elementType);
    const part = whole.with(splitDimension, whole[splitDimension]! / splitCount);
    return {
      bytes,
      splits: elementCount(whole.slice(0, splitDimension)),
      splitRow: elementCount(part.slice(splitDimension)) * size,
      joins: elementCount(part.slice(0, concatDimension)),
      joinRow: elementCount(part.slice(concatDimension)) * size,
    };
  });
  // The parts one after another, as they are sent and as they come.
  const workspaceOf = ({ bytes, splits, joins }: (typeof parts)[number]): number =>
    splitCount * bytes * (Number(splits !== 1) + Number(joins !== 1));
  return {
    code: '',
    operands,
    workspaceBytes: Math.max(0, ...parts.map(workspaceOf)),
    inline: p => [
      '// all_to_all',
      sizeCheck(processCount(module)),
      ...groupTables(groups, processCount(module)),
      ...parts.flatMap(({ bytes, splits, splitRow, joins, joinRow }, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        const workspace = p[operands.length]!;
        const sent = splits === 1 ? from : workspace;
        const got = joins === 1 ? to : splits === 1 ? workspace : `(${workspace} + ${splitCount * bytes})`;
        const pack = copyRows(
          splits,
          splitCount,
          `${sent} + (k * ${splits} + o) * ${splitRow}`,
          `${from} + (o * ${splitCount} + k) * ${splitRow}`,
          splitRow,
        );
        const unpack = copyRows(
          joins,
          splitCount,
          `${to} + (o * ${splitCount} + k) * ${joinRow}`,
          `${got} + k * ${bytes} + o * ${joinRow}`,
          joinRow,
        );
        return [
          ...(splits === 1 ? [] : [pack]),
          ...call({ op, fields: ofGroup, counts: [bytes], inputs: [sent], outputs: [got] }),
          ...(joins === 1 ? [] : [unpack]),
        ];
      }),
    ],
  };
}

/** C that fills what nothing is sent to: zeros, as the op has it. */
function nothing(value: Value, to: string): string {
  const type = tensorTypeOf(value);
  const zeroPoint = type.quantization?.zeroPoints[0] ?? 0;
  if (zeroPoint === 0) return `__builtin_memset(${to}, 0, ${byteSize(type)});`;
  const c = memoryType(type.elementType);
  return `for (int64_t i = 0; i < ${elementCount(type.shape)}; i++) ((${c} *)(void *)(${to}))[i] = (${c})${zeroPoint};`;
}

function broadcast(op: Op<'collective_broadcast'>, module: Module): KernelText {
  const groups = groupsOf(op, module);
  const processes = processCount(module);
  if (groups.flat().some(p => p >= processes))
    throw refused(op, `to more than ${processes} processes`, 'name processes that there are');
  const { hasDynamicRoot } = op.attributes;
  const data = hasDynamicRoot ? op.operands.slice(0, -1) : op.operands;
  const operands: KernelOperand[] = data.flatMap((v, i): KernelOperand[] => [
    { value: storageRootOf(v), access: 'read' },
    { value: op.results[i]!, access: 'write' },
  ]);
  if (hasDynamicRoot) operands.push({ value: storageRootOf(op.operands.at(-1)!), access: 'read' });
  return {
    code: '',
    operands,
    workspaceBytes: 0,
    inline: p => [
      '// collective_broadcast',
      sizeCheck(processes),
      ...groupTables(groups, processes),
      ...data.flatMap((v, i) => {
        const [from, to] = [p[2 * i]!, p[2 * i + 1]!];
        const bytes = byteSize(tensorTypeOf(v));
        const root = hasDynamicRoot ? `((const int32_t *)(const void *)(${p[2 * data.length]!}))[${i}]` : '0';
        return [
          `if (members == 0) ${nothing(v, to)}`,
          'else {',
          `  const int32_t root = ${root};`,
          '  const int32_t source = group[root < 0 ? 0 : root < members ? root : members - 1];',
          `  if (source == rt->rank) __builtin_memcpy(${to}, ${from}, ${bytes});`,
          ...call({
            op,
            fields: '.group = group, .members = members, .source = source, .target = -1',
            counts: [bytes],
            inputs: [from],
            outputs: [to],
          }).map(line => `  ${line}`),
          '}',
        ];
      }),
    ],
  };
}

const said = { collective_permute: '// collective_permute', send: '// send', recv: '// recv' } as const;

function handOn(op: Op<'collective_permute' | 'send' | 'recv'>, module: Module): KernelText {
  const processes = processCount(module);
  const routes = routesOrSelf(op, module);
  const sent = op.name === 'recv' ? [] : op.operands.filter(isTensor);
  const received = op.name === 'send' ? [] : op.results.filter(isTensor);
  const operands: KernelOperand[] = [
    ...sent.map((v): KernelOperand => ({ value: storageRootOf(v), access: 'read' })),
    ...received.map((value): KernelOperand => ({ value, access: 'write' })),
  ];
  const counts = (sent.length > 0 ? sent : received).map(v => byteSize(tensorTypeOf(v)));
  return {
    code: '',
    operands,
    workspaceBytes: 0,
    inline: p => {
      const outputs = p.slice(sent.length, sent.length + received.length);
      const exchange = call({
        op,
        fields: '.source = source, .target = target',
        counts,
        ...(sent.length > 0 ? { inputs: p.slice(0, sent.length) } : {}),
        ...(received.length > 0 ? { outputs } : {}),
      });
      const ends = op.name === 'send' ? 'target' : op.name === 'recv' ? 'source' : undefined;
      return [
        said[op.name],
        sizeCheck(processes),
        table('sources', routes.sources),
        table('targets', routes.targets),
        'const int32_t source = sources[rt->rank], target = targets[rt->rank];',
        ...received.map((v, i) => `if (source < 0) ${nothing(v, outputs[i]!)}`),
        ...(counts.length === 0 ? ['(void)source, (void)target;'] : []),
        ...(counts.length > 0 ? (ends === undefined ? exchange : [`if (${ends} >= 0)`, ...exchange]) : []),
      ];
    },
  };
}
/** Without pairs, what one process sends it receives itself; of two, what one sends the other does. */
function routesOrSelf(op: Op<'collective_permute' | 'send' | 'recv'>, module: Module) {
  const processes = processCount(module);
  if (op.name !== 'collective_permute' && (op.attributes.sourceTargetPairs ?? []).length === 0) {
    if (processes > 2) throw refused(op, `without pairs of ${processes} processes`, 'say source_target_pairs');
    const ends = processes === 1 ? [0] : [1, 0];
    return { sources: ends, targets: ends };
  }
  const routes = routesOf(op, module);
  if (routes === undefined)
    throw refused(op, `between more than ${processes} processes`, 'name processes that there are');
  invariant(routes.sources.length === processes, 'a route for each process');
  return routes;
}
