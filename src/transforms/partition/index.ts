// The passes of the partitioner, in order, each from module to module.
import { type Module, mainOf, type Op } from '../../hlo/program.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { regionsHold } from '../../hlo/walk.ts';
import { importShardings } from './import.ts';
import { localize } from './localize.ts';
import { mergeCollectives } from './merge-collectives.ts';
import { propagate } from './propagate.ts';

export const partitionPasses: readonly { readonly name: string; readonly run: (module: Module) => Module }[] = [
  { name: 'import', run: importShardings },
  { name: 'propagate', run: propagate },
  { name: 'partition', run: localize },
];

/**
 * The program of each device, and how its results are divided: undefined for those that every device has whole. Dims of arguments
 * and results that do not divide evenly are padded.
 */
export function inParts(module: Module): {
  readonly module: Module;
  readonly results: readonly (Sharding | undefined)[];
} {
  const propagated = propagate(importShardings(module), 'padded');
  const { body, resultAttributes } = mainOf(propagated);
  const results = body.results.map((_, i) => {
    const sharding = resultAttributes?.[i]?.sharding?.named?.[0];
    return sharding?.dims.some(({ axes }) => axes.length > 0) === true ? sharding : undefined;
  });
  const local = localize(propagated);
  return {
    module: body.ops.some(op => isManual(op) || regionsHold(op, isManual)) ? mergeCollectives(local) : local,
    results,
  };
}
const isManual = ({ name }: Op): boolean => name === 'sdy.manual_computation';
