// The passes of the partitioner, in order, each from module to module.
import { type Module, mainOf, type Op, type ValueAttributes } from '../../hlo/program.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { regionsHold } from '../../hlo/walk.ts';
import { importShardings } from './import.ts';
import { localize } from './localize.ts';
import { mergeCollectives } from './merge-collectives.ts';
import { propagate } from './propagate.ts';
import type { Replicated } from './replicated.ts';

export const partitionPasses: readonly { readonly name: string; readonly run: (module: Module) => Module }[] = [
  { name: 'import', run: importShardings },
  { name: 'propagate', run: propagate },
  { name: 'partition', run: module => localize(module) },
];

/** A program in parts, and how its arguments and results are divided: undefined for those that every device has whole. */
export interface InParts {
  readonly module: Module;
  /** The program with the meshes of these shardings. */
  readonly whole: Module;
  readonly inputs: readonly (Sharding | undefined)[];
  readonly results: readonly (Sharding | undefined)[];
  /** Ops that are computed whole although an operand is divided. */
  readonly replicated: readonly Replicated[];
}
/**
 * The program of each device. Dims of arguments and results that do not divide evenly are padded. Along the axis `together`,
 * results are whole.
 */
export function inParts(module: Module, together?: string): InParts {
  const propagated = withoutAxis(propagate(importShardings(module), 'padded'), together);
  const { body, argAttributes, resultAttributes } = mainOf(propagated);
  const divided = (attributes: ValueAttributes | undefined): Sharding | undefined => {
    const sharding = attributes?.sharding?.named?.[0];
    if (sharding === undefined) return undefined;
    const isDivided = sharding.dims.some(({ axes }) => axes.length > 0) || sharding.unreduced.length > 0;
    return isDivided ? sharding : undefined;
  };
  const replicated: Replicated[] = [];
  const local = localize(propagated, op => void replicated.push(op));
  return {
    module: body.ops.some(op => isManual(op) || regionsHold(op, isManual)) ? mergeCollectives(local) : local,
    whole: propagated,
    replicated,
    inputs: body.args.map((_, i) => divided(argAttributes?.[i])),
    results: body.results.map((_, i) => divided(resultAttributes?.[i])),
  };
}
const isManual = ({ name }: Op): boolean => name === 'sdy.manual_computation';

function withoutAxis(module: Module, name: string | undefined): Module {
  const main = mainOf(module);
  const without = (sharding: Sharding): Sharding => ({
    ...sharding,
    // Parts along its minor axes are not adjacent.
    dims: sharding.dims.map(dim => {
      const at = dim.axes.findIndex(axis => axis.name === name);
      return at < 0 ? dim : { ...dim, axes: dim.axes.slice(0, at) };
    }),
  });
  const resultAttributes = main.resultAttributes?.map(attributes =>
    attributes?.sharding?.named === undefined
      ? attributes
      : { ...attributes, sharding: { named: attributes.sharding.named.map(without) } },
  );
  if (name === undefined || resultAttributes === undefined) return module;
  return { ...module, functions: module.functions.map(func => (func === main ? { ...main, resultAttributes } : func)) };
}
