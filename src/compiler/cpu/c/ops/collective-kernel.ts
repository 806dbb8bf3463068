// Collectives as calls of the runtime, in the step function itself, so that an error ends the step. The calls and their arguments
// are data (ir/collective.ts); groups and routes are printed as tables, and each process reads its own row.
import { elementAt } from '../../../../base/element-at.ts';
import { assertNever } from '../../../../base/errors.ts';
import type {
  CollectivePart,
  CollectiveStep,
  Combination,
  Fill,
  PartLayout,
  Partners,
  Place,
} from '../../../ir/collective.ts';
import type { CollectiveName, OpKernelOf } from '../../ir/op-kernel.ts';
import { collectiveKinds, dataTypes, reductions } from '../../target/runtime-abi.ts';
import type { KernelText } from '../kernel-text.ts';
import { comment } from '../outside-text.ts';
import { memoryType } from '../scalar/c-types.ts';

type Kernel = OpKernelOf<'collective'>;
/** C of an address in the kernel's memory. */
type AddressOf = (place: Place) => string;

export function printCollective(kernel: Kernel): KernelText {
  const { op, partners, processes, steps, part } = kernel;
  if (part?.does === 'await') return { code: '', inline: () => [comment(`await ${op.name}`), ...awaitText(part)] };
  const inGroups = partners.kind === 'groups' && steps.some(s => s.kind === 'all-reduce' || s.kind === 'all-gather');
  return {
    code: '',
    inline: p => {
      const address: AddressOf = ({ slot, offset }) => (offset === 0 ? elementAt(p, slot) : `(${p[slot]} + ${offset})`);
      return [
        comment(`${part ? 'start ' : ''}${op.name}${inGroups ? ' in groups' : ''}`),
        ...(processes === undefined ? [] : [sizeCheck(processes)]),
        ...partnerTables(partners, processes ?? 1),
        ...(part ? [`const int32_t ticket = ${part.ticket};`] : []),
        ...steps.flatMap(step => printStep(step, kernel, address)),
      ];
    },
  };
}

/** An all-reduce of memory in place, of a number of elements that is known only at run time. */
export function printAllReduce(
  op: Kernel['op'],
  partners: Partners,
  processes: number,
  by: Combination,
  count: string,
  memory: string,
): string[] {
  const fields = `${ofGroup}, ${combinationText(by)}`;
  const tables = partnerTables(partners, processes);
  return [sizeCheck(processes), '{', ...tables, ...callCollective(op, fields, [count], undefined, [memory]), '}'];
}

const awaitText = ({ ticket }: CollectivePart): string[] => [
  `const int error = rt->await(rt, ${ticket});`,
  'if (error) return error;',
];

/** C of a call that starts a collective; one of all ranks has no group. */
function startText(step: StartedStep, { op, partners }: Kernel, address: AddressOf): string[] {
  const group = partners.kind === 'all' ? '.group = 0, .members = 0, .source = -1, .target = -1' : ofGroup;
  switch (step.kind) {
    case 'all-reduce': {
      const tensors = step.tensors.map(t => address(t.place));
      const counts = step.tensors.map(t => t.count);
      return callCollective(op, `${group}, ${combinationText(step.by)}`, counts, undefined, tensors, 'start');
    }
    case 'reduce-scatter': {
      const fields = `${group}, ${combinationText(step.by)}`;
      return callCollective(op, fields, [step.count], [address(step.from)], [address(step.to)], 'start');
    }
    case 'all-gather':
    case 'all-to-all':
      return callCollective(op, group, [step.bytes], [address(step.from)], [address(step.to)], 'start');
    default:
      return assertNever(step);
  }
}
type StartedStep = Extract<
  CollectiveStep,
  { kind: 'all-reduce' } | { kind: 'reduce-scatter' } | { kind: 'all-gather' | 'all-to-all' }
>;
const isStarted = (step: CollectiveStep): step is StartedStep =>
  step.kind === 'all-reduce' ||
  step.kind === 'reduce-scatter' ||
  step.kind === 'all-gather' ||
  step.kind === 'all-to-all';

function printStep(step: CollectiveStep, kernel: Kernel, address: AddressOf): string[] {
  const { op, partners } = kernel;
  if (kernel.part !== undefined && isStarted(step)) return startText(step, kernel, address);
  switch (step.kind) {
    case 'copy': {
      const [from, to] = [address(step.from), address(step.to)];
      return from === to ? [] : [`__builtin_memcpy(${to}, ${from}, ${step.bytes});`];
    }
    case 'pack':
    case 'unpack':
      return [printPartCopy(step.kind, step.layout, address(step.from), address(step.to))];
    case 'all-reduce': {
      const tensors = step.tensors.map(t => address(t.place));
      const counts = step.tensors.map(t => t.count);
      if (partners.kind === 'all') return callAllReduce(tensors, counts, step.by);
      return callCollective(op, `${ofGroup}, ${combinationText(step.by)}`, counts, undefined, tensors);
    }
    case 'reduce-scatter':
      return callCollective(
        op,
        `${ofGroup}, ${combinationText(step.by)}`,
        [step.count],
        [address(step.from)],
        [address(step.to)],
      );
    case 'all-gather':
    case 'all-to-all': {
      const [from, to] = [address(step.from), address(step.to)];
      if (partners.kind === 'all')
        return [`{ const int error = rt->all_gather(rt, ${from}, ${to}, ${step.bytes}); if (error) return error; }`];
      return callCollective(op, ofGroup, [step.bytes], [from], [to]);
    }
    case 'broadcast':
      return printBroadcast(step, op, address);
    case 'send-receive':
      return printSendReceive(step, op, address);
    default:
      return assertNever(step);
  }
}

// partners

const sizeCheck = (processes: number): string => `if (rt->world_size != ${processes}) return -1;`;
const table = (name: string, numbers: readonly number[]): string =>
  `static const int32_t ${name}[] = {${numbers.join(', ')}};`;
const ofGroup = '.group = group, .members = members, .source = -1, .target = -1';

/** Declares this process's `group` and `members`, or its `source` and `target`. */
function partnerTables(partners: Partners, processes: number): string[] {
  switch (partners.kind) {
    case 'all':
      return [];
    case 'groups':
      return groupTables(partners.groups, processes);
    case 'routes':
      return [
        table('sources', partners.sources),
        table('targets', partners.targets),
        'const int32_t source = sources[rt->rank], target = targets[rt->rank];',
      ];
    default:
      return assertNever(partners);
  }
}

/** The concatenated groups, and for each process the start and size of its group. */
function groupTables(groups: readonly (readonly number[])[], processes: number): string[] {
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

// calls

const combinationText = ({ type, reduction }: Combination): string =>
  `.dtype = ${dataTypes[type]}, .op = ${reductions[reduction]}`;

function callAllReduce(tensors: readonly string[], counts: readonly number[], { type, reduction }: Combination) {
  return [
    '{',
    `  void *const tensors[] = {${tensors.join(', ')}};`,
    `  const int64_t counts[] = {${counts.join(', ')}};`,
    `  const int error = rt->all_reduce(rt, tensors, counts, ${tensors.length}, ${dataTypes[type]}, ${reductions[reduction]});`,
    '  if (error) return error;',
    '}',
  ];
}

/** `fields`: C of the members of the description, after the kind and the channel. */
function callCollective(
  op: { readonly name: CollectiveName; readonly attributes: { readonly channelId?: number } },
  fields: string,
  counts: readonly (number | string)[],
  inputs: readonly string[] | undefined,
  outputs: readonly string[] | undefined,
  does: 'collective' | 'start' = 'collective',
): string[] {
  const { channelId = 0 } = op.attributes;
  const list = (name: string, type: string, pointers: readonly string[] | undefined): string =>
    pointers === undefined ? '' : `  ${type} ${name}[] = {${pointers.join(', ')}};`;
  return [
    '{',
    `  ${counts.every(n => typeof n === 'number') ? 'static ' : ''}const int64_t counts[] = {${counts.join(', ')}};`,
    list('in', 'const void *const', inputs),
    list('out', 'void *const', outputs),
    `  const trenio_collective x = {.kind = ${collectiveKinds[op.name]}, .channel = ${BigInt.asIntN(32, BigInt(channelId))}, ${fields}, .tensors = ${counts.length}, .counts = counts};`,
    `  const int error = rt->${does}(rt, ${does === 'start' ? 'ticket, ' : ''}&x, ${inputs ? 'in' : '0'}, ${outputs ? 'out' : '0'});`,
    '  if (error) return error;',
    '}',
  ].filter(line => line !== '');
}

/** One loop nest over both indices: `o` over the outer rows, `k` over the parts. */
function printPartCopy(
  kind: 'pack' | 'unpack',
  { outer, parts, rowBytes }: PartLayout,
  from: string,
  to: string,
): string {
  const inMemory = (base: string): string => `${base} + (o * ${parts} + k) * ${rowBytes}`;
  const [target, source] =
    kind === 'pack'
      ? [`${to} + (k * ${outer} + o) * ${rowBytes}`, inMemory(from)]
      : [inMemory(to), `${from} + k * ${outer * rowBytes} + o * ${rowBytes}`];
  return `for (int64_t o = 0; o < ${outer}; o++) for (int64_t k = 0; k < ${parts}; k++) __builtin_memcpy(${target}, ${source}, ${rowBytes});`;
}

function fillText({ type, count, bytes, value }: Fill, to: string): string {
  if (value === 0) return `__builtin_memset(${to}, 0, ${bytes});`;
  const c = memoryType(type);
  return `for (int64_t i = 0; i < ${count}; i++) ((${c} *)(void *)(${to}))[i] = (${c})${value};`;
}

function printBroadcast(
  { from, to, bytes, root, otherwise }: Extract<CollectiveStep, { kind: 'broadcast' }>,
  op: Kernel['op'],
  address: AddressOf,
): string[] {
  const [input, output] = [address(from), address(to)];
  const rootText =
    root === undefined
      ? '0'
      : `((const int32_t *)(const void *)(${address({ slot: root.slot, offset: 0 })}))[${root.index}]`;
  const fields = '.group = group, .members = members, .source = source, .target = -1';
  return [
    `if (members == 0) ${fillText(otherwise, output)}`,
    'else {',
    `  const int32_t root = ${rootText};`,
    '  const int32_t source = group[root < 0 ? 0 : root < members ? root : members - 1];',
    `  if (source == rt->rank) __builtin_memcpy(${output}, ${input}, ${bytes});`,
    ...callCollective(op, fields, [bytes], [input], [output]).map(line => `  ${line}`),
    '}',
  ];
}

function printSendReceive(
  { does, sent, received, bytes, fills }: Extract<CollectiveStep, { kind: 'send-receive' }>,
  op: Kernel['op'],
  address: AddressOf,
): string[] {
  const [inputs, outputs] = [sent.map(address), received.map(address)];
  const lines = fills.map((fill, i) => `if (source < 0) ${fillText(fill, elementAt(outputs, i))}`);
  if (bytes.length === 0) return [...lines, '(void)source, (void)target;'];
  const guard = { send: ['if (target >= 0)'], receive: ['if (source >= 0)'], both: [] }[does];
  const call = callCollective(
    op,
    '.source = source, .target = target',
    bytes,
    inputs.length > 0 ? inputs : undefined,
    outputs.length > 0 ? outputs : undefined,
  );
  return [...lines, ...guard, ...call];
}
