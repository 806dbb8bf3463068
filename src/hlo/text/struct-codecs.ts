// Attributes that hold several named fields: dimension numbers, dot algorithms, channels, accuracies.
import type {
  Channel,
  ConvolutionDimensionNumbers,
  Dims,
  DotAlgorithm,
  DotDimensionNumbers,
  GatherDimensionNumbers,
  RaggedDotDimensionNumbers,
  ResultAccuracy,
  ScatterDimensionNumbers,
} from '../attributes.ts';
import { resultAccuracyModes } from '../attributes.ts';
import { boolean, type Codec, dimList, dims, float, integer, nameOf, typeOf, wrong } from './codecs.ts';
import { formatFloat } from './print-literal.ts';
import type { AttributeMap, AttributeSyntax, SyntaxSource } from './syntax.ts';

const i64 = integer('i64');

/** The fields of one struct, each read once; leftover fields are rejected. */
class Fields {
  readonly #node: AttributeSyntax;
  readonly #source: SyntaxSource;
  readonly #fields: AttributeMap;
  readonly #asked = new Set<string>();

  constructor(node: AttributeSyntax, source: SyntaxSource, name: string) {
    // Short forms leave the name out.
    if (node.kind !== 'struct' || (node.name !== name && node.name !== '')) wrong(node, source, `'#${name}<…>'`);
    this.#node = node;
    this.#source = source;
    this.#fields = node.fields;
  }
  get<T>(name: string, codec: Codec<T>, absent?: T): T {
    this.#asked.add(name);
    const field = this.#fields.get(name);
    if (field !== undefined) return codec.read(field, this.#source);
    return absent ?? wrong(this.#node, this.#source, `a field '${name}'`);
  }
  dims(name: string): Dims {
    return this.get(name, dims, []);
  }
  elementType(name: string) {
    this.#asked.add(name);
    return typeOf(this.#fields.get(name), this.#source, this.#node.start);
  }
  done<T>(value: T): T {
    for (const [name, field] of this.#fields)
      if (!this.#asked.has(name)) wrong(field, this.#source, `no field '${name}'`);
    return value;
  }
}

type FieldList = readonly (readonly [name: string, value: string | undefined])[];
const struct = (name: string, fields: FieldList): string => `#${name}${body(fields)}`;
const body = (fields: FieldList): string =>
  `<${fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}>`;
const unlessEmpty = (list: Dims): string | undefined => (list.length === 0 ? undefined : dimList(list));

export const gatherNumbers: Codec<GatherDimensionNumbers> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.gather');
    return f.done({
      offsetDims: f.dims('offset_dims'),
      collapsedSliceDims: f.dims('collapsed_slice_dims'),
      operandBatchingDims: f.dims('operand_batching_dims'),
      startIndicesBatchingDims: f.dims('start_indices_batching_dims'),
      startIndexMap: f.dims('start_index_map'),
      indexVectorDim: f.get('index_vector_dim', i64, 0),
    });
  },
  write: d =>
    struct('stablehlo.gather', [
      ['offset_dims', unlessEmpty(d.offsetDims)],
      ['collapsed_slice_dims', unlessEmpty(d.collapsedSliceDims)],
      ['operand_batching_dims', unlessEmpty(d.operandBatchingDims)],
      ['start_indices_batching_dims', unlessEmpty(d.startIndicesBatchingDims)],
      ['start_index_map', unlessEmpty(d.startIndexMap)],
      ['index_vector_dim', String(d.indexVectorDim)],
    ]),
};

export const scatterNumbers: Codec<ScatterDimensionNumbers> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.scatter');
    return f.done({
      updateWindowDims: f.dims('update_window_dims'),
      insertedWindowDims: f.dims('inserted_window_dims'),
      inputBatchingDims: f.dims('input_batching_dims'),
      scatterIndicesBatchingDims: f.dims('scatter_indices_batching_dims'),
      scatterDimsToOperandDims: f.dims('scatter_dims_to_operand_dims'),
      indexVectorDim: f.get('index_vector_dim', i64, 0),
    });
  },
  write: d =>
    struct('stablehlo.scatter', [
      ['update_window_dims', unlessEmpty(d.updateWindowDims)],
      ['inserted_window_dims', unlessEmpty(d.insertedWindowDims)],
      ['input_batching_dims', unlessEmpty(d.inputBatchingDims)],
      ['scatter_indices_batching_dims', unlessEmpty(d.scatterIndicesBatchingDims)],
      ['scatter_dims_to_operand_dims', unlessEmpty(d.scatterDimsToOperandDims)],
      ['index_vector_dim', String(d.indexVectorDim)],
    ]),
};

const readDot = (f: Fields): DotDimensionNumbers => ({
  lhsBatchingDimensions: f.dims('lhs_batching_dimensions'),
  rhsBatchingDimensions: f.dims('rhs_batching_dimensions'),
  lhsContractingDimensions: f.dims('lhs_contracting_dimensions'),
  rhsContractingDimensions: f.dims('rhs_contracting_dimensions'),
});
const dotFields = (d: DotDimensionNumbers): FieldList => [
  ['lhs_batching_dimensions', unlessEmpty(d.lhsBatchingDimensions)],
  ['rhs_batching_dimensions', unlessEmpty(d.rhsBatchingDimensions)],
  ['lhs_contracting_dimensions', unlessEmpty(d.lhsContractingDimensions)],
  ['rhs_contracting_dimensions', unlessEmpty(d.rhsContractingDimensions)],
];
export const dotNumbers: Codec<DotDimensionNumbers> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.dot');
    return f.done(readDot(f));
  },
  write: d => struct('stablehlo.dot', dotFields(d)),
};
export const raggedDotNumbers: Codec<RaggedDotDimensionNumbers> = {
  read(node, source) {
    const f = new Fields(node, source, 'chlo.ragged_dot');
    return f.done({
      ...readDot(f),
      lhsRaggedDimensions: f.dims('lhs_ragged_dimensions'),
      rhsGroupDimensions: f.dims('rhs_group_dimensions'),
    });
  },
  write: d =>
    struct('chlo.ragged_dot', [
      ...dotFields(d),
      ['lhs_ragged_dimensions', unlessEmpty(d.lhsRaggedDimensions)],
      ['rhs_group_dimensions', unlessEmpty(d.rhsGroupDimensions)],
    ]),
};

const algorithmBody = (a: DotAlgorithm): string =>
  body([
    ['lhs_precision_type', a.lhsPrecisionType],
    ['rhs_precision_type', a.rhsPrecisionType],
    ['accumulation_type', a.accumulationType],
    ['lhs_component_count', String(a.lhsComponentCount)],
    ['rhs_component_count', String(a.rhsComponentCount)],
    ['num_primitive_operations', String(a.numPrimitiveOperations)],
    ['allow_imprecise_accumulation', String(a.allowImpreciseAccumulation)],
  ]);
export const dotAlgorithm: Codec<DotAlgorithm> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.dot_algorithm');
    return f.done({
      lhsPrecisionType: f.elementType('lhs_precision_type'),
      rhsPrecisionType: f.elementType('rhs_precision_type'),
      accumulationType: f.elementType('accumulation_type'),
      lhsComponentCount: f.get('lhs_component_count', i64),
      rhsComponentCount: f.get('rhs_component_count', i64),
      numPrimitiveOperations: f.get('num_primitive_operations', i64),
      allowImpreciseAccumulation: f.get('allow_imprecise_accumulation', boolean),
    });
  },
  write: a => `#stablehlo.dot_algorithm${algorithmBody(a)}`,
  bare: algorithmBody,
};

export const convolutionNumbers: Codec<ConvolutionDimensionNumbers> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.conv');
    return f.done({
      inputBatchDimension: f.get('input_batch_dimension', i64, 0),
      inputFeatureDimension: f.get('input_feature_dimension', i64, 0),
      inputSpatialDimensions: f.dims('input_spatial_dimensions'),
      kernelInputFeatureDimension: f.get('kernel_input_feature_dimension', i64, 0),
      kernelOutputFeatureDimension: f.get('kernel_output_feature_dimension', i64, 0),
      kernelSpatialDimensions: f.dims('kernel_spatial_dimensions'),
      outputBatchDimension: f.get('output_batch_dimension', i64, 0),
      outputFeatureDimension: f.get('output_feature_dimension', i64, 0),
      outputSpatialDimensions: f.dims('output_spatial_dimensions'),
    });
  },
  write: d => `#stablehlo.conv<${orders(d) ?? raw(d)}>`,
  bare: d => orders(d) ?? raw(d),
};
/** `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; undefined if the numbers are not permutations of the dims. */
function orders(d: ConvolutionDimensionNumbers): string | undefined {
  let regular = true;
  const order = (first: readonly [number, string], second: readonly [number, string], spatial: Dims): string => {
    const names = new Array<string | undefined>(spatial.length + 2).fill(undefined);
    for (const [dim, name] of [first, second, ...spatial.map((dim, s) => [dim, String(s)] as const)]) {
      regular &&= dim >= 0 && dim < names.length && names[dim] === undefined;
      if (regular) names[dim] = name;
    }
    return `[${names.join(', ')}]`;
  };
  const input = order([d.inputBatchDimension, 'b'], [d.inputFeatureDimension, 'f'], d.inputSpatialDimensions);
  const kernel = order(
    [d.kernelInputFeatureDimension, 'i'],
    [d.kernelOutputFeatureDimension, 'o'],
    d.kernelSpatialDimensions,
  );
  const output = order([d.outputBatchDimension, 'b'], [d.outputFeatureDimension, 'f'], d.outputSpatialDimensions);
  return regular ? `${input}x${kernel}->${output}` : undefined;
}
function raw(d: ConvolutionDimensionNumbers): string {
  return `raw ${body([
    ['input_batch_dimension', String(d.inputBatchDimension)],
    ['input_feature_dimension', String(d.inputFeatureDimension)],
    ['input_spatial_dimensions', dimList(d.inputSpatialDimensions)],
    ['kernel_input_feature_dimension', String(d.kernelInputFeatureDimension)],
    ['kernel_output_feature_dimension', String(d.kernelOutputFeatureDimension)],
    ['kernel_spatial_dimensions', dimList(d.kernelSpatialDimensions)],
    ['output_batch_dimension', String(d.outputBatchDimension)],
    ['output_feature_dimension', String(d.outputFeatureDimension)],
    ['output_spatial_dimensions', dimList(d.outputSpatialDimensions)],
  ]).slice(1, -1)}`;
}

export const channel: Codec<Channel> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.channel_handle');
    const channelType = f.get('type', i64);
    return f.done({ channelId: f.get('handle', i64), ...(channelType === 1 ? {} : { channelType }) });
  },
  write: ({ channelId = 0, channelType = 1 }) =>
    `#stablehlo.channel_handle<handle = ${channelId}, type = ${channelType}>`,
};

const accuracyMode: Codec<ResultAccuracy['mode']> = {
  ...nameOf(resultAccuracyModes, 'stablehlo.result_accuracy_mode'),
  write: mode => `#stablehlo.result_accuracy_mode<${mode}>`,
};
export const resultAccuracy: Codec<ResultAccuracy> = {
  read(node, source) {
    const f = new Fields(node, source, 'stablehlo.result_accuracy');
    return f.done({
      mode: f.get('mode', accuracyMode),
      atol: f.get('atol', float('f64'), 0),
      rtol: f.get('rtol', float('f64'), 0),
      ulps: f.get('ulps', i64, 0),
    });
  },
  write: a =>
    struct('stablehlo.result_accuracy', [
      ['atol', a.atol === 0 ? undefined : formatFloat(a.atol, 'f64')],
      ['rtol', a.rtol === 0 ? undefined : formatFloat(a.rtol, 'f64')],
      ['ulps', a.ulps === 0 ? undefined : String(a.ulps)],
      ['mode', accuracyMode.write(a.mode)],
    ]),
};
