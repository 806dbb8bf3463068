// A program as StableHLO text: the form JAX prints where an op has a short one, the generic form
// `"stablehlo.op"(operands) <{attributes}> ({regions}) : (types) -> types` for the others. Deterministic: the same
// program always gives the same text, whatever its value ids are.
import { assertNever } from '../base/errors.ts';
import {
  collectiveEntries,
  convolutionNumbers,
  convolutionWindow,
  dimList,
  entries,
  gatherNumbers,
  i64,
  i64Array,
  i64Matrix,
  precisionList,
  quoted,
  scatterNumbers,
  symbol,
} from './print-attributes.ts';
import { formatLiteral } from './print-literal.ts';
import type { Func, Module, Op, Region, Value } from './program.ts';
import { reducerOf } from './reducer.ts';
import { formatType, sameType, type Type } from './types.ts';

/** The module as text that StableHLO's own parser reads. */
export function printModule(module: Module): string {
  const attributes = `mhlo.num_partitions = ${module.numPartitions} : i32, mhlo.num_replicas = ${module.numReplicas} : i32`;
  const functions = module.functions.map((f, i) =>
    printFunc(f, { visibility: i === 0 ? 'public' : 'private', indent: 1 }),
  );
  return `module ${symbol(module.name)} attributes {${attributes}} {\n${functions.join('')}}\n`;
}

/** One function as text. */
export function printFunc(func: Func, options: { visibility?: 'public' | 'private'; indent?: number } = {}): string {
  const { visibility = 'public', indent = 0 } = options;
  const printer = new Printer();
  const pad = '  '.repeat(indent);
  const { args, results } = func.body;
  const signature = args.map((arg, i) => {
    const alias = func.aliases[i];
    return `${printer.argument(arg)}: ${formatType(arg.type)}${alias === undefined ? '' : ` {tf.aliasing_output = ${alias} : i32}`}`;
  });
  const lines = printer.body(func.body, indent + 1, 'return');
  return `${pad}func.func ${visibility} ${symbol(func.name)}(${signature.join(', ')}) -> (${types(results)}) {\n${lines}${pad}}\n`;
}

/** One op as a line (or lines, with regions); values are named in the order in which they are met. For messages. */
export function printOp(op: Op): string {
  return new Printer().op(op, 0).trimEnd();
}

const types = (values: readonly Value[]): string => values.map(v => formatType(v.type)).join(', ');
const oneOrMany = (values: readonly Value[]): string => (values.length === 1 ? types(values) : `(${types(values)})`);
const signatureOf = (op: Op): string => `(${types(op.operands)}) -> ${oneOrMany(op.results)}`;
/** One type when operands and results all have it, the whole signature otherwise. */
function shortSignature(op: Op): string {
  const all: readonly Type[] = [...op.operands, ...op.results].map(v => v.type);
  return all.every(t => sameType(t, all[0]!)) ? formatType(all[0]!) : signatureOf(op);
}

/** Names values: %arg0, %arg1 … for arguments, %0, %1 … for ops, %2#1 for the second result of an op with several. */
class Printer {
  readonly #names = new Map<Value, string>();
  #args = 0;
  #ops = 0;

  argument(value: Value): string {
    const name = `%arg${this.#args++}`;
    this.#names.set(value, name);
    return name;
  }

  body(region: Region, indent: number, terminator: string): string {
    const pad = '  '.repeat(indent);
    const ops = region.ops.map(op => this.op(op, indent)).join('');
    const results = region.results.length === 0 ? '' : ` ${this.#list(region.results)} : ${types(region.results)}`;
    return `${ops}${pad}${terminator}${results}\n`;
  }

  op(op: Op, indent: number): string {
    const text = this.#text(op, indent);
    const number = op.results.length === 0 ? 0 : this.#ops++;
    op.results.forEach((v, i) => {
      this.#names.set(v, op.results.length === 1 ? `%${number}` : `%${number}#${i}`);
    });
    const left =
      op.results.length === 0 ? '' : op.results.length === 1 ? `%${number} = ` : `%${number}:${op.results.length} = `;
    return `${'  '.repeat(indent)}${left}${text}\n`;
  }

  #name(value: Value): string {
    // A value from outside of what is printed (see printOp) is named when it is first met.
    return this.#names.get(value) ?? this.argument(value);
  }
  #list(values: readonly Value[]): string {
    return values.map(v => this.#name(v)).join(', ');
  }

  #region(region: Region, indent: number): string {
    const pad = '  '.repeat(indent);
    const args = region.args.map(arg => `${this.argument(arg)}: ${formatType(arg.type)}`);
    const header = args.length === 0 ? '' : `${pad}^bb0(${args.join(', ')}):\n`;
    return `{\n${header}${this.body(region, indent + 1, 'stablehlo.return')}${pad}}`;
  }

  #generic(op: Op, attributes: string, indent: number): string {
    const operands = this.#list(op.operands);
    const regions = op.regions.map(r => this.#region(r, indent)).join(', ');
    const properties = attributes === '' ? '' : ` <{${attributes}}>`;
    return `"stablehlo.${op.name}"(${operands})${properties}${regions === '' ? '' : ` (${regions})`} : ${signatureOf(op)}`;
  }

  /** `stablehlo.name operands, rest : signature`. */
  #pretty(op: Op, rest: string, signature = signatureOf(op)): string {
    return `stablehlo.${op.name} ${this.#list(op.operands)}${rest} : ${signature}`;
  }

  #while(op: Op, indent: number): string {
    const [cond, body] = op.regions as [Region, Region];
    const pad = '  '.repeat(indent);
    // Both regions name their arguments alike: the text gives one list for the two.
    const initial = op.operands.map(v => this.#name(v));
    const names = body.args.map(arg => this.argument(arg));
    cond.args.forEach((arg, i) => {
      this.#names.set(arg, names[i]!);
    });
    const list = names.map((name, i) => `${name} = ${initial[i]}`).join(', ');
    const condText = this.body(cond, indent + 2, 'stablehlo.return');
    const bodyText = this.body(body, indent + 2, 'stablehlo.return');
    const carried = op.operands.length === 0 ? '' : ` : ${types(op.operands)}`;
    return `stablehlo.while(${list})${carried}\n${pad}  cond {\n${condText}${pad}  } do {\n${bodyText}${pad}  }`;
  }

  #text(op: Op, indent: number): string {
    switch (op.name) {
      case 'constant':
        return `stablehlo.constant ${formatLiteral(op.attributes.value)} : ${types(op.results)}`;
      case 'iota':
        return `stablehlo.iota dim = ${op.attributes.iotaDimension} : ${types(op.results)}`;
      case 'partition_id':
      case 'replica_id':
        return `stablehlo.${op.name} : ${types(op.results)}`;
      case 'chlo.erf':
        return `chlo.erf ${this.#list(op.operands)} : ${formatType(op.operands[0]!.type)} -> ${types(op.results)}`;
      case 'rng_bit_generator':
        return this.#pretty(op, `, algorithm = ${op.attributes.rngAlgorithm}`);
      case 'compare': {
        const { comparisonDirection, compareType } = op.attributes;
        const kind = compareType === undefined ? '' : `, ${compareType}`;
        return `stablehlo.compare ${comparisonDirection}, ${this.#list(op.operands)}${kind} : ${signatureOf(op)}`;
      }
      case 'select': {
        const [predicate, onTrue, onFalse] = op.operands;
        const plain = sameType(onTrue!.type, onFalse!.type) && sameType(onTrue!.type, op.results[0]!.type);
        return this.#pretty(op, '', plain ? types([predicate!, op.results[0]!]) : signatureOf(op));
      }
      case 'reduce_precision':
        return this.#pretty(
          op,
          `, format = e${op.attributes.exponentBits}m${op.attributes.mantissaBits}`,
          shortSignature(op),
        );
      case 'convert':
      case 'bitcast_convert':
      case 'reshape':
      case 'is_finite':
      case 'dynamic_update_slice':
        return this.#pretty(op, '');
      case 'broadcast_in_dim':
        return this.#pretty(op, `, dims = ${dimList(op.attributes.broadcastDimensions)}`);
      case 'transpose':
        return this.#pretty(op, `, dims = ${dimList(op.attributes.permutation)}`);
      case 'reverse':
        return this.#pretty(op, `, dims = ${dimList(op.attributes.dimensions)}`, shortSignature(op));
      case 'slice': {
        const { startIndices, limitIndices, strides } = op.attributes;
        const ranges = startIndices.map((s, i) => `${s}:${limitIndices[i]}${strides[i] === 1 ? '' : `:${strides[i]}`}`);
        return this.#pretty(op, ` [${ranges.join(', ')}]`);
      }
      case 'concatenate':
        return this.#pretty(op, `, dim = ${op.attributes.dimension}`);
      case 'pad': {
        const { edgePaddingLow, edgePaddingHigh, interiorPadding } = op.attributes;
        return this.#pretty(
          op,
          `, low = ${dimList(edgePaddingLow)}, high = ${dimList(edgePaddingHigh)}, interior = ${dimList(interiorPadding)}`,
        );
      }
      case 'dynamic_slice':
        return this.#pretty(op, `, sizes = ${dimList(op.attributes.sliceSizes)}`);
      case 'gather': {
        const { dimensionNumbers, sliceSizes, indicesAreSorted } = op.attributes;
        const list = entries([
          ['dimension_numbers', gatherNumbers(dimensionNumbers)],
          ['indices_are_sorted', String(indicesAreSorted)],
          ['slice_sizes', i64Array(sliceSizes)],
        ]);
        return this.#generic(op, list, indent);
      }
      case 'scatter': {
        const { dimensionNumbers, indicesAreSorted, uniqueIndices } = op.attributes;
        const list = entries([
          ['indices_are_sorted', String(indicesAreSorted)],
          ['scatter_dimension_numbers', scatterNumbers(dimensionNumbers)],
          ['unique_indices', String(uniqueIndices)],
        ]);
        return this.#generic(op, list, indent);
      }
      case 'sort':
        return this.#generic(
          op,
          entries([
            ['dimension', i64(op.attributes.dimension)],
            ['is_stable', String(op.attributes.isStable)],
          ]),
          indent,
        );
      case 'reduce': {
        const reducer = op.operands.length === 2 ? reducerOf(op.regions[0]!) : undefined;
        const sameElement =
          op.operands[1] !== undefined && sameType(op.operands[1].type, op.regions[0]!.results[0]!.type);
        if (reducer === undefined || !sameElement)
          return this.#generic(op, `dimensions = ${i64Array(op.attributes.dimensions)}`, indent);
        const [input, init] = op.operands.map(v => this.#name(v));
        return `stablehlo.reduce(${input} init: ${init}) applies stablehlo.${reducer} across dimensions = ${dimList(op.attributes.dimensions)} : ${signatureOf(op)}`;
      }
      case 'reduce_window': {
        const a = op.attributes;
        const list = entries([
          ['base_dilations', i64Array(a.baseDilations)],
          ['padding', i64Matrix(a.padding, 2)],
          ['window_dilations', i64Array(a.windowDilations)],
          ['window_dimensions', i64Array(a.windowDimensions)],
          ['window_strides', i64Array(a.windowStrides)],
        ]);
        return this.#generic(op, list, indent);
      }
      case 'select_and_scatter': {
        const a = op.attributes;
        const list = entries([
          ['padding', i64Matrix(a.padding, 2)],
          ['window_dimensions', i64Array(a.windowDimensions)],
          ['window_strides', i64Array(a.windowStrides)],
        ]);
        return this.#generic(op, list, indent);
      }
      case 'dot_general': {
        const a = op.attributes;
        const batching =
          a.lhsBatchingDimensions.length === 0
            ? ''
            : `, batching_dims = ${dimList(a.lhsBatchingDimensions)} x ${dimList(a.rhsBatchingDimensions)}`;
        const contracting = `, contracting_dims = ${dimList(a.lhsContractingDimensions)} x ${dimList(a.rhsContractingDimensions)}`;
        const precision = a.precision.length === 0 ? '' : `, precision = [${a.precision.join(', ')}]`;
        return this.#pretty(op, `${batching}${contracting}${precision}`);
      }
      case 'convolution': {
        const a = op.attributes;
        const rest = entries([
          ['batch_group_count', i64(a.batchGroupCount)],
          ['feature_group_count', i64(a.featureGroupCount)],
          ['precision_config', a.precision.length === 0 ? undefined : precisionList(a.precision)],
        ]);
        return `stablehlo.convolution(${this.#list(op.operands)}) dim_numbers = ${convolutionNumbers(a.dimensionNumbers)}, window = ${convolutionWindow(a)} {${rest}} : ${signatureOf(op)}`;
      }
      case 'while':
        return this.#while(op, indent);
      case 'if':
      case 'case':
        return this.#generic(op, '', indent);
      case 'func.call':
        return `func.call ${symbol(op.attributes.callee)}(${this.#list(op.operands)}) : ${signatureOf(op)}`;
      case 'custom_call': {
        const { callTargetName, backendConfig, hasSideEffect } = op.attributes;
        const rest = entries([
          ['backend_config', backendConfig === '' ? undefined : quoted(backendConfig)],
          ['has_side_effect', hasSideEffect ? 'true' : undefined],
        ]);
        return `stablehlo.custom_call ${symbol(callTargetName)}(${this.#list(op.operands)})${rest === '' ? '' : ` {${rest}}`} : ${signatureOf(op)}`;
      }
      case 'tuple':
        return this.#pretty(op, '', types(op.results));
      case 'get_tuple_element':
        return `stablehlo.get_tuple_element ${this.#list(op.operands)}[${op.attributes.index}] : ${signatureOf(op)}`;
      case 'optimization_barrier':
        return op.operands.length === 0 ? 'stablehlo.optimization_barrier' : this.#pretty(op, '', types(op.results));
      case 'all_reduce':
        return this.#generic(op, collectiveEntries(op.attributes), indent);
      case 'all_gather':
        return this.#generic(
          op,
          collectiveEntries(op.attributes, [['all_gather_dim', i64(op.attributes.allGatherDim)]]),
          indent,
        );
      case 'reduce_scatter':
        return this.#generic(
          op,
          collectiveEntries(op.attributes, [['scatter_dimension', i64(op.attributes.scatterDimension)]]),
          indent,
        );
      // Elementwise: one type when all are equal.
      case 'clamp':
      case 'abs':
      case 'cbrt':
      case 'ceil':
      case 'count_leading_zeros':
      case 'cosine':
      case 'exponential':
      case 'exponential_minus_one':
      case 'floor':
      case 'log':
      case 'log_plus_one':
      case 'logistic':
      case 'negate':
      case 'not':
      case 'popcnt':
      case 'round_nearest_afz':
      case 'round_nearest_even':
      case 'rsqrt':
      case 'sign':
      case 'sine':
      case 'sqrt':
      case 'tan':
      case 'tanh':
      case 'add':
      case 'and':
      case 'atan2':
      case 'divide':
      case 'maximum':
      case 'minimum':
      case 'multiply':
      case 'or':
      case 'power':
      case 'remainder':
      case 'shift_left':
      case 'shift_right_arithmetic':
      case 'shift_right_logical':
      case 'subtract':
      case 'xor':
        return this.#pretty(op, '', shortSignature(op));
      default:
        return assertNever(op);
    }
  }
}
