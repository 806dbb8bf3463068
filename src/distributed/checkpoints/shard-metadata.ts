// The metadata by which PyTorch's distributed checkpoints (`torch.distributed.checkpoint`, HuggingFaceStorageReader and
// -Writer) find pieces of tensors in safetensors files: where each begins within its tensor.
import * as z from 'zod';

/** For the header of a file with these pieces. */
export const shardMetadata = (
  pieces: readonly { readonly name: string; readonly offset: readonly number[] }[],
): ReadonlyMap<string, string> =>
  new Map([
    ['format', 'pt'],
    ['DCP_VERSION', '1.0'],
    [
      'DCP_SHARDING_INFO',
      JSON.stringify(Object.fromEntries(pieces.map(({ name, offset }) => [name, { saved_offsets: offset }]))),
    ],
  ]);

const sharding = z.record(z.string(), z.object({ saved_offsets: z.array(z.int().min(0)).max(64) }));

/** Where the tensors of a file begin within the whole ones, by name; undefined for a file that says nothing about that. */
export function savedOffsets(
  metadata: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly number[]> | undefined {
  const text = metadata.get('DCP_SHARDING_INFO');
  if (text === undefined) return undefined;
  try {
    const parsed = sharding.safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    return new Map(Object.entries(parsed.data).map(([name, { saved_offsets: offset }]) => [name, offset]));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
