// Writes the files generated from the table of the tensor surface (src/tensor/surface): types, methods, functions, which are not
// in git (`npm ci` writes them), and the page on PyTorch's names, which is. Run it after changing a row: node
// scripts/write-surface.ts
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namespaces } from '../src/tensor/surface/row.ts';
import { absentText } from './surface/absent-exports.ts';
import { modulesText } from './surface/modules.ts';
import { pytorchMarkdown } from './surface/pytorch-page.ts';
import { functionalText, functionsText, methodsText, namespaceText, optionsText } from './surface/typescript.ts';

export const generatedSurface: readonly { readonly path: string; readonly text: () => string }[] = [
  { path: 'src/tensor/generated/options.ts', text: optionsText },
  { path: 'src/tensor/generated/methods.ts', text: methodsText },
  { path: 'src/tensor/generated/functions.ts', text: functionsText },
  { path: 'src/tensor/generated/functional.ts', text: functionalText },
  ...namespaces.map(namespace => ({
    path: `src/tensor/generated/${namespace}.ts`,
    text: () => namespaceText(namespace),
  })),
  { path: 'src/nn/generated/modules.ts', text: modulesText },
  ...[
    ['torch', 'src/tensor/generated/absent.ts'],
    ['torch.linalg', 'src/tensor/generated/absent-linalg.ts'],
    ['torch.special', 'src/tensor/generated/absent-special.ts'],
    ['torch.distributions', 'src/tensor/generated/absent-distributions.ts'],
    ['torch.nn', 'src/nn/generated/absent.ts'],
    ['torch.nn.functional', 'src/nn/generated/absent-functional.ts'],
    ['torch.nn.utils', 'src/nn/generated/absent-utils.ts'],
    ['torch.nn.utils.parametrizations', 'src/nn/generated/absent-parametrizations.ts'],
    ['torch.optim', 'src/optim/generated/absent.ts'],
  ].map(([namespace, path]) => ({ path: path!, text: () => absentText(namespace!, path!) })),
  { path: 'docs/pytorch.md', text: pytorchMarkdown },
];

if (import.meta.main) {
  for (const { path, text } of generatedSurface) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    mkdirSync(dirname(file), { recursive: true });
    const made = text();
    if (existsSync(file) && readFileSync(file, 'utf8') === made) continue;
    writeFileSync(file, made);
    // Not to stdout, where `npm pack --json` prints its answer.
    console.error(`wrote ${path}`);
  }
}
