// The options of commands that load a language model into an engine.
import { TrenioError } from '../../base/errors.ts';
import { type LoadEngineOptions, servedQuantizations } from '../../serving/engine/load-engine.ts';

export const modelOptions = {
  dtype: {
    kind: 'text',
    placeholder: 'TYPE',
    default: 'auto',
    description: 'The type of the weights: auto (that of the checkpoint), float32 or bfloat16.',
  },
  quantization: {
    kind: 'text',
    placeholder: 'FORMAT',
    default: 'none',
    description: 'Round the weights to q8_0 or q4_0 of GGUF; a quantized file keeps its own.',
  },
} as const;

const formats = ['none', ...servedQuantizations] as const;

/** The options of the engine. @throws {BAD_ARGUMENT} */
export function weightsOf(
  command: string,
  options: { readonly dtype: string; readonly quantization: string },
): Pick<LoadEngineOptions, 'dtype' | 'quantization'> {
  const dtype = oneOf(command, 'dtype', options.dtype, ['auto', 'float32', 'bfloat16']);
  const quantization = oneOf(command, 'quantization', options.quantization, formats);
  return {
    dtype: dtype === 'auto' ? undefined : dtype,
    quantization: quantization === 'none' ? undefined : quantization,
  };
}

/** @throws {BAD_ARGUMENT} if the value is none of these */
export function oneOf<A extends string>(command: string, option: string, got: string, known: readonly A[]): A {
  const found = known.find(one => one === got);
  if (found !== undefined) return found;
  throw new TrenioError('BAD_ARGUMENT', { command, argument: `--${option}`, got, expected: known.join(' or ') });
}
