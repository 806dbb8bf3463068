// From a recorded program, which computes whole tensors, to the program of each rank, which computes its parts of them.

import type { OpName } from '../../hlo/attributes.ts';
import { type Func, type Module, mainOf, type Op, tensorTypeOf, type ValueAttributes } from '../../hlo/index.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { type Sharding, shardingOf } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { type InParts, inParts } from '../../transforms/partition/index.ts';
import { together } from '../../transforms/partition/together.ts';
import { microAxis } from '../../transforms/pipeline/micro-batches.ts';

/** The name of the mesh in programs. */
export const meshName = 'mesh';

/** How the inputs of a program are divided, and those results for which it is known before. */
export interface Division {
  readonly inputs: readonly (Sharding | undefined)[];
  readonly results: readonly (Sharding | undefined)[];
  /** Where its inputs and results are along a pipeline; undefined for a program that is not one of a pipeline. */
  readonly stages?: StagePlaces | undefined;
}
export interface StagePlaces {
  /** The rank along the pipeline that has each input; undefined if all have it. */
  readonly inputs: readonly (number | undefined)[];
  /** The ranks that need each result; undefined if it may stay where it is computed. */
  readonly results: readonly (number | 'all' | undefined)[];
}
export interface Partitioned {
  readonly module: Module;
  /** How its results are divided. */
  readonly results: readonly (Sharding | undefined)[];
  /** Ops that every rank computes whole. */
  readonly replicated: InParts['replicated'];
}

const constraining: ReadonlySet<OpName> = new Set(['sdy.sharding_constraint', 'sdy.reshard', 'sdy.manual_computation']);
const constrains = ({ name }: Op): boolean => constraining.has(name);
/** Whether anything about the program is divided. */
export const isDivided = (func: Func, { inputs, stages }: Division): boolean =>
  stages !== undefined || inputs.some(sharding => sharding !== undefined) || func.body.ops.some(constrains);

/** The part of a program's key for how it is divided. */
export const divisionKey = ({ inputs, results, stages }: Division): string =>
  [inputs, results]
    .map(list => list.map(sharding => (sharding === undefined ? '' : printSharding(sharding))).join())
    .join(' -> ') + (stages === undefined ? '' : ` ${stages.inputs.join()} -> ${stages.results.join()}`);

/** The sharding of a tensor that every rank has whole. */
export const undivided = (rank: number): Sharding =>
  shardingOf(
    meshName,
    Array.from({ length: rank }, () => []),
  );

/** The program of each rank, of one of several micro-batches. Arguments that are not divided stay whole. */
export function partitioned(module: Module, mesh: DeviceMesh, division: Division, microBatches = 1): Partitioned {
  const main = mainOf(module);
  const argAttributes = main.body.args.map(
    (arg, i): ValueAttributes => ({
      ...main.argAttributes?.[i],
      sharding: { named: [division.inputs[i] ?? undivided(tensorTypeOf(arg).shape.length)] },
    }),
  );
  const resultAttributes = main.body.results.map((_, i): ValueAttributes | undefined => {
    const sharding = division.results[i];
    return sharding === undefined ? main.resultAttributes?.[i] : { sharding: { named: [sharding] } };
  });
  const others = module.functions.filter(func => func !== main);
  const axes =
    division.stages === undefined ? mesh.programAxes : [{ name: microAxis, size: microBatches }, ...mesh.programAxes];
  const whole = {
    ...module,
    meshes: [{ name: meshName, mesh: { axes } }],
    functions: [{ ...main, argAttributes, resultAttributes }, ...others],
  };
  const parts = inParts(whole, microAxis);
  const { results, replicated } = parts;
  return { module: mesh.standsForOthers ? together(parts, { axes }) : parts.module, results, replicated };
}
