// The input of Whisper's encoder: convolutions over the frames of audio, and positions that are not trained.
// B batch, S positions, H width.
import { TrenioError } from '../../base/errors.ts';
import { Conv1d, Embedding, init, Module } from '../../nn/index.ts';
import { type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import type { Seq2SeqLayout } from './layout.ts';

/** Two convolutions over frames, the second of which halves their number: [B, bands, frames] → [B, S, H] (Whisper). */
export class AudioFeatures extends Module {
  readonly #shape: readonly [bands: number, frames: number];
  conv1: Conv1d;
  conv2: Conv1d;
  constructor({ width, audio }: Seq2SeqLayout, bands: number) {
    super();
    this.#shape = [bands, 2 * (audio?.positions ?? 0)];
    this.conv1 = new Conv1d(bands, width, 3, { padding: 1 });
    this.conv2 = new Conv1d(width, width, 3, { stride: 2, padding: 1 });
  }
  override forward(x: Tensor): Tensor {
    const [bands, frames] = this.#shape;
    if (x.ndim !== 3 || x.shape[1] !== bands || x.shape[2] !== frames) {
      const data = {
        op: 'whisper',
        left: `[${x.shape.join(', ')}]`,
        right: `[B, ${bands}, ${frames}]`,
        detail: 'pad or cut the audio to the number of frames of the configuration',
      };
      throw new TrenioError('SHAPE_MISMATCH', data, { location: userLocation() });
    }
    return this.conv2.forward(this.conv1.forward(x).gelu()).gelu().transpose(1, 2);
  }
}

/** Sines and cosines of the positions at wavelengths from 2 π to 20,000 π, in `steps` steps; they are not trained. */
export function sinusoids(
  length: number,
  width: number,
  { steps, inF32 }: NonNullable<Seq2SeqLayout['sinusoids']>,
): Embedding {
  const half = Math.trunc(width / 2);
  const rounded = inF32 ? Math.fround : (x: number): number => x;
  const frequencies = Array.from({ length: half }, (_, i) =>
    rounded(Math.exp(rounded((-Math.log(10_000) / steps) * i))),
  );
  const data = Float32Array.from({ length: length * width }, (_, i) => {
    const column = i % width;
    const angle = rounded(Math.trunc(i / width) * frequencies[column % half]!);
    return column < half ? Math.sin(angle) : Math.cos(angle);
  });
  const table = init.skipInit(() => new Embedding(length, width));
  table.weight.moveFrom(tensor(data, { shape: [length, width] }));
  table.weight.requiresGrad_(false);
  return table;
}

/** The positions of Whisper's encoder. */
export const audioPositions = (length: number, width: number): Embedding =>
  sinusoids(length, width, { steps: width / 2 - 1, inF32: true, inFiles: true });
