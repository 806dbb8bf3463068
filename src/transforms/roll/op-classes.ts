// Ops as numbers, so that the copies of an op are found, and compared, in little time. Ops of one class have the same name, line,
// types and regions; of one variant, also the same attributes. Nearly always, an op is of the class that followed the class of
// the op before it the last time, so that one comparison is enough.
import type { SourceLocation } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import { equalAttributes } from '../../hlo/equal-attributes.ts';
import { opTable } from '../../hlo/op-table.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { elementTypes, sameType } from '../../hlo/types.ts';
import { capturesOf, isPure } from '../../hlo/walk.ts';

export interface OpClasses {
  /** The class of each op. Ops with effects are alone in theirs. */
  readonly classes: Int32Array;
  /** Ops with equal ones have equal attributes. The reverse does not hold where a class has many variants. */
  readonly variants: Int32Array;
}
interface OpClass {
  readonly number: number;
  readonly first: Op;
  /** The values that its regions capture. */
  readonly captures: readonly Value[];
  /** Whether another op of the name can have effects. */
  readonly dependsOnAttributes: boolean;
  /** The last few attributes, each with its variant. */
  readonly attributes: { readonly of: Op; readonly variant: number }[];
  /** The class of the op that followed the last one of this class. */
  next: OpClass | undefined;
}
/** As many attributes of a class are compared with. */
const maxVariants = 4;

const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);
const elementNumbers = new Map<string, number>(elementTypes.map((name, i) => [name, i]));

export function classesOf(ops: readonly Op[]): OpClasses {
  const known = new Map<number, OpClass[]>();
  const names = new Map<OpName, number>();
  const lines = new Map<SourceLocation | undefined, number>();
  const hashOf = ({ name, location, operands, results }: Op): number => {
    let hash = mix(mix(numberIn(names, name), numberIn(lines, location)), operands.length);
    for (const { type } of results as readonly Value[]) {
      if (type.kind !== 'tensor') continue;
      hash = mix(hash, elementNumbers.get(type.elementType)!);
      for (const size of type.shape) hash = mix(hash, size);
    }
    return hash;
  };
  let [classCount, variantCount] = [0, 0];
  const find = (op: Op): OpClass | undefined => {
    const hash = hashOf(op);
    const list = known.get(hash) ?? [];
    const found = list.find(one => isOfClass(op, one));
    if (found !== undefined || isAlone(op)) return found;
    const dependsOnAttributes = typeof opTable[op.name].pure === 'function';
    const captures = capturedBy(op);
    const made = { number: classCount++, first: op, captures, dependsOnAttributes, attributes: [], next: undefined };
    list.push(made);
    known.set(hash, list);
    return made;
  };
  const [classes, variants] = [new Int32Array(ops.length), new Int32Array(ops.length)];
  let before: OpClass | undefined;
  for (let i = 0; i < ops.length; i++) {
    const op = ops[i]!;
    const expected: OpClass | undefined = before?.next;
    const found: OpClass | undefined = expected !== undefined && isOfClass(op, expected) ? expected : find(op);
    if (before !== undefined) before.next = found;
    before = found;
    classes[i] = found?.number ?? classCount++;
    if (found === undefined) {
      variants[i] = variantCount++;
      continue;
    }
    const { attributes } = found;
    let variant = attributes.find(({ of }) => equalAttributes(of.attributes, op.attributes))?.variant;
    if (variant === undefined) {
      variant = variantCount++;
      attributes.unshift({ of: op, variant });
      if (attributes.length > maxVariants) attributes.pop();
    }
    variants[i] = variant;
  }
  return { classes, variants };
}

function numberIn<K>(table: Map<K, number>, key: K): number {
  let number = table.get(key);
  if (number === undefined) {
    number = table.size;
    table.set(key, number);
  }
  return number;
}

const isMarked = ({ sharding, discardable }: Op): boolean => sharding !== undefined || discardable !== undefined;
const isAlone = (op: Op): boolean =>
  isMarked(op) || !isPure(op) || (op.results as readonly Value[]).some(({ type }) => type.kind !== 'tensor');

const capturedBy = (op: Op): readonly Value[] => (op.regions.length === 0 ? [] : [...capturesOf(op)]);

function isOfClass(op: Op, { first, captures, dependsOnAttributes }: OpClass): boolean {
  const { name, location, operands, results, regions } = first;
  if (op.name !== name || op.location !== location || op.operands.length !== operands.length) return false;
  if (op.results.length !== results.length || op.regions.length !== regions.length || isMarked(op)) return false;
  for (let i = 0; i < results.length; i++) if (!sameType(op.results[i]!.type, results[i]!.type)) return false;
  if (dependsOnAttributes && !isPure(op)) return false;
  return regions.length === 0 || sameRegions(regions, captures, op);
}

/** Whether the regions of an op compute the same as these from what they capture. */
function sameRegions(regions: readonly Region[], captures: readonly Value[], op: Op): boolean {
  const captured = captures.length === 0 ? captures : capturedBy(op);
  const pairs = new Map(captures.map((value, i): [Value, Value | undefined] => [value, captured[i]]));
  return captured.length === captures.length && regions.every((region, i) => sameRegion(region, op.regions[i]!, pairs));
}
function sameRegion(a: Region, b: Region, pairs: Map<Value, Value | undefined>): boolean {
  const pair = (xs: readonly Value[], ys: readonly Value[]): boolean =>
    xs.length === ys.length &&
    xs.every((x, i) => {
      pairs.set(x, ys[i]!);
      return sameType(x.type, ys[i]!.type);
    });
  const arePaired = (xs: readonly Value[], ys: readonly Value[]): boolean =>
    xs.length === ys.length && xs.every((x, i) => pairs.get(x) === ys[i]);
  return (
    pair(a.args, b.args) &&
    a.ops.length === b.ops.length &&
    a.ops.every((x, i) => {
      const y = b.ops[i]!;
      return (
        x.name === y.name &&
        arePaired(x.operands, y.operands) &&
        equalAttributes(x.attributes, y.attributes) &&
        x.regions.length === y.regions.length &&
        x.regions.every((region, k) => sameRegion(region, y.regions[k]!, pairs)) &&
        pair(x.results, y.results)
      );
    }) &&
    arePaired(a.results, b.results)
  );
}
