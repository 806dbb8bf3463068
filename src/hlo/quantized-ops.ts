// Ops on quantized tensors, in terms of ops on the numbers they represent, for the interpreter and the compiler:
//
//   add(%q, %r) : !quant<i8:f32, …>       uniform_quantize(add(uniform_dequantize(%q), uniform_dequantize(%r)))
//   transpose(%q)                         bitcast_convert(transpose(bitcast_convert(%q) : i8)) : !quant<…>
//
// Afterwards, quantized values are only quantized, dequantized, bitcast and passed on (by control flow and calls).
import type { OpAttributes, OpName } from './attributes.ts';
import type { BaseBuilder } from './base-builder.ts';
import { opTable } from './op-table.ts';
import { dequantizeLiteral, expressedType, storageType } from './ops/quantized-data.ts';
import { type Op, type Region, tensorTypeOf, type Value } from './program.ts';
import type { Type } from './types.ts';

const isQuantized = ({ type }: Value): boolean => type.kind === 'tensor' && type.quantization !== undefined;
const expressed = (type: Type): Type => (type.kind === 'tensor' ? expressedType(type) : type);

/** Ops that take quantized values without conversion. */
const primitive: ReadonlySet<OpName> = new Set<OpName>([
  'uniform_quantize',
  'uniform_dequantize',
  'bitcast_convert',
  'constant',
  'custom_call',
  'get_dimension_size',
]);
/** Ops that move elements without looking at them. */
const moving: ReadonlySet<OpName> = new Set<OpName>([
  'all_gather',
  'all_to_all',
  'collective_broadcast',
  'collective_permute',
]);

/** True for an op on quantized tensors whose result differs from that of the op on the stored integers. */
export function actsOnQuantized(op: Op): boolean {
  const { kind } = opTable[op.name];
  // Ops that state their own results, such as unknown ops, have the stated types.
  if (kind === 'control' || primitive.has(op.name) || 'resultTypes' in op.attributes) return false;
  return op.operands.some(isQuantized) || op.results.some(isQuantized);
}

/** Appends such an op without quantized operands to `builder`; returns the converted results. */
export function quantizedAsFloat(builder: BaseBuilder, op: Op, operands: readonly Value[]): readonly Value[] {
  return isMove(op) ? onStorage(builder, op, operands) : onReals(builder, op, operands);
}

function isMove({ name, operands, results }: Op): boolean {
  const { kind } = opTable[name];
  if (kind === 'view' || kind === 'movement' || moving.has(name)) return true;
  // If the result has the same scale, the operands of select are moved unchanged.
  const same = (value: Value): boolean => elementText(value) === elementText(results[0]!);
  return name === 'select' && operands.slice(1).every(same);
}
const elementText = (value: Value): string => JSON.stringify({ ...tensorTypeOf(value), shape: [], bounds: [] });

function onStorage(builder: BaseBuilder, op: Op, operands: readonly Value[]): readonly Value[] {
  const stored = operands.map(v =>
    isQuantized(v) ? builder.emit1('bitcast_convert', [v], { type: storageType(tensorTypeOf(v)) }) : v,
  );
  const results = builder.emit(op.name, stored, attributesOf(op, storageType), op.regions);
  return results.map((v, i) => {
    const stated = op.results[i]!;
    if (!isQuantized(stated)) return v;
    const type = { ...tensorTypeOf(stated), shape: tensorTypeOf(v).shape };
    return builder.emit1('bitcast_convert', [v], { type });
  });
}

function onReals(builder: BaseBuilder, op: Op, operands: readonly Value[]): readonly Value[] {
  const reals = operands.map(v => dequantized(builder, v));
  return emitOnReals(builder, op, reals).map((v, i) => {
    const stated = op.results[i]!;
    return isQuantized(stated) ? builder.emit1('uniform_quantize', [v], { type: tensorTypeOf(stated) }) : v;
  });
}

const dequantized = (builder: BaseBuilder, v: Value): Value =>
  isQuantized(v) ? builder.emit1('uniform_dequantize', [v], {}) : v;

/** The op on operands that are already real; its regions compute in real numbers throughout. */
function emitOnReals(builder: BaseBuilder, op: Op, operands: readonly Value[]): readonly Value[] {
  if (op.name === 'constant') return [builder.constant(dequantizeLiteral(op.attributes.value))];
  if (op.name === 'uniform_dequantize') return operands;
  if (op.name === 'uniform_quantize') {
    const rounded = builder.emit1('uniform_quantize', operands, op.attributes);
    return [builder.emit1('uniform_dequantize', [rounded], {})];
  }
  const regions = op.regions.map(region => regionOnReals(builder, region));
  return builder.emit(op.name, operands, attributesOf(op, expressedType), regions);
}

function regionOnReals(builder: BaseBuilder, region: Region): Region {
  return builder.region(
    region.args.map(v => expressed(v.type)),
    (inner, args) => {
      const known = new Map(region.args.map((v, i) => [v, args[i]!]));
      const real = (v: Value): Value => known.get(v) ?? dequantized(inner, v);
      for (const op of region.ops) {
        const results = emitOnReals(inner, op, op.operands.map(real));
        op.results.forEach((v, i) => {
          known.set(v, results[i]!);
        });
      }
      return region.results.map(real);
    },
  );
}

/** The attributes, with the types in them converted in the same way. */
function attributesOf(op: Op, change: typeof storageType): OpAttributes[OpName] {
  const changed: Record<string, unknown> = { ...op.attributes };
  const [result] = op.results;
  if ('elementType' in op.attributes && result !== undefined)
    changed.elementType = change(tensorTypeOf(result)).elementType;
  if ('type' in op.attributes) changed.type = change(op.attributes.type);
  if (op.name === 'compare') changed.compareType = 'FLOAT';
  return changed as OpAttributes[OpName];
}
