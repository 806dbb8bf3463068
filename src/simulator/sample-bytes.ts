// The size of a training sample on storage, if it is not given: as datasets of this kind usually store it.
import { formatDecimalBytes } from '../base/units.ts';
import type { TransformerConfig } from './workload.ts';

/** An assumed size, and its reason in a few words. */
export interface AssumedSampleBytes {
  /** The size of a sample in bytes. */
  readonly bytes: number;
  /** Why: `2,048 tokens of 2 bytes`. */
  readonly because: string;
}

/** The training images of ImageNet 2012 (ILSVRC): an archive of 147,897,477,120 bytes with 1,281,167 JPEG files. */
const imageBytes = 115_000;
/** Token ids in 16 bits. */
const shortVocabulary = 2 ** 16;

/**
 * Tokenized text has 2 bytes per token up to a vocabulary of 65,536, and 4 bytes beyond it; an image is a JPEG file.
 * @example
 * simulator.assumedSampleBytes(simulator.modelOf('llama3-8b'), 8192).bytes // 32768
 */
export function assumedSampleBytes({ patches, vocabulary }: TransformerConfig, sequence: number): AssumedSampleBytes {
  if (patches !== undefined) {
    return { bytes: imageBytes, because: `${formatDecimalBytes(imageBytes)}, the average JPEG file of ImageNet` };
  }
  const tokenBytes = vocabulary <= shortVocabulary ? 2 : 4;
  return {
    bytes: sequence * tokenBytes,
    because: `${formatDecimalBytes(sequence * tokenBytes)}, ${sequence.toLocaleString('en-US')} token ids of ${tokenBytes} bytes`,
  };
}
