// Threefry2x32-20, the other counter-based generator of Salmon et al. (SC 2011): additions, rotations and xors only.
// JAX's default keys and XLA's THREE_FRY algorithm use it.

const rotations = [13, 15, 26, 6, 17, 29, 16, 24] as const;
const parity = 0x1bd11bda;

/** One block: counter words c0, c1 and key words k0, k1. Writes two words to `out` at `offset`. */
export function threefry2x32(c0: number, c1: number, k0: number, k1: number, out: Uint32Array, offset = 0): void {
  const keys = [k0, k1, k0 ^ k1 ^ parity];
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  for (let group = 0; group < 5; group++) {
    for (let i = 0; i < 4; i++) {
      const rotation = rotations[(group % 2) * 4 + i]!;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << rotation) | (x1 >>> (32 - rotation))) ^ x0;
    }
    x0 = (x0 + keys[(group + 1) % 3]!) | 0;
    x1 = (x1 + keys[(group + 2) % 3]! + group + 1) | 0;
  }
  out[offset] = x0;
  out[offset + 1] = x1;
}
