// Elementwise ops, and ops without operands.
import {
  type AccuracyName,
  accuracyNames,
  type BinaryName,
  binaryNames,
  comparisonDirections,
  comparisonTypes,
  type None,
  type OpAttributes,
  rngAlgorithms,
  rngDistributions,
  type UnaryName,
  unaryNames,
} from '../../attributes.ts';
import { sameType } from '../../types.ts';
import { elements, integer, nameOf } from '../codecs.ts';
import { assignment, attributeValue, clauses, type Form, operands, type Piece, short, trailing } from '../form.ts';
import { tokens } from '../lexer.ts';
import { given, type OpText, type OpTexts, optional, type Part, resultTensor, withType } from '../op-text.ts';
import { arrow, complexParts, functional, pairwise, predicateAndOthers, resultsOnly, same } from '../signature.ts';
import { resultAccuracy } from '../struct-codecs.ts';

/** Operands, and one type for all of them. */
export const plain: OpText<None> = { parts: [], form: short([operands], same) };
/** Operands, and all of their types. */
export const plainFull: OpText<None> = { parts: [], form: short([operands], functional) };

export function textsOf<N extends string, A>(names: readonly N[], text: OpText<A>): { readonly [K in N]: OpText<A> } {
  return Object.fromEntries(names.map(name => [name, text])) as { [K in N]: OpText<A> };
}

const accuracy: Part<OpAttributes[AccuracyName]> = {
  ...optional('result_accuracy', 'resultAccuracy', resultAccuracy),
  read(node, _op, source) {
    const value = node === undefined ? undefined : resultAccuracy.read(node, source);
    const isDefault = value?.mode === 'DEFAULT' && value.atol === 0 && value.rtol === 0 && value.ulps === 0;
    return value === undefined || isDefault ? {} : { resultAccuracy: value };
  },
};

/** `, format = e5m10` */
const format: Piece = {
  tells: ['exponent_bits', 'mantissa_bits'],
  read(reader, draft) {
    reader.expect(',');
    reader.expectWord('format');
    reader.expect('=');
    const { start, end } = reader;
    const [, exponent, mantissa] =
      /^e(\d+)m(\d+)$/.exec(reader.takeText(tokens.word, "a format such as 'e5m10'")) ?? [];
    if (exponent === undefined || mantissa === undefined) return reader.refuse(start, "a format such as 'e5m10'");
    draft.attributes.set('exponent_bits', { kind: 'integer', digits: exponent, start, end });
    draft.attributes.set('mantissa_bits', { kind: 'integer', digits: mantissa, start, end });
  },
  write(_writer, op) {
    const { exponentBits, mantissaBits } = op.attributes as OpAttributes['reduce_precision'];
    return exponentBits < 0 || mantissaBits < 0 ? undefined : `, format = e${exponentBits}m${mantissaBits}`;
  },
};

/** `dense<…> : type`; if the result has another type (a quantized one), `() <{value = …}> : () -> type`. */
export const constantForm: Form = {
  read(reader, draft) {
    if (reader.is('(')) {
      reader.generic(draft, false);
      return;
    }
    if (reader.is('{')) reader.dictionary(draft.attributes);
    const value = reader.attribute();
    if (value.kind !== 'elements') return reader.refuse(value.start, "elements: 'dense<…> : type'");
    draft.attributes.set('value', value);
    draft.resultTypes = [value.value.type];
  },
  write(writer, op) {
    if (op.name !== 'constant' && op.name !== 'chlo.constant') return undefined;
    const { value } = op.attributes;
    if (op.results.length !== 1 || !sameType(op.results[0].type, value.type)) return undefined;
    return `${writer.dictionary(op, constantTells)} ${writer.bare(op, 'value')}`;
  },
};
const constantTells = new Set(['value']);

/** ` {mhlo.note = "x"} %0, %1 : types`: unlike other ops, MLIR prints attributes before operands. */
const barrierForm: Form = {
  read(reader, draft) {
    if (reader.is('{')) reader.dictionary(draft.attributes);
    operands.read(reader, draft);
    pairwise.read(reader, draft);
  },
  write(writer, op) {
    const types = pairwise.write(op);
    return types === undefined ? undefined : `${writer.dictionary(op)}${operands.write(writer, op)}${types}`;
  },
};

type Names =
  | Exclude<UnaryName, 'chlo.erf'>
  | BinaryName
  | 'is_finite'
  | 'compare'
  | 'select'
  | 'clamp'
  | 'convert'
  | 'bitcast_convert'
  | 'reduce_precision'
  | 'optimization_barrier'
  | 'constant'
  | 'iota'
  | 'rng_bit_generator'
  | 'rng'
  | 'partition_id'
  | 'replica_id'
  | 'complex'
  | 'real'
  | 'imag'
  | 'uniform_quantize'
  | 'uniform_dequantize';

export const arrowText: OpText<None> = { parts: [], form: short([operands], arrow) };

export const elementwiseTexts: OpTexts<Names | 'chlo.erf'> = {
  ...textsOf(unaryNames, plain),
  ...textsOf(accuracyNames, { ...plain, parts: [accuracy] }),
  'chlo.erf': arrowText,
  ...textsOf(binaryNames, plain),
  is_finite: plainFull,
  compare: {
    parts: [
      given(
        'comparison_direction',
        'comparisonDirection',
        nameOf(comparisonDirections, 'stablehlo.comparison_direction'),
      ),
      optional('compare_type', 'compareType', nameOf(comparisonTypes, 'stablehlo.comparison_type')),
    ],
    form: short([attributeValue('comparison_direction', ' ', ','), operands, trailing('compare_type')], functional),
  },
  select: { parts: [], form: short([operands], predicateAndOthers) },
  clamp: plain,
  convert: {
    parts: [],
    derive: (op, source) => ({ elementType: resultTensor(op, source).elementType }),
    form: short([operands], same),
  },
  bitcast_convert: { ...plainFull, derive: withType },
  reduce_precision: {
    parts: [
      given('exponent_bits', 'exponentBits', integer('i32')),
      given('mantissa_bits', 'mantissaBits', integer('i32')),
    ],
    form: short([operands, format], same),
  },
  optimization_barrier: { parts: [], form: barrierForm },
  constant: { parts: [given('value', 'value', elements)], form: constantForm },
  iota: {
    parts: [given('iota_dimension', 'iotaDimension', integer('i64'))],
    derive: withType,
    form: short([assignment('dim', 'iota_dimension')], resultsOnly),
  },
  rng_bit_generator: {
    parts: [given('rng_algorithm', 'rngAlgorithm', nameOf(rngAlgorithms, 'stablehlo.rng_algorithm'))],
    derive: (op, source) => ({ type: resultTensor(op, source, 1) }),
    form: short([operands, clauses({ algorithm: 'rng_algorithm' })], functional),
  },
  rng: {
    parts: [given('rng_distribution', 'rngDistribution', nameOf(rngDistributions, 'stablehlo.rng_distribution'))],
    derive: withType,
    form: short([operands, clauses({ distribution: 'rng_distribution' })], functional),
  },
  partition_id: { parts: [], form: short([], resultsOnly) },
  replica_id: { parts: [], form: short([], resultsOnly) },
  complex: { parts: [], form: short([operands], complexParts) },
  real: plain,
  imag: plain,
  uniform_quantize: { ...plain, derive: withType },
  uniform_dequantize: plain,
};
