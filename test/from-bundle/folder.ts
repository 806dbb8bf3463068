// The sources, and the bundle of them that processes of tests load. It stands beside src/, so that what is found from a
// module's own place (the manifest, bin/, examples/) is found from the bundle, too.
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
export const sources = join(root, 'src');
export const bundled = join(root, '.test-bundle');
