// Whether the machine code of a module and its kernels as WebAssembly (cpu/wasm/README.md) have the same bits. Decided from the
// ops as recorded, since planning takes longer. Not promised: products of other types than f32, convolutions, kernels of single
// ops, functions of the C library, complex numbers, what is decomposed, sizes known only at run time, several processes.
import { costOf } from '../hlo/cost.ts';
import { isIn } from '../hlo/per-op.ts';
import type { Module, Op } from '../hlo/program.ts';
import { numberKind, type Type } from '../hlo/types.ts';
import { forEachOp } from '../hlo/walk.ts';
import { hasUnknownSizes } from './cpu/dynamic/index.ts';
import { type LoweringKind, loweringKinds } from './lowering/lowering-kinds.ts';

const ofKind: Readonly<Record<Extract<LoweringKind, string>, boolean>> = {
  element: true,
  view: true,
  source: true,
  constant: true,
  reduce: true,
  control: true,
  call: true,
  resolved: true,
  multiply: true,
  kernel: false,
  operator: false,
  collective: false,
  decomposed: false,
  inlined: false,
};

/** Kernels of single ops that combine elements in the order of the reference interpreter; sorting does, too, but slowly. */
const inOrder = { scatter: true } as const;

/** Computed by the C library for every type. */
const ofTheCLibrary = { cbrt: true, tan: true, power: true, atan2: true } as const;

export function hasSameBits(module: Module): boolean {
  let same = !module.functions.some(hasUnknownSizes);
  for (const func of module.functions)
    forEachOp(func.body, op => {
      same &&= isSame(op);
    });
  return same;
}

function isSame(op: Op): boolean {
  const kind: LoweringKind = loweringKinds[op.name];
  if (typeof kind !== 'string' || !(ofKind[kind] || isIn(inOrder, op)) || isIn(ofTheCLibrary, op)) return false;
  const types = [...op.operands, ...op.results].map(value => value.type);
  return types.every(isPlain) && (kind === 'multiply' ? isFullF32(op, types) : !types.some(isF64) || !isFunction(op));
}

const isPlain = (type: Type): boolean =>
  type.kind !== 'tensor' || (type.quantization === undefined && numberKind(type.elementType) !== 'complex');
const isF64 = (type: Type): boolean => type.kind === 'tensor' && type.elementType === 'f64';
const isFunction = (op: Op): boolean => costOf(op).transcendentals > 0;
/** The algorithm of a product may round f32 to tf32. */
const isFullF32 = (op: Op, types: readonly Type[]): boolean =>
  types.every(type => type.kind === 'tensor' && type.elementType === 'f32') && !('algorithm' in op.attributes);
