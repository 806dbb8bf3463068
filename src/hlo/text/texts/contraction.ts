// Contractions and convolutions.
import type { ConvolutionAttributes, OpAttributes, Precision } from '../../attributes.ts';
import { precisions } from '../../attributes.ts';
import { booleans, type Codec, dims, integer, listOf, nameOf, pairs, string } from '../codecs.ts';
import { readConvolutionNumbers } from '../dialect-attributes.ts';
import { clauses, operands, operandsInParentheses, type Piece, short } from '../form.ts';
import { tokens } from '../lexer.ts';
import { given, type OpTexts, optional, type Part, rankOf, spread, withOwnElementType, withType } from '../op-text.ts';
import { functional } from '../signature.ts';
import { convolutionNumbers, dotAlgorithm, dotNumbers } from '../struct-codecs.ts';
import type { AttributeSyntax, OpSyntax } from '../syntax.ts';

/** `precision_config`, which is omitted if it is empty. */
export function precisionOf(dialect: 'stablehlo' | 'chlo'): Part<{ readonly precision: readonly Precision[] }> {
  const list: Codec<readonly Precision[]> = listOf(nameOf(precisions, `${dialect}.precision`), 'a list of precisions');
  const part = given('precision_config', 'precision', list, []);
  return {
    ...part,
    write: (a, op) => (a.precision.length === 0 ? undefined : part.write(a, op)),
    bare: (a, op) => (a.precision.length === 0 ? undefined : part.bare(a, op)),
  };
}
const precision = precisionOf('stablehlo');

/** `, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGH], algorithm = <…>` */
const dotClauses: Piece = {
  tells: ['dot_dimension_numbers', 'precision_config', 'algorithm'],
  read(reader, draft) {
    const { start } = reader;
    const fields = new Map<string, AttributeSyntax>();
    const product = (kind: string): void => {
      reader.expect('=');
      fields.set(`lhs_${kind}_dimensions`, reader.bareAttribute());
      reader.expectWord('x');
      fields.set(`rhs_${kind}_dimensions`, reader.bareAttribute());
    };
    while (reader.take(',')) {
      const { start: at } = reader;
      const keyword = reader.takeText(tokens.word, "'contracting_dims'");
      if (keyword === 'batching_dims') product('batching');
      else if (keyword === 'contracting_dims') product('contracting');
      else if (keyword === 'precision' || keyword === 'algorithm') {
        reader.expect('=');
        draft.attributes.set(keyword === 'precision' ? 'precision_config' : 'algorithm', reader.bareAttribute());
      } else reader.refuse(at, "'batching_dims', 'contracting_dims', 'precision' or 'algorithm'");
    }
    if (!fields.has('lhs_contracting_dimensions')) reader.refuse(start, "', contracting_dims = [] x []'");
    draft.attributes.set('dot_dimension_numbers', { kind: 'struct', name: '', fields, start, end: reader.lastEnd });
  },
  write(writer, op) {
    const a = op.attributes as OpAttributes['dot_general'];
    const batched = a.lhsBatchingDimensions.length + a.rhsBatchingDimensions.length > 0;
    const product = (lhs: readonly number[], rhs: readonly number[]): string =>
      `${dims.bare!(lhs)} x ${dims.bare!(rhs)}`;
    const batching = batched ? `, batching_dims = ${product(a.lhsBatchingDimensions, a.rhsBatchingDimensions)}` : '';
    const contracting = `, contracting_dims = ${product(a.lhsContractingDimensions, a.rhsContractingDimensions)}`;
    return `${batching}${contracting}${rest.write(writer, op)}`;
  },
};
const rest = clauses({ precision: 'precision_config', algorithm: 'algorithm' });

const windowKeywords: Readonly<Record<string, string>> = {
  stride: 'window_strides',
  pad: 'padding',
  lhs_dilate: 'lhs_dilation',
  rhs_dilate: 'rhs_dilation',
  reverse: 'window_reversal',
};
/** ` dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]}` */
const convolutionWindow: Piece = {
  tells: ['dimension_numbers', ...Object.values(windowKeywords)],
  read(reader, draft) {
    reader.expectWord('dim_numbers');
    reader.expect('=');
    const { start } = reader;
    const numbers = readConvolutionNumbers(reader);
    draft.attributes.set('dimension_numbers', { ...numbers, start, end: reader.lastEnd } as AttributeSyntax);
    reader.expect(',');
    reader.expectWord('window');
    reader.expect('=');
    reader.expect('{');
    reader.list('}', () => {
      const attribute = windowKeywords[reader.kind === tokens.word ? reader.tokenText() : ''];
      if (attribute === undefined || draft.attributes.has(attribute))
        return reader.fail(`one of ${Object.keys(windowKeywords).join(', ')}, each once`);
      reader.next();
      reader.expect('=');
      draft.attributes.set(attribute, reader.bareAttribute());
    });
  },
  write(writer, op) {
    const a = op.attributes as OpAttributes['convolution'];
    const numbers = convolutionNumbers.bare!(a.dimensionNumbers);
    if (!numbers.startsWith('[')) return undefined;
    const spatial = spatialRank(op);
    // Defaults are 1 (or 0, or false) for each spatial dim.
    const usual: Readonly<Record<string, boolean>> = {
      window_strides: allAre(a.windowStrides, 1, spatial),
      padding: a.padding.length === spatial && a.padding.flat().every(p => p === 0),
      lhs_dilation: allAre(a.lhsDilation, 1, spatial),
      rhs_dilation: allAre(a.rhsDilation, 1, spatial),
      window_reversal: allAre(a.windowReversal, false, spatial),
    };
    const window = Object.entries(windowKeywords)
      .filter(([, attribute]) => !usual[attribute])
      .map(([keyword, attribute]) => `${keyword} = ${writer.bare(op, attribute)}`);
    return ` dim_numbers = ${numbers}, window = {${window.join(', ')}}`;
  },
};
const allAre = <T>(values: readonly T[], value: T, count: number): boolean =>
  values.length === count && values.every(v => v === value);

const spatialRank = (op: Pick<OpSyntax, 'operands'>): number => Math.max(0, rankOf(op) - 2);
const spatialOf =
  <T>(value: T) =>
  (op: OpSyntax): readonly T[] =>
    new Array<T>(spatialRank(op)).fill(value);
const convolutionParts: readonly Part<Omit<ConvolutionAttributes, 'elementType'>>[] = [
  given('batch_group_count', 'batchGroupCount', integer('i64')),
  given('dimension_numbers', 'dimensionNumbers', convolutionNumbers),
  given('feature_group_count', 'featureGroupCount', integer('i64')),
];
const windowParts = [
  given('lhs_dilation', 'lhsDilation', dims, spatialOf(1)),
  given('rhs_dilation', 'rhsDilation', dims, spatialOf(1)),
  given('window_reversal', 'windowReversal', booleans, spatialOf(false)),
  given('window_strides', 'windowStrides', dims, spatialOf(1)),
] as const;

export const contractionTexts: OpTexts<
  'dot_general' | 'dot' | 'einsum' | 'unary_einsum' | 'convolution' | 'dynamic_conv'
> = {
  dot_general: {
    parts: [optional('algorithm', 'algorithm', dotAlgorithm), spread('dot_dimension_numbers', dotNumbers), precision],
    derive: withOwnElementType,
    form: short([operands, dotClauses], functional),
  },
  dot: {
    parts: [precision],
    derive: withOwnElementType,
    form: short([operands, clauses({ precision: 'precision_config' })], functional),
  },
  einsum: {
    parts: [given('einsum_config', 'einsumConfig', string)],
    derive: withType,
    form: short([operands, clauses({ config: 'einsum_config' })], functional),
  },
  unary_einsum: {
    parts: [given('einsum_config', 'einsumConfig', string)],
    derive: withType,
    form: short([operands, clauses({ config: 'einsum_config' })], functional),
  },
  convolution: {
    parts: [
      ...convolutionParts,
      given('padding', 'padding', pairs, spatialOf([0, 0] as const)),
      precision,
      ...windowParts,
    ],
    derive: withOwnElementType,
    form: short([operandsInParentheses, convolutionWindow], functional),
  },
  dynamic_conv: {
    parts: [...convolutionParts, precision, ...windowParts],
    derive: (op, source) => ({ ...withOwnElementType(op, source), ...withType(op, source) }),
  },
};
