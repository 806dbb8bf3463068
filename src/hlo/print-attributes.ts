// Attributes as StableHLO writes them: the pieces the printer puts together.
import type {
  Collective,
  ConvolutionDimensionNumbers,
  Dims,
  GatherDimensionNumbers,
  OpAttributes,
  Precision,
  ScatterDimensionNumbers,
} from './attributes.ts';

export const dimList = (dims: Dims): string => `[${dims.join(', ')}]`;
export const i64Array = (dims: Dims): string => (dims.length === 0 ? 'array<i64>' : `array<i64: ${dims.join(', ')}>`);
export const i64 = (value: number): string => `${value} : i64`;
export const precisionList = (precision: readonly Precision[]): string =>
  `[${precision.map(p => `#stablehlo<precision ${p}>`).join(', ')}]`;
export const quoted = (text: string): string =>
  `"${text.replace(/["\\\n\r\t]/g, c => `\\${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}"`;
/** `@name`, quoted where it is no plain identifier. */
export const symbol = (name: string): string => (/^[A-Za-z_][\w$.]*$/.test(name) ? `@${name}` : `@${quoted(name)}`);

/** A matrix of i64 such as padding or replica groups. */
export function i64Matrix(rows: readonly (readonly number[])[], columns = rows[0]?.length ?? 0): string {
  const type = `tensor<${rows.length}x${columns}xi64>`;
  return rows.length === 0 || columns === 0
    ? `dense<> : ${type}`
    : `dense<[${rows.map(dimList).join(', ')}]> : ${type}`;
}

type Entries = readonly (readonly [key: string, value: string | undefined])[];
/** `a = 1, b = 2`; an empty value prints the key alone (a unit attribute), an undefined one nothing. */
export function entries(list: Entries): string {
  return list
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => (value === '' ? key : `${key} = ${value}`))
    .join(', ');
}
const unlessEmpty = (dims: Dims): string | undefined => (dims.length === 0 ? undefined : dimList(dims));

export function gatherNumbers(d: GatherDimensionNumbers): string {
  return `#stablehlo.gather<${entries([
    ['offset_dims', unlessEmpty(d.offsetDims)],
    ['collapsed_slice_dims', unlessEmpty(d.collapsedSliceDims)],
    ['operand_batching_dims', unlessEmpty(d.operandBatchingDims)],
    ['start_indices_batching_dims', unlessEmpty(d.startIndicesBatchingDims)],
    ['start_index_map', unlessEmpty(d.startIndexMap)],
    ['index_vector_dim', String(d.indexVectorDim)],
  ])}>`;
}
export function scatterNumbers(d: ScatterDimensionNumbers): string {
  return `#stablehlo.scatter<${entries([
    ['update_window_dims', unlessEmpty(d.updateWindowDims)],
    ['inserted_window_dims', unlessEmpty(d.insertedWindowDims)],
    ['input_batching_dims', unlessEmpty(d.inputBatchingDims)],
    ['scatter_indices_batching_dims', unlessEmpty(d.scatterIndicesBatchingDims)],
    ['scatter_dims_to_operand_dims', unlessEmpty(d.scatterDimsToOperandDims)],
    ['index_vector_dim', String(d.indexVectorDim)],
  ])}>`;
}

/** `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`. */
export function convolutionNumbers(d: ConvolutionDimensionNumbers): string {
  const order = (first: readonly [number, string], second: readonly [number, string], spatial: Dims): string => {
    const names = new Array<string>(spatial.length + 2);
    names[first[0]] = first[1];
    names[second[0]] = second[1];
    spatial.forEach((dim, s) => {
      names[dim] = String(s);
    });
    return `[${names.join(', ')}]`;
  };
  const input = order([d.inputBatchDimension, 'b'], [d.inputFeatureDimension, 'f'], d.inputSpatialDimensions);
  const kernel = order(
    [d.kernelInputFeatureDimension, 'i'],
    [d.kernelOutputFeatureDimension, 'o'],
    d.kernelSpatialDimensions,
  );
  const output = order([d.outputBatchDimension, 'b'], [d.outputFeatureDimension, 'f'], d.outputSpatialDimensions);
  return `${input}x${kernel}->${output}`;
}
/** `{stride = [2, 1], pad = [[0, 1], [2, 2]], …}`, without what is the default. */
export function convolutionWindow(a: OpAttributes['convolution']): string {
  const not = (dims: Dims, plain: number): string | undefined =>
    dims.every(d => d === plain) ? undefined : dimList(dims);
  return `{${entries([
    ['stride', not(a.windowStrides, 1)],
    ['pad', a.padding.flat().every(p => p === 0) ? undefined : `[${a.padding.map(dimList).join(', ')}]`],
    ['lhs_dilate', not(a.lhsDilation, 1)],
    ['rhs_dilate', not(a.rhsDilation, 1)],
    ['reverse', a.windowReversal.some(r => r) ? `[${a.windowReversal.join(', ')}]` : undefined],
  ])}}`;
}

export function collectiveEntries(a: Collective, more: Entries = []): string {
  // Groups of different sizes are filled up with -1.
  const columns = Math.max(0, ...a.replicaGroups.map(g => g.length));
  const groups = a.replicaGroups.map(g => [...g, ...new Array<number>(columns - g.length).fill(-1)]);
  return entries([
    ['replica_groups', i64Matrix(groups, columns)],
    [
      'channel_handle',
      (a.channelId ?? 0) > 0 ? `#stablehlo.channel_handle<handle = ${a.channelId}, type = 1>` : undefined,
    ],
    ['use_global_device_ids', a.useGlobalDeviceIds ? '' : undefined],
    ...more,
  ]);
}
