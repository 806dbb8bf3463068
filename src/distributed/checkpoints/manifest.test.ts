// Manifests whose tensors contradict themselves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MANIFEST_FILE, type Manifest, manifestText, readManifest } from './manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a manifest with a tensor of 14 elements in two pieces. */
function read(stored: number): Promise<Manifest> {
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
    tensors: { moment },
  };
  writeFileSync(join(folder, MANIFEST_FILE), manifestText(manifest));
  return readManifest(folder);
}

test.each([6, 8])('a second piece of %i elements is refused', async stored => {
  await expect(read(stored)).rejects.toMatchObject({
    code: 'CHECKPOINT_INVALID',
    data: { problem: "manifest.json: the pieces of 'moment' are not the tensor" },
  });
});
