// The C code that combines elements in reductions: accumulators (ir/accumulator.ts) have a start value, an update and an `omp
// simd` clause, so that gcc keeps one partial result per lane; any other region is printed op by op and applied in order.

import { elementAt } from '../../../../base/element-at.ts';
import { assertNever, TrenioError } from '../../../../base/errors.ts';
import { zip } from '../../../../base/zip.ts';
import { dispatch, forAll, isIn, type PerOp } from '../../../../hlo/per-op.ts';
import type { Op, Region, Value } from '../../../../hlo/program.ts';
import { tensorTypeOf } from '../../../../hlo/program.ts';
import { type ElementType, numberKind } from '../../../../hlo/types.ts';
import { isLoop } from '../../../../hlo/walk.ts';
import type { Accumulator, AccumulatorName } from '../../../ir/accumulator.ts';
import { type ScalarOpName, scalarOpNames } from '../../../ir/scalar-op.ts';
import type { Writer } from '../writer.ts';
import { cLiteral, registerType, rounded } from './c-types.ts';
import { bitsText, fromBitsText, opText } from './scalar.ts';

export interface Combiner {
  /** The C type partial results are kept in. */
  readonly type: string;
  /** The neutral element, which partial results start from. */
  readonly identity: string;
  /** Combines two partial results. */
  combine(a: string, b: string): string;
  /** For `#pragma omp simd reduction(CLAUSE:…)`. */
  readonly clause: string;
  /** A partial result as a register of the element type. */
  finish(a: string): string;
  /** How to keep partial results in parallel if there are many elements. */
  readonly lanes: Lanes;
}

/**
 * Partial results in separate lanes, one array of lanes for each of `parts`: enough independent chains to hide the latency of an
 * operation, independent of the vector width, so that sums are the same on every machine.
 */
export interface Lanes {
  readonly parts: readonly { readonly type: string; readonly start: string; combine(a: string, b: string): string }[];
  /** An element, in the form that `parts` combine. */
  readonly of: (element: string) => readonly string[];
  /** The partial result from the lanes' results. */
  readonly finish: (parts: readonly string[]) => string;
}

const plainLanes = (c: Omit<Combiner, 'lanes'>): Combiner => ({
  ...c,
  lanes: { parts: [{ type: c.type, start: c.identity, combine: c.combine }], of: x => [x], finish: ([x]) => x! },
});

/**
 * The extremum of floats using three bit patterns as integers, one instruction each: among positive numbers the
 * largest float is the largest integer, among negative ones the smallest; a NaN of either sign is beyond all others. The bits are
 * kept with the sign bit inverted: the three instructions then share one load, which gcc would otherwise repeat for each.
 */
function extremeLanes(max: boolean, type: 'f32' | 'f64'): Lanes {
  const bits = type === 'f32' ? 32 : 64;
  const flip = type === 'f32' ? '0x80000000u' : '1ull << 63';
  const start = type === 'f32' ? (max ? '0x7f800000u' : '0xff800000u') : max ? '0x7ffull << 52' : '0xfffull << 52';
  const pick = (sign: '<' | '>') => (a: string, b: string) => `${a} ${sign} ${b} ? ${a} : ${b}`;
  const [signed, unsigned] = [`int${bits}_t`, `uint${bits}_t`];
  return {
    parts: [
      { type: unsigned, start, combine: pick('>') },
      { type: signed, start: `(${signed})(${start})`, combine: pick('<') },
      { type: signed, start: `(${signed})(${start})`, combine: pick('>') },
    ],
    of: x => {
      const b = `(t_bits_${type}(${x}) ^ ${type === 'f32' ? flip : `(${flip})`})`;
      return [b, `(${signed})${b}`, `(${signed})${b}`];
    },
    finish: parts => {
      const [top, least, most] = parts.map(part => `(u${signed})${part} ^ ${type === 'f32' ? flip : `(${flip})`}`);
      return `t_${max ? 'max' : 'min'}_of_${type}((${signed})(${top}), ${least}, ${most})`;
    },
  };
}

/** The C of an accumulator. */
export function combinerOf({ name, type, held }: Accumulator): Combiner {
  const float = numberKind(type) === 'float';
  const register = registerType(type);
  if (type === 'i1') {
    const sign = logicalSigns[name];
    return plainLanes({
      type: 'uint8_t',
      identity: sign === '&' ? '1' : '0',
      combine: (a, b) => `(uint8_t)(${a} ${sign} ${b})`,
      clause: sign,
      finish: a => `(_Bool)${a}`,
    });
  }
  switch (name) {
    case 'add':
    case 'multiply': {
      const sign = name === 'add' ? '+' : '*';
      const t = registerType(held);
      return plainLanes({
        type: t,
        identity: name === 'add' ? '0' : '1',
        clause: sign,
        combine: (a, b) => (float ? `${a} ${sign} ${b}` : `${a} ${sign} (${t})${b}`),
        finish: a => rounded(type, float ? a : `(${register})${a}`),
      });
    }
    case 'maximum':
    case 'minimum': {
      const max = name === 'maximum';
      if (float) {
        const f = type === 'f64' ? 'f64' : 'f32';
        const inf = type === 'f64' ? '__builtin_inf()' : '__builtin_inff()';
        return {
          type: registerType(held),
          identity: max ? `-${inf}` : inf,
          combine: (a, b) => `t_${max ? 'max' : 'min'}_${f}(${a}, ${b})`,
          clause: `t_${max ? 'max' : 'min'}_${f}`,
          finish: a => a,
          lanes: extremeLanes(max, f),
        };
      }
      return plainLanes({
        type: register,
        identity: extreme(type, max),
        clause: max ? 'max' : 'min',
        combine: (a, b) => `${b} ${max ? '>' : '<'} ${a} ? ${b} : ${a}`,
        finish: a => a,
      });
    }
    case 'and':
    case 'or':
    case 'xor': {
      const sign = logicalSigns[name];
      return plainLanes({
        type: register,
        identity: name === 'and' ? `(${register})-1` : '0',
        combine: (a, b) => `(${register})(${a} ${sign} ${b})`,
        clause: sign,
        finish: a => a,
      });
    }
    default:
      return assertNever(name);
  }
}
/** The ops on booleans. */
const logicalSigns: { readonly [N in AccumulatorName]: '|' | '&' | '^' } = {
  add: '|',
  maximum: '|',
  or: '|',
  multiply: '&',
  minimum: '&',
  and: '&',
  xor: '^',
};

function extreme(type: ElementType, lowest: boolean): string {
  const register = registerType(type);
  if (type.startsWith('ui')) return lowest ? '0' : `(${register})-1`;
  const bits = Number(type.slice(1));
  const max = `(${register})((uint64_t)-1 >> ${65 - bits})`;
  return lowest ? `(${register})(-(int64_t)${max} - 1)` : max;
}

/** The names of scalars from outside that a region uses. */
export type Outer = (value: Value) => string;

/**
 * A region over scalars, as statements: declares a constant for each op, and returns the results as C expressions.
 * `prefix` makes its names unique in the scope.
 */
export function printRegion(
  out: Writer,
  region: Region,
  args: readonly string[],
  prefix: string,
  outer: Outer,
): string[] {
  const names = new Map<Value, string>();
  region.args.forEach((a, i) => {
    names.set(a, elementAt(args, i));
  });
  const nameOf = (v: Value): string => names.get(v) ?? outer(v);
  for (const op of region.ops) printScalarOp(op, { out, names, nameOf, fresh: `${prefix}_${names.size}` });
  return region.results.map(nameOf);
}

/** Where an op of a region is printed, and the names of its values. */
interface RegionScope {
  readonly out: Writer;
  readonly names: Map<Value, string>;
  readonly nameOf: Outer;
  /** An unused name. */
  readonly fresh: string;
}

function printScalarOp(op: Op, scope: RegionScope): void {
  requireScalars(op);
  if (!isIn(regionOps, op))
    throw new TrenioError(
      'UNSUPPORTED',
      {
        what: op.name,
        where: 'the C compiler backend inside a region',
        instead: 'run this program on the interpreter',
      },
      { location: op.location },
    );
  dispatch(regionOps, op, scope);
}

const declareResult = (result: Value, text: string, { out, names, fresh }: RegionScope): void => {
  out.line(`const ${registerType(tensorTypeOf(result).elementType)} ${fresh} = ${text};`);
  names.set(result, fresh);
};
/** For a single element, a view is its operand. */
const sameElement = (op: Op<'reshape' | 'broadcast_in_dim' | 'transpose'>, { names, nameOf }: RegionScope): void => {
  names.set(op.results[0], nameOf(op.operands[0]));
};

const regionOps: PerOp<
  | ScalarOpName
  | 'constant'
  | 'reshape'
  | 'broadcast_in_dim'
  | 'transpose'
  | 'optimization_barrier'
  | 'bitcast_convert'
  | 'if'
  | 'case'
  | 'while',
  void,
  [RegionScope]
> = {
  ...forAll(scalarOpNames, (op: Op<ScalarOpName>, scope: RegionScope) =>
    declareResult(op.results[0], opText(op, op.operands.map(scope.nameOf)), scope),
  ),
  constant: (op, { names }) => {
    names.set(op.results[0], cLiteral(op.attributes.value, 0));
  },
  reshape: sameElement,
  broadcast_in_dim: sameElement,
  transpose: sameElement,
  optimization_barrier: (op, { names, nameOf }) => {
    for (const [v, x] of zip(op.results, op.operands)) names.set(v, nameOf(x));
  },
  bitcast_convert: (op, scope) => {
    const [from, to] = [tensorTypeOf(op.operands[0]).elementType, tensorTypeOf(op.results[0]).elementType];
    const x = scope.nameOf(op.operands[0]);
    declareResult(op.results[0], from === to ? x : fromBitsText(`(${bitsText(x, from)})`, to), scope);
  },
  if: printControl,
  case: printControl,
  while: printControl,
};

/** The selector that takes the first branch. */
const firstBranch = { if: 1, case: 0 } as const;

/** Control flow over scalars: its results are variables that the branches, or the iterations, set. */
function printControl(op: Op<'if' | 'case' | 'while'>, { out, names, nameOf, fresh }: RegionScope): void {
  const variables = op.results.map((_, i) => `${fresh}_${i}`);
  const declared = (i: number): string =>
    `${registerType(tensorTypeOf(elementAt(op.results, i)).elementType)} ${variables[i]}`;
  const set = (texts: readonly string[]): void => {
    // read all values before setting the first: an iteration may swap them
    texts.forEach((text, i) => {
      out.line(`const ${declared(i)}n = ${text};`);
    });
    for (const v of variables) out.line(`${v} = ${v}n;`);
  };
  const run = (region: Region, args: readonly string[]): string[] =>
    printRegion(out, region, args, `${fresh}_r`, nameOf);
  if (isLoop(op)) {
    const [cond, body] = op.regions;
    op.operands.forEach((v, i) => {
      out.line(`${declared(i)} = ${nameOf(v)};`);
    });
    out.open('for (;;)');
    out.open('');
    const [goesOn] = run(cond, variables);
    out.line(`if (!${goesOn}) break;`);
    out.close();
    set(run(body, variables));
    out.close();
  } else {
    variables.forEach((_, i) => {
      out.line(`${declared(i)};`);
    });
    out.open(`switch ((int32_t)${nameOf(op.operands[0])})`);
    op.regions.forEach((region, i) => {
      // true takes the first branch of an if; an index out of range the last of a case
      const isLast = i === op.regions.length - 1;
      out.open(isLast ? 'default:' : `case ${firstBranch[op.name] + i}:`);
      set(run(region, []));
      out.line('break;');
      out.close();
    });
    out.close();
  }
  op.results.forEach((v, i) => {
    names.set(v, elementAt(variables, i));
  });
}

function requireScalars(op: Op): void {
  for (const v of [...op.operands, ...op.results]) {
    if (v.type.kind === 'tensor' && v.type.shape.length === 0) continue;
    throw new TrenioError(
      'UNSUPPORTED',
      {
        what: `${op.name} on tensors inside the region of a reduction`,
        where: 'the C compiler backend',
        instead: 'write the region with ops on scalars',
      },
      { location: op.location },
    );
  }
}
