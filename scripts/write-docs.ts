// Writes the files that are generated from tables in the source. Run it after changing one of them: node scripts/write-docs.ts
import { writeFileSync } from 'node:fs';
import { environmentMarkdown } from '../src/base/environment.ts';
import { errorsMarkdown } from '../src/base/error-docs.ts';
import { figuresMarkdown } from '../src/hardware/claims/page.ts';
import { opsMarkdown } from './op-docs.ts';
import { operationsMarkdown } from './operation-docs.ts';
import { generatedSurface } from './write-surface.ts';

export const generatedDocs: readonly { readonly path: string; readonly text: () => string }[] = [
  { path: 'docs/errors.md', text: errorsMarkdown },
  { path: 'docs/environment.md', text: environmentMarkdown },
  { path: 'docs/ops.md', text: opsMarkdown },
  { path: 'docs/operations.md', text: operationsMarkdown },
  { path: 'docs/figures.md', text: figuresMarkdown },
  ...generatedSurface,
];

if (import.meta.main) {
  for (const { path, text } of generatedDocs) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text());
    console.log(`wrote ${path}`);
  }
}
