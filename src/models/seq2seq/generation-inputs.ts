// The inputs of generation with encoder–decoders: sources in sizes that few compiled programs cover, and the first tokens of the
// decoder.
import { TrenioError } from '../../base/errors.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { type Device, type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import type { GenerateOptions } from '../generation/generate-options.ts';
import type { SourceInputs } from '../generation/generative-model.ts';
import { powerOfTwo } from '../generation/session.ts';
import type { Seq2SeqLayout } from './layout.ts';
import type { SpeechOptions } from './whisper-prompt.ts';

/** The inputs of `generate` of encoder–decoders. */
export interface Seq2SeqGenerateInputs {
  /** Token ids of the source [B, S], integers. */
  readonly inputIds?: Tensor | undefined;
  /** In place of token ids: the logarithm of the energy in each frequency band [B, bands, frames] (Whisper). */
  readonly inputFeatures?: Tensor | undefined;
  /** 1 for tokens of the source, 0 for padding [B, S]; default: 0 for the padding token, 1 for all others. */
  readonly attentionMask?: Tensor | undefined;
  /** Token ids [B, T] that the decoder continues, without padding; default: the token that starts decoding. */
  readonly decoderInputIds?: Tensor | undefined;
}

/** Options of `generate` and `generateStream` of encoder–decoders; `language` and `task` are Whisper's. */
export interface Seq2SeqGenerateOptions extends GenerateOptions, SpeechOptions {}

const smallestSource = 8;

const listed = ({ shape }: Tensor): string => `[${shape.join(', ')}]`;
export const sourceMismatch = (op: string, left: string, detail: string, right = '[B, S]'): TrenioError =>
  new TrenioError('SHAPE_MISMATCH', { op, left, right, detail }, { location: userLocation() });

export const hostRows = async (ids: Tensor): Promise<readonly (readonly number[])[]> => {
  await ids.ready();
  const [numbers, width] = [toNumbers(ids.literal()), ids.shape[1]!];
  return Array.from({ length: ids.shape[0]! }, (_, i) => numbers.slice(i * width, (i + 1) * width));
};

/**
 * The encoder's inputs: token ids and a mask, padded to a power of two, or features as they are.
 * @throws {SHAPE_MISMATCH} @throws {SEQUENCE_TOO_LONG} @throws {TOKEN_ID_OUT_OF_RANGE}
 */
export async function sourceInputs(
  name: string,
  { vocabulary, maxPositions = Number.POSITIVE_INFINITY, audio, paddingToken }: Seq2SeqLayout,
  { inputIds: ids, inputFeatures: features, attentionMask: mask }: Seq2SeqGenerateInputs,
  on: Device,
): Promise<SourceInputs> {
  if (audio !== undefined) {
    if (features?.ndim !== 3) throw sourceMismatch(name, 'no source', 'give inputFeatures [B, bands, frames]', '');
    const own = features.to(on);
    await own.ready();
    return { inputs: [own], length: audio.positions };
  }
  if (ids === undefined) throw sourceMismatch(name, 'no source', 'give inputIds [B, S]');
  if (ids.ndim !== 2 || ids.numel() === 0)
    throw sourceMismatch(name, listed(ids), 'token ids have two dims, batch and sequence');
  if (mask !== undefined && (mask.ndim !== 2 || mask.shape.some((d, i) => d !== ids.shape[i])))
    throw sourceMismatch(name, listed(mask), `the attention mask has the shape of the token ids, ${listed(ids)}`);
  const [rows, length] = ids.shape as [number, number];
  const location = userLocation();
  if (length > maxPositions)
    throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions: maxPositions }, { location });
  const tokens = await hostRows(ids);
  const wrong = tokens.flat().find(id => !Number.isInteger(id) || id < 0 || id >= vocabulary);
  if (wrong !== undefined)
    throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id: wrong, vocabularySize: vocabulary }, { location });
  const masked = mask === undefined ? undefined : await hostRows(mask);
  const padded = Math.min(maxPositions, Math.max(smallestSource, powerOfTwo(length)));
  const shape = [rows, padded];
  const [all, seen] = [new Int32Array(rows * padded).fill(paddingToken), new Int32Array(rows * padded)];
  tokens.forEach((row, i) => {
    all.set(row, i * padded);
    seen.set(masked?.[i] ?? row.map(id => (id === paddingToken ? 0 : 1)), i * padded);
  });
  return { inputs: [tensor(all, { shape, device: on }), tensor(seen, { shape, device: on })], length: padded };
}

/** The given tokens of the decoder, after the start token unless they begin with it. */
export async function decoderPrompts(
  name: string,
  given: Tensor,
  start: number,
): Promise<readonly (readonly number[])[]> {
  if (given.ndim !== 2 || given.numel() === 0)
    throw sourceMismatch(name, listed(given), 'token ids of the decoder have two dims, batch and time', '[B, T]');
  const rows = await hostRows(given);
  return rows.every(row => row[0] !== start) ? rows.map(row => [start, ...row]) : rows;
}
