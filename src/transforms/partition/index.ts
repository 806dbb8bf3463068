// The passes of the partitioner, in order, each from module to module.
import type { Module } from '../../hlo/program.ts';
import { importShardings } from './import.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

export const partitionPasses: readonly { readonly name: string; readonly run: (module: Module) => Module }[] = [
  { name: 'import', run: importShardings },
  { name: 'propagate', run: propagate },
  { name: 'partition', run: localize },
];
