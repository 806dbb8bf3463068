// Divisors of rotary frequencies: tensors of a GGUF file that are a part of the configuration in transformers.
import type { GgufFile } from '../../data/gguf/gguf-file.ts';
import { widened } from './widen.ts';

export const ropeTensors = {
  all: 'rope_freqs.weight',
  short: 'rope_factors_short.weight',
  long: 'rope_factors_long.weight',
};

/** The divisors of rotary frequencies, for sequences up to the length of pre-training and for longer ones. */
export async function ropeDivisors(
  file: GgufFile,
): Promise<{ readonly short: readonly number[]; readonly long: readonly number[] } | undefined> {
  const read = async (name: string): Promise<readonly number[] | undefined> => {
    const tensor = file.tensors.get(name);
    if (tensor === undefined) return undefined;
    return [...(widened(tensor.type, tensor.shape, await file.read(tensor)).data as Float32Array)];
  };
  const all = await read(ropeTensors.all);
  if (all !== undefined) return { short: all, long: all };
  const [short, long] = [await read(ropeTensors.short), await read(ropeTensors.long)];
  return short === undefined || long === undefined ? undefined : { short, long };
}
