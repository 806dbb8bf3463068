// Manifests whose tensors contradict themselves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MANIFEST_FILE, type Manifest, manifestText, readManifest } from './manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a manifest with state of 14 elements that was divided among two ranks. */
function read(parameterShape: number[] | undefined, stored = 7): Promise<Manifest> {
  const sha256 = '0'.repeat(64);
  const piece = (offset: number, elements: number) => ({
    file: 'a.safetensors',
    offset: [offset],
    shape: [elements],
    start: 4 * offset,
    bytes: 4 * elements,
    sha256,
  });
  const moment = { dtype: 'f32' as const, shape: [14], pieces: [piece(0, 7), piece(7, stored)] };
  const manifest: Manifest = {
    format: 'trenio-checkpoint',
    version: 3,
    trenio: '1.0.0',
    run: 'run',
    step: 1,
    ranks: 2,
    mesh: 'data: 2',
    state: {},
    files: { 'a.safetensors': { bytes: 100, headerBytes: 8, headerSha256: sha256 } },
    tensors: { moment: parameterShape === undefined ? moment : { ...moment, parameterShape } },
  };
  writeFileSync(join(folder, MANIFEST_FILE), manifestText(manifest));
  return readManifest(folder);
}

test('the shape of the parameter is optional', async () => {
  expect((await read([2, 7])).tensors.moment!.parameterShape).toEqual([2, 7]);
  expect((await read(undefined)).tensors.moment!.parameterShape).toBe(undefined);
});
test.each([
  [[3, 5], 7],
  [[], 7],
  [[2, 7], 6],
  [[2, 7], 8],
])('a parameter of shape %j and a second piece of %i elements are refused', async (shape, stored) => {
  await expect(read(shape, stored)).rejects.toMatchObject({
    code: 'CHECKPOINT_INVALID',
    data: { problem: "manifest.json: the pieces of 'moment' are not the tensor" },
  });
});
