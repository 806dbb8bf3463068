// From samples of audio to the inputs of a model, with the settings of preprocessor_config.json: log-mel spectrograms (Whisper)
// or samples of mean 0 and variance 1 (Wav2Vec2). Equal to transformers' feature extractors. B batch, L samples, T frames.
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { hannWindow, noGrad, type Tensor, tensor } from '../../tensor/index.ts';
import { checkConfig, configError, type Named } from '../config-file.ts';
import { melFilters } from './mel-filters.ts';

/** Audio: samples of one channel, from -1 to 1, or a batch of such recordings. */
export type AudioSamples = Float32Array | readonly Float32Array[];
/** Options of the `process` of feature extractors. */
export interface AudioOptions {
  /** Samples per second of the audio. It is checked only: audio is not resampled. */
  readonly samplingRate: number;
}

const count = (max: number) => z.int().min(1).max(max);
const shared = {
  /** Samples per second. */
  sampling_rate: count(1 << 20).default(16_000),
  /** Replaces missing samples. */
  padding_value: z.number().default(0),
  /** Missing samples are at the end. */
  padding_side: z.literal('right').default('right'),
} as const;
const whisperExtractorSchema = z.looseObject({
  ...shared,
  /** The number of frequency bands. */
  feature_size: count(4096).default(80),
  /** Samples from one frame to the next. */
  hop_length: count(1 << 16).default(160),
  /** Seconds of audio that the model reads. */
  chunk_length: z.number().positive().max(3600).default(30),
  /** Samples of a frame. */
  n_fft: count(1 << 16).default(400),
});
const wav2Vec2ExtractorSchema = z.looseObject({
  ...shared,
  /** Whether samples become of mean 0 and variance 1. */
  do_normalize: z.boolean().default(true),
  /** Whether the model is told which samples are padding. */
  return_attention_mask: z.boolean().default(false),
});

/** Fields of the preprocessor_config.json of a `WhisperFeatureExtractor`. */
export type WhisperFeatureExtractorFields = Named<z.input<typeof whisperExtractorSchema>>;
/** Fields of the preprocessor_config.json of a `Wav2Vec2FeatureExtractor`. */
export type Wav2Vec2FeatureExtractorFields = Named<z.input<typeof wav2Vec2ExtractorSchema>>;

/** The inputs of a Whisper model. */
export interface WhisperFeatures {
  /** [B, feature_size, T], f32 */
  readonly inputFeatures: Tensor;
}
/** The inputs of a Wav2Vec2 model. */
export interface Wav2Vec2Features {
  /** [B, L], f32 */
  readonly inputValues: Tensor;
  /** [B, L], i32: ones for samples, zeros for padding. Present if `return_attention_mask` is set. */
  readonly attentionMask?: Tensor;
}

/** The frequencies of Whisper's bands end here. */
const maxHertz = 8000;

/**
 * Computes log-mel spectrograms as transformers' WhisperFeatureExtractor does. Audio is padded or cut to `chunk_length` seconds.
 * @example
 * const extractor = new WhisperFeatureExtractor({ feature_size: 80, chunk_length: 1 });
 * extractor.process(new Float32Array(8000), { samplingRate: 16_000 }).inputFeatures.shape // [1, 80, 100]
 */
export class WhisperFeatureExtractor {
  /** The fields of preprocessor_config.json, with defaults. */
  readonly config: Readonly<Named<z.output<typeof whisperExtractorSchema>>>;
  #filters: Tensor | undefined;
  /** @throws {MODEL_CONFIG_INVALID} naming the field */
  constructor(fields: WhisperFeatureExtractorFields = {}, file = 'preprocessor_config.json') {
    this.config = checkConfig(whisperExtractorSchema, fields, file);
    const { sampling_rate: rate, chunk_length: seconds, n_fft: frame } = this.config;
    if (rate * seconds < frame)
      throw configError(file)('chunk_length', `${seconds} s are shorter than n_fft, ${frame}`);
  }
  /** Audio → log-mel spectrograms. @throws {INVALID_OPTION} if the sampling rate is not the model's, or a recording is empty */
  process(audio: AudioSamples, options: AudioOptions): WhisperFeatures {
    const { feature_size: bands, hop_length: hopLength, n_fft: frame, padding_value: padding } = this.config;
    const { sampling_rate: rate, chunk_length: seconds } = this.config;
    const batch = batchOf('WhisperFeatureExtractor', audio, rate, options);
    const length = Math.trunc(seconds * rate);
    const samples = padded(batch, length, padding);
    return noGrad(() => {
      const bins = Math.floor(frame / 2) + 1;
      this.#filters ??= tensor(melFilters(bands, bins, rate, maxHertz), { shape: [bands, bins] });
      const spectrum = samples.stft(frame, { hopLength, window: hannWindow(frame), returnComplex: false });
      // The last frame, centered at the end of the audio, is dropped.
      const energy = spectrum
        .square()
        .sum(-1)
        .narrow(-1, 0, Math.floor(length / hopLength)); // [B, bins, T]
      const decades = this.#filters.matmul(energy).clamp(1e-10).log10(); // [B, bands, T]
      const floor = decades.amax([1, 2], true).sub(8);
      return { inputFeatures: decades.maximum(floor).add(4).div(4) };
    });
  }
}

/**
 * Gives samples mean 0 and variance 1 as transformers' Wav2Vec2FeatureExtractor does, and pads a batch to the longest recording.
 * @example
 * const extractor = new Wav2Vec2FeatureExtractor({ return_attention_mask: true });
 * const batch = [new Float32Array(400), new Float32Array(320)];
 * extractor.process(batch, { samplingRate: 16_000 }).inputValues.shape // [2, 400]
 */
export class Wav2Vec2FeatureExtractor {
  /** The fields of preprocessor_config.json, with defaults. */
  readonly config: Readonly<Named<z.output<typeof wav2Vec2ExtractorSchema>>>;
  /** @throws {MODEL_CONFIG_INVALID} naming the field */
  constructor(fields: Wav2Vec2FeatureExtractorFields = {}, file = 'preprocessor_config.json') {
    this.config = checkConfig(wav2Vec2ExtractorSchema, fields, file);
  }
  /** Audio → samples, padded. @throws {INVALID_OPTION} if the sampling rate is not the model's, or a recording is empty */
  process(audio: AudioSamples, options: AudioOptions): Wav2Vec2Features {
    const { sampling_rate: rate, padding_value: padding, return_attention_mask: isMasked } = this.config;
    const batch = batchOf('Wav2Vec2FeatureExtractor', audio, rate, options);
    const length = Math.max(...batch.map(one => one.length));
    // Models without a mask were trained with padding counted in the mean and the variance.
    const counted = isMasked ? batch : batch.map(one => filled(one, length, padding));
    const inputValues = padded(this.config.do_normalize ? counted.map(normalized) : counted, length, padding);
    if (!isMasked) return { inputValues };
    const mask = new Int32Array(batch.length * length);
    batch.forEach((one, n) => {
      mask.fill(1, n * length, n * length + one.length);
    });
    return { inputValues, attentionMask: tensor(mask, { shape: [batch.length, length] }) };
  }
}

/** The recordings of a batch. @throws {INVALID_OPTION} if the sampling rate is not the model's, or a recording is empty */
function batchOf(what: string, audio: AudioSamples, rate: number, options: AudioOptions): readonly Float32Array[] {
  if (options.samplingRate !== rate)
    throw new TrenioError('INVALID_OPTION', {
      what,
      option: 'samplingRate',
      got: String(options.samplingRate),
      expected: `${rate}, the rate of the model: resample the audio first`,
    });
  const batch = audio instanceof Float32Array ? [audio] : audio;
  const empty = batch.findIndex(one => one.length === 0);
  if (batch.length > 0 && empty < 0) return batch;
  const got = batch.length === 0 ? 'an empty batch' : `a batch whose recording ${empty} is empty`;
  throw new TrenioError('INVALID_OPTION', { what, option: 'audio', got, expected: 'at least one sample' });
}

function normalized(samples: Float32Array): Float32Array {
  let sum = 0;
  for (const x of samples) sum += x;
  const mean = sum / samples.length;
  let squares = 0;
  for (const x of samples) squares += (x - mean) ** 2;
  const deviation = Math.sqrt(squares / samples.length + 1e-7);
  return samples.map(x => (x - mean) / deviation);
}

function filled(samples: Float32Array, length: number, padding: number): Float32Array {
  if (samples.length === length) return samples;
  const all = new Float32Array(length).fill(padding);
  all.set(samples.subarray(0, length));
  return all;
}

/** Recordings cut or padded to a length, [B, L]. */
function padded(batch: readonly Float32Array[], length: number, padding: number): Tensor {
  const all = new Float32Array(batch.length * length);
  batch.forEach((one, n) => {
    all.set(filled(one, length, padding), n * length);
  });
  return tensor(all, { shape: [batch.length, length] });
}
