// The contents of a program's picture: nodes, edges and boxes.
import type { OpKind } from '../../../hlo/op-row.ts';

/** The color of nodes: by the kind of the op, or by its position in the program. */
export type NodeKind = OpKind | 'argument' | 'result';

export interface GraphNode {
  /** Unique in the picture; of an op, that of its first result. */
  readonly name: string;
  readonly kind: NodeKind;
  /** One line per op. */
  readonly titles: readonly string[];
  /** Below the titles: types, then attributes. */
  readonly lines: readonly string[];
  /** The whole op as text, for details. */
  readonly details: string;
  /** The contents of the op. */
  readonly boxes: readonly GraphBox[];
}
export interface GraphEdge {
  /** Indices of nodes of the box. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}
/** A function, or a region of an op. */
export interface GraphBox {
  readonly title: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
