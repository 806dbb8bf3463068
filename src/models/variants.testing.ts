// Compares a checkpoint that transformers has written with what transformers computed with it (bench/peers/hf_variants.py).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNumbers } from '../hlo/literal.ts';
import { type Tensor, tensor } from '../tensor/index.ts';
import * as models from './index.ts';
import { readSafetensors } from './safetensors.ts';

/** A variant, as hf_variants.py describes it. */
interface Case {
  /** The class that reads it. */
  readonly reader: string;
  /** The names of results in transformers and here; '' where the result is a tensor. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The rounding error of transformers for each, compared with f64. */
  readonly noise: Readonly<Record<string, number>>;
  readonly generations: readonly { readonly options: Readonly<Record<string, unknown>>; readonly result: string }[];
}
interface AnyModel {
  forward(inputs: object): Tensor | Readonly<Record<string, Tensor | undefined>>;
  generate?(inputs: object, options: object): Promise<Tensor>;
  eval(): unknown;
}
type Readers = Readonly<Record<string, { fromPretrained(directory: string, options?: object): Promise<AnyModel> }>>;

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Where a variant differs; nothing if it does not. */
export async function differences(directory: string): Promise<readonly string[]> {
  const { reader, outputs, noise, generations } = JSON.parse(
    readFileSync(join(directory, 'case.json'), 'utf8'),
  ) as Case;
  const tensors = await readSafetensors(join(directory, 'tensors.safetensors'));
  const from = (models as unknown as Readers)[reader];
  if (from === undefined) return [`there is no ${reader}`];
  const model = await from.fromPretrained(directory, { onWarning: () => {} });
  model.eval();
  const inputs = Object.fromEntries(
    [...tensors].flatMap(([name, value]) => (name.startsWith('in.') ? [[camel(name.slice(3)), tensor(value)]] : [])),
  ) as Record<string, Tensor>;
  const { inputIds, attentionMask, inputFeatures, decoderInputIds } = inputs;
  const result = model.forward(
    Object.keys(inputs).length === 1 && inputs.pixelValues !== undefined ? inputs.pixelValues : inputs,
  );
  const found: string[] = [];
  for (const [name, field] of Object.entries(outputs)) {
    const got = field === '' ? (result as Tensor) : (result as Readonly<Record<string, Tensor | undefined>>)[field];
    if (got === undefined) {
      found.push(`${name}: there is no ${field}`);
      continue;
    }
    await got.ready();
    const want = toNumbers(tensors.get(`out.${name}`)!);
    const have = toNumbers(got.literal());
    if (want.length !== have.length) {
      found.push(`${name}: [${got.shape.join(', ')}], expected [${tensors.get(`out.${name}`)!.type.shape.join(', ')}]`);
      continue;
    }
    // Hidden states of padding are not compared: nothing depends on them.
    const isPerToken =
      attentionMask !== undefined && want.length % attentionMask.numel() === 0 && decoderInputIds === undefined;
    const mask = isPerToken ? toNumbers(attentionMask.literal()) : undefined;
    const perToken = want.length / (mask?.length ?? want.length);
    let [worst, largest] = [0, 1];
    want.forEach((one, i) => {
      if (mask?.[Math.floor(i / perToken)] === 0) return;
      const error = Math.abs(one - have[i]!);
      worst = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(worst, error);
      largest = Math.max(largest, Math.abs(one));
    });
    const bound = Math.max(1e-5 * largest, 2 * noise[name]!);
    if (worst > bound) found.push(`${name}: ${worst.toExponential(1)} apart (${bound.toExponential(1)} allowed)`);
  }
  for (const { options, result: key } of generations) {
    const { forced_eos_token_id: _, ...given } = options;
    const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value]));
    const prompt = inputFeatures === undefined ? { inputIds, attentionMask } : { inputFeatures };
    const ids = await model.generate!(prompt, named);
    await ids.ready();
    const want = toNumbers(tensors.get(key)!);
    // transformers leaves out the first token of Whisper's decoder.
    const from = inputFeatures === undefined ? 0 : 1;
    const width = ids.shape[1]!;
    const have = toNumbers(ids.literal()).filter((_, i) => i % width >= from);
    if (have.join() !== want.join())
      found.push(`generate(${JSON.stringify(options)}): ${have.join(' ')}; expected ${want.join(' ')}`);
  }
  return found;
}
