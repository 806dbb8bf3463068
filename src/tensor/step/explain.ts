// Explains why a program differs from the previous one at its line: the first input, or else the first call, that differs.
import type { SourceLocation } from '../../base/errors.ts';
import { equalAttributes } from '../../hlo/equal-attributes.ts';
import { numberAt } from '../../hlo/literal.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { formatType, sameType } from '../../hlo/types.ts';
import type { RolledLoop } from '../../transforms/roll-loops.ts';
import type { ProgramForm } from './rolled-program.ts';

/** The facts about a program that are stored to explain the next recompile. */
export interface ProgramSummary {
  readonly func: Func;
  readonly labels: readonly (string | undefined)[];
  /** The user's loops in it. */
  readonly loops: readonly RolledLoop[];
}

export function summaryOf({ program: { func, sources }, loops }: ProgramForm): ProgramSummary {
  return { func, loops, labels: sources.map(source => source.impl?.label ?? source.host?.label) };
}

/** The prefix of labels of numbers that are inputs: see `changing-numbers.ts`. */
export const changingNumber = 'the number at ';

const shapeText = (value: Value | undefined): string =>
  value?.type.kind === 'tensor'
    ? `[${value.type.shape}] ${value.type.elementType}`
    : value
      ? formatType(value.type)
      : '?';

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const shortLocation = (location: SourceLocation | undefined): string =>
  location === undefined ? 'an unknown line' : `${fileName(location.file)}:${location.line}`;

function firstUse(func: Func, arg: Value): SourceLocation | undefined {
  return func.body.ops.find(op => op.operands.some(v => v === arg))?.location;
}

function describe(op: Op): string {
  if (op.name === 'constant' && op.attributes.value.data.length === 1) {
    const number = numberAt(op.attributes.value, 0);
    return `the number ${Object.is(number, -0) ? '-0' : number}`;
  }
  if (op.name === 'slice') {
    const { startIndices } = op.attributes;
    const dim = startIndices.findIndex(start => start !== 0);
    return `slice ${shapeText(op.results[0])} from ${dim < 0 ? 0 : startIndices[dim]}`;
  }
  return `${op.name} ${shapeText(op.results[0])}`;
}

/** The op at a position; for a constant, the first later op that is computed from it: the number may be one that a call adds. */
function callAt(ops: readonly Op[], i: number): Op {
  let op = ops[i]!;
  for (const later of ops.slice(i + 1)) {
    if (op.name !== 'constant' && op.name !== 'broadcast_in_dim') break;
    if (later.operands.some(v => v.op === op)) op = later;
  }
  return op;
}
/** Ops `i` of two programs, which differ, in words that differ: with their types and attributes where they must. */
function differenceOf(before: readonly Op[], now: readonly Op[], i: number): readonly [was: string, is: string] {
  const isNumber = before[i]!.name === 'constant' && now[i]!.name === 'constant';
  const [x, y] = isNumber ? [before[i]!, now[i]!] : [callAt(before, i), callAt(now, i)];
  const said = (text: (op: Op) => string): [string, string] => [
    `${text(x)} at ${shortLocation(x.location)}`,
    `${text(y)} at ${shortLocation(y.location)}`,
  ];
  const typed = (op: Op): string => `${describe(op)} (${op.results.map(shapeText).join(', ')})`;
  const whole = (op: Op): string => `${typed(op)} with ${attributesText(op)}`;
  const [was, is] = said(describe);
  return was !== is ? [was, is] : ([typed, whole].map(said).find(([a, b]) => a !== b) ?? [was, is]);
}
const attributesText = (op: Op): string =>
  JSON.stringify(op.attributes, (_, value) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 200);

/** The first of the same loops that ran another number of times. */
function loopThatChanged({ loops: before }: ProgramSummary, { loops: now }: ProgramSummary): string | undefined {
  if (before.length !== now.length || now.some(({ location }, i) => location !== before[i]!.location)) return undefined;
  const i = now.findIndex(({ count }, k) => count !== before[k]!.count);
  const loop = now[i];
  return loop && `the loop at ${shortLocation(loop.location)} ran ${loop.count} times, ${before[i]!.count} before`;
}

/** How numbers that differ are compiled: the program is for all sizes now, or they are inputs from the next step on. */
export type Remedy = 'for all sizes' | 'an input' | undefined;

/** The first difference between two programs, as the end of a sentence. */
export function explainDifference(before: ProgramSummary, now: ProgramSummary, remedy?: Remedy): string {
  const forAll = '; the new program is for all sizes';
  const [a, b] = [before.func.body, now.func.body];
  const loop = loopThatChanged(before, now);
  if (loop !== undefined) return loop;
  const input = now.labels.find(label => label?.startsWith(changingNumber) && !before.labels.includes(label));
  if (input !== undefined) return `${input} is now an input of the program, because it changes`;
  if (a.args.length === b.args.length) {
    for (let i = 0; i < b.args.length; i++) {
      const [x, y] = [a.args[i]!, b.args[i]!];
      if (sameType(x.type, y.type)) continue;
      const label = now.labels[i] ?? before.labels[i] ?? `input ${i}`;
      const sizes = x.type.kind === 'tensor' && y.type.kind === 'tensor' && x.type.shape.length === y.type.shape.length;
      const advice =
        remedy === 'for all sizes' ? forAll : sizes ? '; if it changes again, a program for all sizes is compiled' : '';
      return `${label} at ${shortLocation(firstUse(now.func, y))} was ${shapeText(x)}, is ${shapeText(y)}${advice}`;
    }
  }
  for (let i = 0; i < Math.max(a.ops.length, b.ops.length); i++) {
    const [x, y] = [a.ops[i], b.ops[i]];
    if (x === undefined)
      return `more is computed than before, from ${describe(callAt(b.ops, i))} at ${shortLocation(y!.location)} on`;
    if (y === undefined)
      return `less is computed than before: no ${describe(callAt(a.ops, i))} of ${shortLocation(x.location)}`;
    const same =
      x.name === y.name &&
      x.results.length === y.results.length &&
      x.results.every((r, k) => sameType(r.type, y.results[k]!.type)) &&
      equalAttributes(x.attributes, y.attributes);
    if (same) continue;
    const [was, is] = differenceOf(a.ops, b.ops, i);
    const advice =
      remedy === 'an input'
        ? '; it is an input of the program from now on'
        : remedy === 'for all sizes'
          ? forAll
          : x.name === 'constant' && y.name === 'constant' && sameType(x.results[0].type, y.results[0].type)
            ? '; pass a number that changes as tensor(x) to avoid it'
            : '';
    return `${is} was ${was}${advice}`;
  }
  if (a.results.length !== b.results.length) {
    return `${b.results.length} results are kept, before ${a.results.length}: ${b.results.length > a.results.length ? 'more' : 'fewer'} values are read after the step`;
  }
  return 'the same calls are connected differently';
}
