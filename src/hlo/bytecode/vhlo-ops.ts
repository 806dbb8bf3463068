// Converts the attributes of a VHLO op to those of the corresponding StableHLO op. VHLO lists every attribute explicitly;
// most have StableHLO's names. Older versions of an op lack attributes that newer ones have.

import {
  accuracyNames,
  binaryNames,
  type Channel,
  type Collective,
  type ConvolutionAttributes,
  comparisonDirections,
  comparisonTypes,
  type DotAlgorithm,
  fftTypes,
  type GatherDimensionNumbers,
  type None,
  type OpAttributes,
  type OpName,
  type Precision,
  precisions,
  rngAlgorithms,
  rngDistributions,
  textsOfCustomCall,
  transposes,
  unaryNames,
} from '../attributes.ts';
import { readMeshAxes } from '../sharding/mesh-axes.ts';
import { readAll } from '../text/lexer.ts';
import type { ElementType } from '../types.ts';
import { attributeText, dictionaryText } from './attribute-text.ts';
import type { Fields } from './fields.ts';

type Reader<N extends OpName> = (fields: Fields) => OpAttributes[N];
type Readers = { readonly [N in OpName]?: Reader<N> };

const none = (): None => ({});
const ofNames = (names: readonly string[]): Record<string, () => None> =>
  Object.fromEntries(names.map(name => [name, none]));

const accuracy = (f: Fields): OpAttributes['tanh'] => {
  const attribute = f.get('result_accuracy');
  return attribute?.kind === 'accuracy' && attribute.value.mode !== 'DEFAULT'
    ? { resultAccuracy: attribute.value }
    : {};
};
function precision(f: Fields): readonly Precision[] {
  const attribute = f.get('precision_config');
  if (attribute?.kind !== 'array') return [];
  const list = attribute.elements.map(e => {
    const name = precisions.find(p => e.kind === 'enum' && p === e.value);
    return name ?? f.refuse('precision_config has an unknown precision');
  });
  // VHLO writes the default explicitly.
  return list.every(p => p === 'DEFAULT') ? [] : list;
}
function channel(f: Fields): Channel {
  const id = f.get('channel_id') === undefined ? 0 : f.integer('channel_id');
  const type = f.get('channel_type') === undefined ? undefined : f.integer('channel_type');
  return { ...(id > 0 ? { channelId: id } : {}), ...(type === undefined || type === 1 ? {} : { channelType: type }) };
}
function groups(f: Fields): readonly (readonly number[])[] {
  // Groups of different sizes are padded with -1.
  return f.matrix('replica_groups').map(group => group.filter(id => id >= 0));
}
/** As lists, or as axes of a mesh. */
function givenGroups(f: Fields): Pick<Collective, 'replicaGroups' | 'meshAxes'> {
  const attribute = f.get('replica_groups');
  return attribute?.kind === 'text'
    ? { replicaGroups: [], meshAxes: readAll(attribute.value, readMeshAxes) }
    : { replicaGroups: groups(f) };
}
const collective = (f: Fields): Collective => ({
  ...givenGroups(f),
  ...channel(f),
  ...(f.flag('use_global_device_ids') ? { useGlobalDeviceIds: true } : {}),
});
const rooted = (f: Fields) => (f.flag('has_dynamic_root') ? { hasDynamicRoot: true } : {});

function convolution(f: Fields): ConvolutionAttributes {
  return {
    dimensionNumbers: {
      inputBatchDimension: f.integer('input_batch_dimension'),
      inputFeatureDimension: f.integer('input_feature_dimension'),
      inputSpatialDimensions: f.dims('input_spatial_dimensions'),
      kernelInputFeatureDimension: f.integer('kernel_input_feature_dimension'),
      kernelOutputFeatureDimension: f.integer('kernel_output_feature_dimension'),
      kernelSpatialDimensions: f.dims('kernel_spatial_dimensions'),
      outputBatchDimension: f.integer('output_batch_dimension'),
      outputFeatureDimension: f.integer('output_feature_dimension'),
      outputSpatialDimensions: f.dims('output_spatial_dimensions'),
    },
    featureGroupCount: f.integer('feature_group_count'),
    batchGroupCount: f.integer('batch_group_count'),
    precision: precision(f),
    ...f.ownElementType,
  };
}
const windows = (f: Fields) => ({
  windowStrides: f.dims('window_strides'),
  lhsDilation: f.dims('lhs_dilation'),
  rhsDilation: f.dims('rhs_dilation'),
  windowReversal: f.booleans('window_reversal'),
});
const gatherNumbers = (f: Fields): GatherDimensionNumbers => ({
  offsetDims: f.dims('offset_dims'),
  collapsedSliceDims: f.dims('collapsed_slice_dims'),
  operandBatchingDims: f.optionalDims('operand_batching_dims') ?? [],
  startIndicesBatchingDims: f.optionalDims('start_indices_batching_dims') ?? [],
  startIndexMap: f.dims('start_index_map'),
  indexVectorDim: f.integer('index_vector_dim'),
});
function algorithm(f: Fields): { readonly algorithm?: DotAlgorithm } {
  const type = (name: string): ElementType | undefined => {
    const attribute = f.get(name);
    return attribute?.kind === 'type' && attribute.value.kind === 'element' ? attribute.value.elementType : undefined;
  };
  const [lhs, rhs, accumulation] = ['lhs_precision_type', 'rhs_precision_type', 'accumulation_type'].map(type);
  const rest = ['lhs_component_count', 'rhs_component_count', 'num_primitive_operations'] as const;
  for (const name of [...rest, 'allow_imprecise_accumulation']) f.get(name);
  if (lhs === undefined || rhs === undefined || accumulation === undefined) return {};
  return {
    algorithm: {
      lhsPrecisionType: lhs,
      rhsPrecisionType: rhs,
      accumulationType: accumulation,
      lhsComponentCount: f.integer(rest[0]),
      rhsComponentCount: f.integer(rest[1]),
      numPrimitiveOperations: f.integer(rest[2]),
      allowImpreciseAccumulation: f.boolean('allow_imprecise_accumulation'),
    },
  };
}
function customCall(f: Fields): OpAttributes['custom_call'] {
  const config = f.get('backend_config');
  const version = f.get('api_version');
  const computations = f.get('called_computations')?.kind === 'array' ? f.array('called_computations') : [];
  const names = computations.map(c => (c.kind === 'string' ? c.value : f.refuse('called_computations must be names')));
  const attributes = {
    callTargetName: f.string('call_target_name'),
    backendConfig:
      config?.kind === 'string' ? config.value : config?.kind === 'dictionary' ? dictionaryText(config.entries) : '',
    resultTypes: f.resultTypes,
    hasSideEffect: f.flag('has_side_effect'),
    ...(version?.kind === 'enum' && version.value !== '1' ? { apiVersion: Number(version.value) } : {}),
    ...(names.length > 0 ? { calledComputations: names } : {}),
  };
  const more: Record<string, string> = {};
  for (const name of textsOfCustomCall) {
    const attribute = f.get(name);
    if (attribute !== undefined && !(attribute.kind === 'array' && attribute.elements.length === 0))
      // Layouts are tensors of `index`.
      more[name] = name.endsWith('_layouts')
        ? attributeText(attribute).replaceAll('xi64>', 'xindex>')
        : attributeText(attribute);
  }
  return Object.keys(more).length === 0 ? attributes : { ...attributes, more };
}
const transfer = (f: Fields) => {
  const pairs = f.get('source_target_pairs') === undefined ? [] : f.pairs('source_target_pairs');
  return {
    ...channel(f),
    channelId: f.integer('channel_id'),
    isHostTransfer: f.flag('is_host_transfer'),
    ...(pairs.length === 0 ? {} : { sourceTargetPairs: pairs }),
  };
};
const batchNorm = (f: Fields) => ({ epsilon: f.float('epsilon'), featureIndex: f.integer('feature_index') });
const ofType = (f: Fields) => ({ type: f.tensorType() });

const special: Readers = {
  is_finite: none,
  compare: f => {
    const type = f.get('compare_type');
    const compareType = comparisonTypes.find(t => type?.kind === 'enum' && t === type.value);
    return {
      comparisonDirection: f.oneOf('comparison_direction', comparisonDirections),
      ...(compareType === undefined ? {} : { compareType }),
    };
  },
  select: none,
  clamp: none,
  convert: f => ({ elementType: f.tensorType().elementType }),
  bitcast_convert: ofType,
  reduce_precision: f => ({ exponentBits: f.integer('exponent_bits'), mantissaBits: f.integer('mantissa_bits') }),
  optimization_barrier: none,
  constant: f => ({ value: f.tensor('value') }),
  iota: f => ({ iotaDimension: f.integer('iota_dimension'), type: f.tensorType() }),
  rng_bit_generator: f => ({ rngAlgorithm: f.oneOf('rng_algorithm', rngAlgorithms), type: f.tensorType(1) }),
  partition_id: none,
  replica_id: none,
  reshape: f => ({ shape: f.tensorType().shape }),
  broadcast_in_dim: f => ({ broadcastDimensions: f.dims('broadcast_dimensions'), shape: f.tensorType().shape }),
  transpose: f => ({ permutation: f.dims('permutation') }),
  reverse: f => ({ dimensions: f.dims('dimensions') }),
  slice: f => ({
    startIndices: f.dims('start_indices'),
    limitIndices: f.dims('limit_indices'),
    strides: f.dims('strides'),
  }),
  concatenate: f => ({ dimension: f.integer('dimension') }),
  pad: f => ({
    edgePaddingLow: f.dims('edge_padding_low'),
    edgePaddingHigh: f.dims('edge_padding_high'),
    interiorPadding: f.dims('interior_padding'),
  }),
  dynamic_slice: f => ({ sliceSizes: f.dims('slice_sizes') }),
  dynamic_update_slice: none,
  gather: f => ({
    dimensionNumbers: gatherNumbers(f),
    sliceSizes: f.dims('slice_sizes'),
    indicesAreSorted: f.flag('indices_are_sorted'),
  }),
  scatter: f => ({
    dimensionNumbers: {
      updateWindowDims: f.dims('update_window_dims'),
      insertedWindowDims: f.dims('inserted_window_dims'),
      inputBatchingDims: f.optionalDims('input_batching_dims') ?? [],
      scatterIndicesBatchingDims: f.optionalDims('scatter_indices_batching_dims') ?? [],
      scatterDimsToOperandDims: f.dims('scatter_dims_to_operand_dims'),
      indexVectorDim: f.integer('index_vector_dim'),
    },
    indicesAreSorted: f.flag('indices_are_sorted'),
    uniqueIndices: f.flag('unique_indices'),
  }),
  sort: f => ({ dimension: f.integer('dimension'), isStable: f.flag('is_stable') }),
  reduce: f => ({ dimensions: f.dims('dimensions') }),
  reduce_window: f => ({
    windowDimensions: f.dims('window_dimensions'),
    windowStrides: f.dims('window_strides'),
    baseDilations: f.dims('base_dilations'),
    windowDilations: f.dims('window_dilations'),
    padding: f.pairs('padding'),
  }),
  select_and_scatter: f => ({
    windowDimensions: f.dims('window_dimensions'),
    windowStrides: f.dims('window_strides'),
    padding: f.pairs('padding'),
  }),
  dot_general: f => ({
    lhsBatchingDimensions: f.dims('lhs_batching_dimensions'),
    rhsBatchingDimensions: f.dims('rhs_batching_dimensions'),
    lhsContractingDimensions: f.dims('lhs_contracting_dimensions'),
    rhsContractingDimensions: f.dims('rhs_contracting_dimensions'),
    precision: precision(f),
    ...algorithm(f),
    ...f.ownElementType,
  }),
  convolution: f => ({ ...windows(f), padding: f.pairs('padding'), ...convolution(f) }),
  dynamic_conv: f => ({ ...windows(f), ...convolution(f), type: f.tensorType() }),
  cholesky: f => ({ lower: f.flag('lower') }),
  triangular_solve: f => ({
    leftSide: f.flag('left_side'),
    lower: f.flag('lower'),
    unitDiagonal: f.flag('unit_diagonal'),
    transposeA: f.oneOf('transpose_a', transposes),
  }),
  fft: f => ({ fftType: f.oneOf('fft_type', fftTypes), fftLength: f.dims('fft_length') }),
  complex: none,
  real: none,
  imag: none,
  batch_norm_training: batchNorm,
  batch_norm_inference: batchNorm,
  batch_norm_grad: batchNorm,
  get_dimension_size: f => ({ dimension: f.integer('dimension') }),
  set_dimension_size: f => ({ dimension: f.integer('dimension') }),
  dynamic_broadcast_in_dim: f => {
    const expanding = f.optionalDims('known_expanding_dimensions') ?? [];
    const nonexpanding = f.optionalDims('known_nonexpanding_dimensions') ?? [];
    return {
      broadcastDimensions: f.dims('broadcast_dimensions'),
      ...(expanding.length > 0 ? { knownExpandingDimensions: expanding } : {}),
      ...(nonexpanding.length > 0 ? { knownNonexpandingDimensions: nonexpanding } : {}),
      type: f.tensorType(),
    };
  },
  dynamic_gather: f => ({
    dimensionNumbers: gatherNumbers(f),
    indicesAreSorted: f.flag('indices_are_sorted'),
    type: f.tensorType(),
  }),
  dynamic_iota: f => ({ iotaDimension: f.integer('iota_dimension'), type: f.tensorType() }),
  dynamic_pad: ofType,
  dynamic_reshape: ofType,
  real_dynamic_slice: ofType,
  uniform_quantize: ofType,
  uniform_dequantize: none,
  map: f => ({ dimensions: f.dims('dimensions') }),
  rng: f => ({ rngDistribution: f.oneOf('rng_distribution', rngDistributions), type: f.tensorType() }),
  broadcast: f => ({ broadcastSizes: f.dims('broadcast_sizes') }),
  dot: f => ({ precision: precision(f), ...f.ownElementType }),
  einsum: f => ({ einsumConfig: f.string('einsum_config'), type: f.tensorType() }),
  unary_einsum: f => ({ einsumConfig: f.string('einsum_config'), type: f.tensorType() }),
  torch_index_select: f => ({ dim: f.integer('dim'), batchDims: f.integer('batch_dims') }),
  while: none,
  if: none,
  case: none,
  'func.call': f => ({ callee: f.string('callee'), resultTypes: f.resultTypes }),
  custom_call: customCall,
  composite: f => {
    const attributes = f.get('composite_attributes');
    return {
      name: f.string('name'),
      compositeAttributes: attributes?.kind === 'dictionary' ? dictionaryText(attributes.entries) : '{}',
      decomposition: f.string('decomposition'),
      version: f.integer('version'),
      resultTypes: f.resultTypes,
    };
  },
  tuple: none,
  get_tuple_element: f => ({ index: f.integer('index') }),
  all_reduce: collective,
  all_gather: f => ({ ...collective(f), allGatherDim: f.integer('all_gather_dim') }),
  reduce_scatter: f => ({ ...collective(f), scatterDimension: f.integer('scatter_dimension') }),
  all_to_all: f => ({
    ...collective(f),
    splitDimension: f.integer('split_dimension'),
    concatDimension: f.integer('concat_dimension'),
    splitCount: f.integer('split_count'),
  }),
  collective_permute: f => ({ ...channel(f), sourceTargetPairs: f.pairs('source_target_pairs') }),
  collective_broadcast: f => ({ ...collective(f), ...rooted(f) }),
  collective_reduce: f => ({ ...collective(f), ...rooted(f) }),
  'cross-replica-sum': f => ({ replicaGroups: groups(f) }),
  after_all: none,
  create_token: none,
  send: transfer,
  recv: f => ({ ...transfer(f), resultTypes: f.resultTypes }),
  infeed: f => {
    const layout = f.get('layout');
    return {
      infeedConfig: f.string('infeed_config'),
      ...(layout === undefined ? {} : { layout: attributeText(layout) }),
      resultTypes: f.resultTypes,
    };
  },
  outfeed: f => ({ outfeedConfig: f.string('outfeed_config') }),
  async_start: none,
  async_done: none,
};

const readers: { readonly [name: string]: ((fields: Fields) => object) | undefined } = {
  ...ofNames([...unaryNames, ...binaryNames]),
  ...Object.fromEntries(accuracyNames.map(name => [name, accuracy])),
  ...special,
};

/** The attributes of the StableHLO op that corresponds to a VHLO op; rejects unknown names. */
export function opAttributes(name: string, fields: Fields): object {
  const read = (Object.hasOwn(readers, name) ? readers[name] : undefined) ?? fields.refuse('not a VHLO op');
  return read(fields);
}
