// Ops that move elements.
import type { OpAttributes } from '../../attributes.ts';
import { boolean, dims, integer } from '../codecs.ts';
import { clauses, operands, type Piece, short } from '../form.ts';
import { given, type OpTexts, optional, withShape, withType } from '../op-text.ts';
import { functional, same } from '../signature.ts';
import { gatherNumbers, scatterNumbers } from '../struct-codecs.ts';
import { plainFull } from './elementwise.ts';

/** ` [0:1, 2:8:2]` */
const ranges: Piece = {
  tells: ['start_indices', 'limit_indices', 'strides'],
  read(reader, draft) {
    const { start } = reader;
    const [starts, limits, strides]: [number[], number[], number[]] = [[], [], []];
    reader.expect('[');
    reader.list(']', () => {
      starts.push(reader.integer('an index'));
      reader.expect(':');
      limits.push(reader.integer('an index'));
      strides.push(reader.take(':') ? reader.integer('a stride') : 1);
    });
    [starts, limits, strides].forEach((values, i) => {
      draft.attributes.set(ranges.tells[i]!, { kind: 'numbers', values, start, end: reader.lastEnd });
    });
  },
  write(_writer, op) {
    const { startIndices, limitIndices, strides } = op.attributes as OpAttributes['slice'];
    if (startIndices.length !== limitIndices.length || startIndices.length !== strides.length) return undefined;
    const list = startIndices.map((s, i) => `${s}:${limitIndices[i]}${strides[i] === 1 ? '' : `:${strides[i]}`}`);
    return ` [${list.join(', ')}]`;
  },
};

const sorted = given('indices_are_sorted', 'indicesAreSorted', boolean, false);

type Names =
  | 'reshape'
  | 'broadcast_in_dim'
  | 'broadcast'
  | 'transpose'
  | 'reverse'
  | 'slice'
  | 'concatenate'
  | 'pad'
  | 'dynamic_slice'
  | 'dynamic_update_slice'
  | 'gather'
  | 'scatter'
  | 'sort'
  | 'torch_index_select'
  | 'get_dimension_size'
  | 'set_dimension_size'
  | 'dynamic_broadcast_in_dim'
  | 'dynamic_gather'
  | 'dynamic_iota'
  | 'dynamic_pad'
  | 'dynamic_reshape'
  | 'real_dynamic_slice';

export const movementTexts: OpTexts<Names> = {
  reshape: { ...plainFull, derive: withShape },
  broadcast_in_dim: {
    parts: [given('broadcast_dimensions', 'broadcastDimensions', dims)],
    derive: withShape,
    form: short([operands, clauses({ dims: 'broadcast_dimensions' })], functional),
  },
  broadcast: {
    parts: [given('broadcast_sizes', 'broadcastSizes', dims)],
    form: short([operands, clauses({ sizes: 'broadcast_sizes' })], functional),
  },
  transpose: {
    parts: [given('permutation', 'permutation', dims)],
    form: short([operands, clauses({ dims: 'permutation' })], functional),
  },
  reverse: {
    parts: [given('dimensions', 'dimensions', dims)],
    form: short([operands, clauses({ dims: 'dimensions' })], same),
  },
  slice: {
    parts: [
      given('start_indices', 'startIndices', dims),
      given('limit_indices', 'limitIndices', dims),
      given('strides', 'strides', dims),
    ],
    form: short([operands, ranges], functional),
  },
  concatenate: {
    parts: [given('dimension', 'dimension', integer('i64'))],
    form: short([operands, clauses({ dim: 'dimension' })], functional),
  },
  pad: {
    parts: [
      given('edge_padding_low', 'edgePaddingLow', dims),
      given('edge_padding_high', 'edgePaddingHigh', dims),
      given('interior_padding', 'interiorPadding', dims),
    ],
    form: short(
      [operands, clauses({ low: 'edge_padding_low', high: 'edge_padding_high', interior: 'interior_padding' })],
      functional,
    ),
  },
  dynamic_slice: {
    parts: [given('slice_sizes', 'sliceSizes', dims)],
    form: short([operands, clauses({ sizes: 'slice_sizes' })], functional),
  },
  dynamic_update_slice: plainFull,
  gather: {
    parts: [
      given('dimension_numbers', 'dimensionNumbers', gatherNumbers),
      sorted,
      given('slice_sizes', 'sliceSizes', dims),
    ],
  },
  scatter: {
    parts: [
      sorted,
      given('scatter_dimension_numbers', 'dimensionNumbers', scatterNumbers),
      given('unique_indices', 'uniqueIndices', boolean, false),
    ],
  },
  sort: {
    parts: [given('dimension', 'dimension', integer('i64'), -1), given('is_stable', 'isStable', boolean, false)],
  },
  torch_index_select: {
    parts: [given('batch_dims', 'batchDims', integer('i64')), given('dim', 'dim', integer('i64'))],
  },
  get_dimension_size: {
    parts: [given('dimension', 'dimension', integer('i64'))],
    form: short([operands, clauses({ dim: 'dimension' })], functional),
  },
  set_dimension_size: {
    parts: [given('dimension', 'dimension', integer('i64'))],
    form: short([operands, clauses({ dim: 'dimension' })], functional),
  },
  dynamic_broadcast_in_dim: {
    parts: [
      given('broadcast_dimensions', 'broadcastDimensions', dims),
      optional('known_expanding_dimensions', 'knownExpandingDimensions', dims),
      optional('known_nonexpanding_dimensions', 'knownNonexpandingDimensions', dims),
    ],
    derive: withType,
    form: short([operands, clauses({ dims: 'broadcast_dimensions' })], functional),
  },
  dynamic_gather: {
    parts: [given('dimension_numbers', 'dimensionNumbers', gatherNumbers), sorted],
    derive: withType,
  },
  dynamic_iota: {
    parts: [given('iota_dimension', 'iotaDimension', integer('i64'))],
    derive: withType,
    form: short([operands, clauses({ dim: 'iota_dimension' })], functional),
  },
  dynamic_pad: { ...plainFull, derive: withType },
  dynamic_reshape: { ...plainFull, derive: withType },
  real_dynamic_slice: { ...plainFull, derive: withType },
};
