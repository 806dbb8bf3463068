// The part of this rank of elements that the host has.
import { type Placement, paddedBox } from '../../hlo/sharding/placement.ts';
import { copyCommon, wholeBox } from '../../hlo/sharding/tensor-box.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';

export const partType = (placement: Placement): TensorType =>
  tensorType(placement.type.elementType, paddedBox(placement).shape);

/** The bytes of the part of this rank; its padding is zero. */
export function partOfBytes(placement: Placement, whole: Uint8Array): Uint8Array {
  const part = new Uint8Array(byteSize(partType(placement)));
  const { type } = placement;
  copyCommon(type, { box: wholeBox(type), bytes: whole }, { box: paddedBox(placement), bytes: part });
  return part;
}
