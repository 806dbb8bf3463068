// Divides the state that all ranks have into the parts that they write: each writes some of it, and every byte is written once:
//
//   tensors in order   ├── embeddings ──────────┼─ a ─┼─ b ─┼─── c ───┼ d ┤
//   cut in equal parts ├── rank 0 ──────────┼── rank 1 ────────────────────┤
//
// A large tensor is cut between two rows (indices of its first dim); a small one goes to the rank that has its middle.
import { type TensorBox, wholeBox } from '../../hlo/sharding/tensor-box.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';

/** A box of a tensor. */
export interface Piece extends TensorBox {
  readonly name: string;
  /** The type of the whole tensor. */
  readonly type: TensorType;
  /** The box that is in the memory of this rank. */
  readonly held: TensorBox;
}

const smallBytes = 1 << 20;

/** The pieces of each rank. */
export function shareOut(tensors: ReadonlyMap<string, TensorType>, ranks: number): readonly (readonly Piece[])[] {
  const shares = Array.from({ length: ranks }, (): Piece[] => []);
  const total = [...tensors.values()].reduce((sum, type) => sum + byteSize(type), 0);
  const cut = (k: number): number => (total * k) / ranks;
  let at = 0;
  for (const [name, type] of tensors) {
    const bytes = byteSize(type);
    if (bytes <= smallBytes || type.shape.length === 0) {
      const middle = Math.floor(((at + bytes / 2) * ranks) / Math.max(1, total));
      shares[Math.min(ranks - 1, middle)]!.push(wholePiece(name, type));
    } else {
      const rows = type.shape[0]!;
      const rowAt = (place: number): number => Math.min(rows, Math.max(0, Math.round(((place - at) * rows) / bytes)));
      for (const [k, share] of shares.entries()) {
        const begin = k === 0 ? 0 : rowAt(cut(k));
        const end = k === ranks - 1 ? rows : rowAt(cut(k + 1));
        if (end > begin) share.push(rowsOf(name, type, begin, end));
      }
    }
    at += bytes;
  }
  return shares;
}

const wholePiece = (name: string, type: TensorType): Piece => {
  const held = wholeBox(type);
  return { name, type, ...held, held };
};
const rowsOf = (name: string, type: TensorType, begin: number, end: number): Piece => {
  const held = wholeBox(type);
  const [, ...inner] = type.shape;
  return { name, type, offset: [begin, ...inner.map(() => 0)], shape: [end - begin, ...inner], held };
};
