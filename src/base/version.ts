// The package's version, from its package.json.
import { readFileSync } from 'node:fs';
import { invariant } from './errors.ts';

/** For example `0.1.0`. */
export const version: string = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  invariant(typeof manifest === 'object' && manifest !== null && 'version' in manifest, 'package.json has no version');
  return String(manifest.version);
}
