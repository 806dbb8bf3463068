// Checkpoints of transformers with options that are easily missed: towers of CLIP and SigLIP alone, audio classifiers, a first
// token that is forced, a share of rotated dims that transformers ignores. From bench/peers/hf_variants.py; bench/variants.ts
// compares hundreds of others.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { device, setDefaultDevice } from '../tensor/index.ts';
import { AutoModel } from './auto.ts';
import { readSafetensors } from './safetensors.ts';
import { differences } from './variants.testing.ts';

const golden = fileURLToPath(new URL('../../test/golden/variants', import.meta.url));
beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(readdirSync(golden))('%s equals transformers', async name => {
  expect(await differences(join(golden, name))).toEqual([]);
});

test.each(['clip-visionproj-gelu', 'clip-textproj-eos40-quick_gelu'])(
  '%s is written under the names of its file',
  async name => {
    const folder = mkdtempSync(join(tmpdir(), 'trenio-variants-'));
    const model = (await AutoModel.fromPretrained(join(golden, name))) as {
      savePretrained(to: string): Promise<void>;
    } & object;
    await model.savePretrained(folder);
    const namesOf = async (from: string) => [...(await readSafetensors(join(from, 'model.safetensors'))).keys()].sort();
    expect(await namesOf(folder)).toEqual(await namesOf(join(golden, name)));
    rmSync(folder, { recursive: true });
  },
);

test('a text encoder takes no fields of its configuration: they are refused, not ignored', async () => {
  const options = { config: { hidden_size: 8 } } as object;
  const loading = AutoModel.fromPretrained(join(golden, 'clip-text-eos2-gelu'), options);
  await expect(loading).rejects.toMatchObject({ code: 'NO_SUCH_OPTION', data: { option: 'config' } });
});
