// The gradient of a manual computation is another one: it computes the forward pass again, and then runs backwards, on the parts
// of each device. Computations that both have are merged when the program is partitioned.
//
//   (x: [{"a"}], w: [{}]) → y: [{}]      ─▶      (x, w, dy) → (dx: [{"a"}], dw: [{}])
//
// Along an axis that divides nothing of a result, all devices have the same: each gets its share of the cotangent. Along one that
// divides nothing of an operand, the cotangents of all devices are summed. As in JAX's shard_map.
import type { Builder } from '../../hlo/builder.ts';
import type { Region, Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { axisNamed, axisRefSize, collectiveAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import { axesOf, type Sharding } from '../../hlo/sharding/sharding.ts';
import { combinerOf } from '../combiner.ts';
import { zerosLike } from '../constants.ts';
import type { GradientRule, GradientTable, Seed } from '../rule.ts';

const manualRule: GradientRule<'sdy.manual_computation'> = context => {
  const { builder, op, cotangents, needs, inline, backpropagate, refuse } = context;
  const { inShardings, outShardings, manualAxes } = op.attributes;
  const [body] = op.regions;
  const meshes = [...inShardings, ...outShardings].map(sharding => sharding.mesh);
  const mesh = meshes.find(one => typeof one !== 'string') ?? refuse('its shardings name a mesh instead of stating it');
  const isUnused = (sharding: Sharding): readonly string[] =>
    manualAxes.filter(
      name =>
        axisNamed(mesh, name)!.size > 1 && !axesOf({ ...sharding, replicated: [] }).some(axis => axis.name === name),
    );
  const wanted = op.operands.flatMap((value, i) => (needs(value) ? [i] : []));
  const given = cotangents.flatMap((g, i) => (g === undefined ? [] : [i]));
  const types = [...body.args, ...given.map(i => body.results[i]!)].map(value => value.type);
  const region = builder.region(types, (inner, args) => {
    const map = new Map(body.args.map((arg, i): [Value, Value] => [arg, args[i]!]));
    const copies = inline(inner, body.ops, map);
    const seeds = given.map((i, k): Seed => {
      const result = body.results[i]!;
      const g = args[body.args.length + k]!;
      const axes = isUnused(outShardings[i]!);
      const sum = summedAlong(body, result, mesh, axes);
      const from = sum ?? result;
      return [map.get(from) ?? from, sum === undefined ? share(inner, g, mesh, axes) : g];
    });
    const found = backpropagate(
      inner,
      copies,
      seeds,
      wanted.map(i => args[i]!),
    );
    return found.map((g, k) => {
      const i = wanted[k]!;
      return g === undefined ? zerosLike(inner, args[i]!) : total(inner, g, mesh, isUnused(inShardings[i]!));
    });
  });
  const results = builder.emit(
    'sdy.manual_computation',
    [...op.operands, ...given.map(i => cotangents[i]!)],
    {
      inShardings: [...inShardings, ...given.map(i => outShardings[i]!)],
      outShardings: wanted.map(i => inShardings[i]!),
      manualAxes,
      resultTypes: wanted.map(i => op.operands[i]!.type),
    },
    [region],
  );
  return op.operands.map((_, i) => (wanted.includes(i) ? results[wanted.indexOf(i)] : undefined));
};

/** The operand of a result that is its sum along exactly these axes: it has the cotangent of the result. */
function summedAlong(body: Region, { op }: Value, mesh: Mesh, axes: readonly string[]): Value | undefined {
  if (axes.length === 0 || op?.name !== 'all_reduce' || op.operands.length !== 1 || !body.ops.includes(op))
    return undefined;
  const isSum = combinerOf(op.regions[0], 0, 1) === 'add';
  const groups = JSON.stringify(collectiveAlong(mesh, axes).replicaGroups);
  return isSum && JSON.stringify(op.attributes.replicaGroups) === groups ? op.operands[0] : undefined;
}

function share(b: Builder, g: Value, mesh: Mesh, axes: readonly string[]): Value {
  const count = axes.reduce((product, name) => product * axisRefSize(mesh, { name }), 1);
  return count === 1 ? g : b.divide(g, b.like(g, count));
}
function total(b: Builder, g: Value, mesh: Mesh, axes: readonly string[]): Value {
  if (axes.length === 0) return g;
  return b.emit1('all_reduce', [g], collectiveAlong(mesh, axes), [b.combiner('add', tensorTypeOf(g).elementType)]);
}

export const manualRules = { 'sdy.manual_computation': manualRule } satisfies Partial<GradientTable>;
