// Checkpoints of transformers with options that are easily missed: towers of CLIP and SigLIP alone, audio classifiers, a first
// token that is forced, a share of rotated dims that transformers ignores. From bench/peers/hf_variants.py; bench/variants.ts
// compares hundreds of others.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { device, setDefaultDevice } from '../tensor/index.ts';
import { differences } from './variants.testing.ts';

const golden = fileURLToPath(new URL('../../test/golden/variants', import.meta.url));
beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(readdirSync(golden))('%s equals transformers', async name => {
  expect(await differences(join(golden, name))).toEqual([]);
});
