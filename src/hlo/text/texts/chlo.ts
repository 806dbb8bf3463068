// Ops of CHLO.
import {
  type ChloBinaryName,
  type ChloBroadcastName,
  type ChloUnaryName,
  chloBinaryNames,
  chloBroadcastNames,
  chloUnaryNames,
  comparisonDirections,
  comparisonTypes,
  type OpAttributes,
} from '../../attributes.ts';
import { boolean, dims, elements, elementsOrNumber, integer, nameOf } from '../codecs.ts';
import { clauses, type Form, operands, type Piece, short } from '../form.ts';
import {
  given,
  type OpTexts,
  optional,
  type Part,
  spread,
  unless,
  withOwnElementType,
  withResultTypes,
} from '../op-text.ts';
import { arrow, functional } from '../signature.ts';
import { raggedDotNumbers } from '../struct-codecs.ts';
import { precisionOf } from './contraction.ts';
import { arrowText, constantForm, plainFull, textsOf } from './elementwise.ts';

const broadcastDimensions = optional('broadcast_dimensions', 'broadcastDimensions', dims);

/** `(%0, k = 2)` */
const topKOperand: Piece = {
  tells: ['k', 'is_stable'],
  read(reader, draft) {
    reader.expect('(');
    draft.operands.push(reader.value());
    topKClauses.read(reader, draft);
    reader.expect(')');
  },
  write: (writer, op) => `(${writer.names(op.operands)}${topKClauses.write(writer, op)})`,
};
const topKClauses = clauses({ k: 'k', is_stable: 'is_stable' });

type Scan = OpAttributes['chlo.scan'];
/** The number of operands that are inputs, and the number of initial carries. */
const segments: Part<Scan> = {
  name: 'operandSegmentSizes',
  read(node, op, source) {
    const [inputs] = node === undefined ? [] : dims.read(node, source);
    if (inputs === undefined) return source.refuse(op.at, `the attribute 'operandSegmentSizes' of ${op.name}`, 'none');
    return { inputs };
  },
  write: (attributes, op) => `array<i32: ${attributes.inputs}, ${op.operands.length - attributes.inputs}>`,
  bare: () => undefined,
};
const resultSegments: Part<Scan> = {
  name: 'resultSegmentSizes',
  read: () => ({}),
  write(attributes, op) {
    const carries = op.operands.length - attributes.inputs;
    return `array<i32: ${op.results.length - carries}, ${carries}>`;
  },
  bare: () => undefined,
};
const scanTells = new Set(['dimension', 'operandSegmentSizes', 'resultSegmentSizes']);
/** `(%x) inits(%y) dimension=0 attributes {is_reverse = true} { … } : types` */
const scanForm: Form = {
  read(reader, draft) {
    const { start, end } = reader;
    reader.expect('(');
    reader.list(')', () => draft.operands.push(reader.value()));
    const inputs = draft.operands.length;
    reader.expectWord('inits');
    reader.expect('(');
    reader.list(')', () => draft.operands.push(reader.value()));
    const values = [inputs, draft.operands.length - inputs];
    draft.attributes.set('operandSegmentSizes', { kind: 'numbers', values, start, end });
    reader.expectWord('dimension');
    reader.expect('=');
    draft.attributes.set('dimension', reader.bareAttribute());
    if (reader.takeWord('attributes')) reader.dictionary(draft.attributes);
    draft.regions.push(reader.region());
    functional.read(reader, draft);
  },
  write(writer, op) {
    const { inputs, dimension } = op.attributes as Scan;
    if (op.regions.length !== 1 || inputs > op.operands.length) return undefined;
    const dictionary = writer.dictionary(op, scanTells);
    const rest = dictionary === '' ? '' : ` attributes${dictionary}`;
    const values = `(${writer.names(op.operands.slice(0, inputs))}) inits(${writer.names(op.operands.slice(inputs))})`;
    return `${values} dimension=${dimension}${rest} ${writer.region(op.regions[0])}${functional.write(op)}`;
  },
};

type Names =
  | ChloUnaryName
  | ChloBinaryName
  | ChloBroadcastName
  | 'chlo.constant'
  | 'chlo.constant_like'
  | 'chlo.broadcast_compare'
  | 'chlo.broadcast_select'
  | 'chlo.top_k'
  | 'chlo.scan'
  | 'chlo.ragged_dot';

export const chloTexts: OpTexts<Names> = {
  ...textsOf(chloUnaryNames, arrowText),
  ...textsOf(chloBinaryNames, arrowText),
  ...textsOf(chloBroadcastNames, { parts: [broadcastDimensions], form: short([operands], functional) }),
  'chlo.constant': { parts: [given('value', 'value', elements)], form: constantForm },
  'chlo.constant_like': { parts: [given('value', 'value', elementsOrNumber)] },
  'chlo.broadcast_compare': {
    parts: [
      broadcastDimensions,
      optional('compare_type', 'compareType', nameOf(comparisonTypes, 'chlo.comparison_type')),
      given('comparison_direction', 'comparisonDirection', nameOf(comparisonDirections, 'chlo.comparison_direction')),
    ],
    form: short([operands], functional),
  },
  'chlo.broadcast_select': plainFull,
  'chlo.top_k': {
    parts: [given('k', 'k', integer('i64')), optional('is_stable', 'isStable', boolean)],
    form: short([topKOperand], arrow),
  },
  'chlo.scan': {
    parts: [
      given('dimension', 'dimension', integer('i64')),
      optional('is_associative', 'isAssociative', boolean),
      unless('is_reverse', 'isReverse', boolean, false),
      optional('scan_dim_size', 'scanDimSize', integer('i64')),
      segments,
      resultSegments,
    ],
    derive: withResultTypes,
    form: scanForm,
  },
  'chlo.ragged_dot': {
    parts: [precisionOf('chlo'), spread('ragged_dot_dimension_numbers', raggedDotNumbers)],
    derive: withOwnElementType,
  },
};
