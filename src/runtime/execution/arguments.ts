// Handling of a program's argument buffers, for all backends: checks them and transfers donated ones.
import { TrenioError } from '../../base/errors.ts';
import { dynamicDim, formatType, sameType, type TensorType } from '../../hlo/types.ts';
import { HostBuffer } from './buffer.ts';
import type { DeviceBuffer } from './executable.ts';
import type { Block } from './memory.ts';

/** The information needed to call a program. */
export interface Signature {
  readonly name: string;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
}

/** Whether a buffer of this type may be passed: static sizes must be equal, dynamic ones are arbitrary. */
function fits(buffer: TensorType, type: TensorType): boolean {
  if (type.bounds === undefined && sameType(buffer, type)) return true;
  const { bounds, ...wanted } = type;
  if (buffer.shape.length !== wanted.shape.length) return false;
  const shape = wanted.shape.map((size, d) => (size === dynamicDim ? buffer.shape[d]! : size));
  return (
    sameType(buffer, { ...wanted, shape }) && shape.every((size, d) => bounds?.[d] === undefined || size <= bounds[d]!)
  );
}

/**
 * The buffers as this process's own, checked. A buffer that is donated and also passed as another argument is copied for that
 * argument, because the program may overwrite it before reading it there.
 * @throws {INPUT_MISMATCH} for a wrong number, type or origin
 * @throws {BUFFER_CONSUMED} for one donated earlier
 */
export function checkedInputs(signature: Signature, inputs: readonly DeviceBuffer[]): readonly HostBuffer[] {
  const { name: program, inputTypes, donated } = signature;
  if (inputs.length !== inputTypes.length) {
    throw new TrenioError('INPUT_MISMATCH', {
      program,
      expected: `${inputTypes.length} inputs`,
      got: `${inputs.length}`,
    });
  }
  const given = new Map<Block, number>(); // donated memory and the index of its input
  const buffers = inputs.map((buffer, i) => {
    const type = inputTypes[i]!;
    if (!(buffer instanceof HostBuffer)) {
      throw new TrenioError('INPUT_MISMATCH', {
        program,
        expected: `input ${i} on the cpu`,
        got: "another device's buffer",
      });
    }
    if (buffer.type !== type && !fits(buffer.type, type)) {
      throw new TrenioError('INPUT_MISMATCH', {
        program,
        expected: `${formatType(type)} as input ${i}`,
        got: formatType(buffer.type),
      });
    }
    buffer.block; // throws if it is consumed
    return buffer;
  });
  for (const input of donated)
    if (input !== undefined && !given.has(buffers[input]!.block)) given.set(buffers[input]!.block, input);
  if (given.size === 0) return buffers;
  return buffers.map((buffer, i) => {
    const owner = given.get(buffer.block);
    if (owner === undefined || owner === i) return buffer;
    buffer.wait();
    return HostBuffer.copyOf(buffer.type, buffer.bytes);
  });
}
