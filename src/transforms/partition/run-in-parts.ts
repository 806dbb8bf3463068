// Runs a program with shardings as one process for each device: arguments are cut into parts, results are put together.
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { coordinateOf, deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import { meshOf } from '../../hlo/sharding/of-module.ts';
import { type Sharding, shardIndex, shardShape } from '../../hlo/sharding/sharding.ts';
import { copyCommon, type TensorBox, wholeBox } from '../../hlo/sharding/tensor-box.ts';
import { byteSize } from '../../hlo/types.ts';
import { inParts } from './index.ts';

/** Runs the program of each device, given the arguments of each. */
export type RunParts = (module: Module, args: readonly (readonly Literal[])[]) => readonly (readonly Literal[])[];

/** Whether a program says how it is divided over several devices. */
export const isForDevices = ({ numPartitions, meshes = [], functions }: Module): boolean =>
  numPartitions > 1 &&
  (meshes.some(({ mesh }) => mesh.axes.length > 0) ||
    functions.some(({ body: { ops }, argAttributes = [], resultAttributes = [] }) =>
      [...ops, ...argAttributes, ...resultAttributes].some(each => each?.sharding !== undefined),
    ));

/** @throws {UNSUPPORTED} as the partitioner does, and for results that are not reduced */
export function runInParts(module: Module, inputs: readonly Literal[], run: RunParts): readonly Literal[] {
  const parts = inParts(module);
  const devices = Array.from({ length: module.numPartitions }, (_, device) => device);
  const boxOf = (value: Value, sharding: Sharding | undefined, device: number): TensorBox =>
    sharding === undefined
      ? wholeBox(tensorTypeOf(value))
      : partOf(tensorTypeOf(value).shape, sharding, meshOf(sharding.mesh, parts.whole)!, device);
  const { body } = mainOf(parts.whole);
  const { body: local } = mainOf(parts.module);
  const args = devices.map(device =>
    inputs.map((input, i) => {
      const type = tensorTypeOf(local.args[i]!);
      const bytes = new Uint8Array(byteSize(type));
      const from = { box: wholeBox(input.type), bytes: bytesOf(input) };
      copyCommon(input.type, from, { box: boxOf(body.args[i]!, parts.inputs[i], device), bytes });
      return literalOfBytes(type, bytes);
    }),
  );
  const results = run(parts.module, args);
  return body.results.map((value, i) => {
    const type = tensorTypeOf(value);
    if ((parts.results[i]?.unreduced.length ?? 0) > 0)
      throw new TrenioError('UNSUPPORTED', {
        ...{
          what: `result ${i}, which is unreduced,`,
          where: 'the partitioner',
          instead: 'reduce it within the program',
        },
      });
    const whole = new Uint8Array(byteSize(type));
    for (const device of devices) {
      const from = { box: boxOf(value, parts.results[i], device), bytes: bytesOf(results[device]![i]!) };
      copyCommon(type, from, { box: wholeBox(type), bytes: whole });
    }
    return literalOfBytes(type, whole);
  });
}

/** The part of a device; the last parts of a dim that does not divide evenly reach beyond its end. */
function partOf(shape: readonly number[], sharding: Sharding, mesh: Mesh, device: number): TensorBox {
  const local = shardShape(shape, sharding, mesh);
  const index = shardIndex(sharding, mesh, coordinateOf(mesh, device % deviceCount(mesh))!);
  return { offset: index.map((at, d) => at * local[d]!), shape: local };
}
