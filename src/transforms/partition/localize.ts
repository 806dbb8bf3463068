// The program of one device: every value is its part, and collectives move what the parts need of each other.
//
//   %1 = dot_general %x, %w : [{"a"}, {"b"}] · [{"b"}, {}]     ─▶   dot_general of the parts, all_reduce along "b"
//
// Each op is computed in parts if its factors allow it, else on whole operands, which is always right.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { localAttributes } from '../../hlo/factors/local-attributes.ts';
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import { shardingRuleOf } from '../../hlo/factors/table.ts';
import { inline } from '../../hlo/inline.ts';
import { inferTypes } from '../../hlo/op-table.ts';
import {
  type Func,
  type Module,
  mainOf,
  type Op,
  type OpOf,
  type Region,
  shapeOf,
  tensorTypeOf,
  type Value,
} from '../../hlo/program.ts';
import { type AxisRef, deviceAt, deviceCount, groupsAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import { meshOf } from '../../hlo/sharding/of-module.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { formatType, sameType, type TensorType, type Type } from '../../hlo/types.ts';
import { callsOf, capturesOf, reducerOf } from '../../hlo/walk.ts';
import { overlaps, sameAxis, sizeOfAxes } from './axes.ts';
import { addendsOf } from './carried-sums.ts';
import { withoutAxes } from './data-flow.ts';
import { DeviceIndex } from './device-index.ts';
import { type Layout, layoutOf, localType, type OpLayouts, refines, type Terms, whole } from './layout.ts';
import { type LinearOperands, linearOperands } from './linear-ops.ts';
import { emitLocal, type LocalOp, ofOneDevice } from './local-ops.ts';
import { movedBytes } from './moved-bytes.ts';
import { type Given, layoutsOfOp } from './op-layouts.ts';
import { withoutPadding } from './padding.ts';
import { Parts } from './parts.ts';
import { type Replicated, replicated } from './replicated.ts';
import { reshard, type Version } from './reshard.ts';
import { scatteredEarly } from './scattered-early.ts';
import { beforeShift, emitOwned, emitShift, isShift, layoutsOfOwned } from './shifts.ts';
import { sourcesOf } from './sources.ts';

/**
 * The program of each device of the mesh, for `partition_id`s. Its arguments and results are the parts of those of the module,
 * whose shardings are propagated.
 * @throws {UNSUPPORTED} for manual computations over different meshes, and transfers to and from the host
 */
export function localize(module: Module, onReplicated: (op: Replicated) => void = () => {}): Module {
  const mesh = meshOfMain(module);
  return mesh === undefined ? module : new Localizer(module, mesh, onReplicated).run();
}

/** The first mesh that main divides something over, or else the first one that the module declares. */
function meshOfMain(module: Module): Mesh | undefined {
  const { argAttributes = [], resultAttributes = [], body } = mainOf(module);
  const stated = [...argAttributes, ...resultAttributes, ...body.ops].flatMap(each => each?.sharding?.named ?? []);
  const used = stated.map(({ mesh }) => meshOf(mesh, module));
  const declared = module.meshes?.map(({ mesh }) => mesh) ?? [];
  return [...used, ...declared].find(mesh => mesh !== undefined && mesh.axes.length > 0);
}

const hostTransfers: ReadonlySet<OpName> = new Set(['send', 'recv', 'infeed', 'outfeed', 'interpreter.run_parallel']);

/** How a value enters or leaves a region. */
type Carried = Omit<Version, 'value'>;

class Localizer {
  readonly #module: Module;
  readonly #mesh: Mesh;
  readonly #main = new Builder();
  readonly #devices: DeviceIndex;
  readonly #parts: Parts;
  readonly #useCounts: ReadonlyMap<Value, number>;
  /** Whether it matters which device computes an op. */
  readonly #usesDeviceNumbers: boolean;
  #onReplicated: (op: Replicated) => void;

  constructor(module: Module, mesh: Mesh, onReplicated: (op: Replicated) => void) {
    this.#onReplicated = onReplicated;
    this.#module = module;
    this.#mesh = mesh;
    this.#devices = new DeviceIndex(this.#main, mesh);
    this.#parts = new Parts(mesh, this.#devices);
    this.#useCounts = useCountsOf(module);
    this.#usesDeviceNumbers = mainOf(module).body.ops.some(({ name }) => name === 'partition_id');
  }

  run(): Module {
    const main = mainOf(this.#module);
    const b = this.#main;
    const args = main.body.args.map((arg, i) =>
      this.#argument(b, arg, main.argAttributes?.[i]?.sharding?.named?.[0], i),
    );
    this.#ops(b, main.body.ops);
    const results = main.body.results.map((value, i) =>
      this.#result(b, value, main.resultAttributes?.[i]?.sharding?.named?.[0]),
    );
    const body: Region = { args, ops: scatteredEarly(b.ops), results };
    const { argAttributes: _args, resultAttributes: _results, ...rest } = main;
    const aliases = main.aliases.map((result, i) =>
      result !== undefined && sameType(args[i]!.type, results[result]!.type) ? result : undefined,
    );
    const called = this.#module.functions.filter(func => func !== main && isCalledBy(func, b.ops));
    return {
      ...this.#module,
      meshes: [],
      numReplicas: 1,
      numPartitions: deviceCount(this.#mesh),
      functions: [{ ...rest, body, aliases }, ...called],
    };
  }

  #argument(b: Builder, arg: Value, sharding: Sharding | undefined, index: number): Value {
    const mesh = (sharding && this.#otherMesh(sharding)) ?? this.#mesh;
    const layout = layoutOf(sharding, arg.type);
    const value = b.argument(localType(arg.type, layout, mesh), index);
    const version: Version = { value, layout, terms: termsOf(sharding) };
    if (mesh === this.#mesh) this.#parts.set(arg, version);
    else if (version.terms === undefined && sameAxes(mesh, this.#mesh))
      this.#parts.set(arg, { value: permuted(b, version, mesh, this.#mesh), layout });
    else this.#parts.set(arg, { value: between(b, mesh, version, arg.type, whole(arg.type)), layout: whole(arg.type) });
    return value;
  }
  #result(b: Builder, value: Value, sharding: Sharding | undefined): Value {
    const mesh = sharding && this.#otherMesh(sharding);
    const layout = layoutOf(sharding, value.type);
    const terms = termsOf(sharding);
    if (mesh === undefined)
      return terms === undefined ? this.#parts.in(b, value, layout) : this.#termIn(b, value, layout, terms);
    if (terms === undefined && sameAxes(mesh, this.#mesh))
      return permuted(b, { value: this.#parts.in(b, value, layout), layout }, this.#mesh, mesh);
    const undivided = { value: this.#parts.in(b, value, whole(value.type)), layout: whole(value.type) };
    return between(b, mesh, undivided, value.type, layout);
  }
  /** The mesh of a sharding, if it is another one than that of the program. */
  #otherMesh(sharding: Sharding): Mesh | undefined {
    const mesh = meshOf(sharding.mesh, this.#module);
    return mesh === undefined || mesh.axes.length === 0 || sameMesh(mesh, this.#mesh) ? undefined : mesh;
  }
  /** How a value is divided within the program: over its mesh only. */
  #layout(sharding: Sharding | undefined, type: Type): Layout {
    const mesh = sharding && meshOf(sharding.mesh, this.#module);
    if (mesh === undefined || mesh.axes.length === 0 || !sameMesh(mesh, this.#mesh)) return whole(type);
    return layoutOf(sharding, type);
  }
  /** The layout that the program states for a result of an op. */
  #stated(op: Op, i: number): Layout {
    return this.#layout(op.sharding?.named?.[i], op.results[i]!.type);
  }

  #ops(b: Builder, ops: readonly Op[]): void {
    for (const op of ops) {
      b.location = op.location;
      this.#op(b, op);
    }
  }
  /** Moves the values that regions use to their stated layouts before them, so that loops do not move them each time. */
  #capture(b: Builder, op: Op): void {
    for (const value of capturesOf(op))
      if (value.type.kind === 'tensor') this.#parts.in(b, value, this.#parts.stated(value));
  }
  #op(b: Builder, op: Op): void {
    if (hostTransfers.has(op.name)) throw unsupported(op.name, 'remove it from the program', op.location);
    switch (op.name) {
      case 'sdy.sharding_group':
        break;
      case 'sdy.sharding_constraint':
      case 'sdy.reshard':
        this.#parts.setFixed(op.results[0], op.operands[0], this.#layout(op.attributes.sharding, op.results[0].type));
        break;
      case 'while':
        this.#loop(b, op);
        break;
      case 'if':
      case 'case':
        this.#branches(b, op);
        break;
      case 'optimization_barrier': {
        const layouts = op.results.map((_, i) => this.#stated(op, i));
        const values = op.operands.map((value, i) => this.#parts.in(b, value, layouts[i]!));
        this.#emitted(op, b.emit('optimization_barrier', values, {}), layouts);
        break;
      }
      case 'func.call':
        this.#call(b, op);
        break;
      case 'sdy.manual_computation':
        this.#manual(b, op);
        break;
      default:
        if (isManualBorder(op)) this.#enterOrLeave(b, op);
        else this.#compute(b, op);
        break;
    }
  }
  /** Between a value and its part along manual axes, as JAX's `shard_map` lowers for GSPMD. */
  #enterOrLeave(b: Builder, op: Op): void {
    const [operand, result] = [op.operands[0]!, op.results[0]!];
    const to = this.#stated(op, 0);
    const [whole, part] = [tensorTypeOf(operand).shape, tensorTypeOf(result).shape];
    const from = this.#parts.stated(operand).map((axes, d) => (whole[d] === part[d] ? to[d]! : axes));
    const value = this.#parts.in(b, operand, from);
    if (!sameType(value.type, localType(result.type, to, this.#mesh)))
      throw unsupported(
        `a part of ${formatType(operand.type)} of another size than its sharding gives`,
        'lower the program with Shardy, as JAX does by default',
        op.location,
      );
    this.#parts.set(result, { value, layout: to });
  }
  #emitted(op: Op, values: readonly Value[], layouts: readonly Layout[]): void {
    for (const [i, result] of (op.results as readonly Value[]).entries())
      this.#parts.set(result, { value: values[i]!, layout: layouts[i]! });
  }

  /** A region whose arguments and results have these layouts; some of them are terms. */
  #region(b: Builder, region: Region, args: readonly Carried[], results: readonly Carried[]): Region {
    const types = region.args.map((arg, i) => localType(arg.type, args[i]!.layout, this.#mesh));
    return b.region(types, (inner, values) =>
      this.#parts.within(() => {
        for (const [i, arg] of region.args.entries()) this.#parts.set(arg, { value: values[i]!, ...args[i]! });
        this.#ops(inner, region.ops);
        return region.results.map((value, i) => this.#carriedIn(inner, value, results[i]!));
      }),
    );
  }
  #carriedIn(b: Builder, value: Value, { layout, terms }: Carried): Value {
    return terms === undefined ? this.#parts.in(b, value, layout) : this.#termIn(b, value, layout, terms);
  }
  #loop(b: Builder, op: OpOf<'while'>): void {
    this.#capture(b, op);
    const [condition, body] = op.regions;
    const whole = op.results.map((_, i): Carried => ({ layout: this.#stated(op, i) }));
    const carried = this.#carriedSums(b, op, whole);
    const values = op.operands.map((value, i) => this.#carriedIn(b, value, carried[i]!));
    const regions = [this.#region(b, condition, carried, [{ layout: [] }]), this.#region(b, body, carried, carried)];
    const results = b.emit('while', values, op.attributes, regions);
    for (const [i, result] of op.results.entries())
      this.#parts.set(result, { value: results[i]!, ...carried[i]! }, whole[i]!.layout);
  }
  /** How a loop carries its values: sums as terms, if all that its trips add are terms, known from a first attempt. */
  #carriedSums(b: Builder, op: OpOf<'while'>, whole: readonly Carried[]): readonly Carried[] {
    const addends = op.results.map((_, i) => addendsOf(op, i, this.#useCounts));
    if (addends.every(list => list.length === 0)) return whole;
    const report = this.#onReplicated;
    this.#onReplicated = () => {};
    this.#region(b, op.regions[1], whole, whole);
    this.#onReplicated = report;
    return whole.map((value, i) => {
      const terms = this.#parts.commonTerms(addends[i]!);
      // A sum of which each device has a part would be as large as the whole.
      const isDivided = value.layout.flat().some(axis => terms?.axes.some(other => overlaps(axis, other)));
      return terms === undefined || isDivided ? value : { ...value, terms };
    });
  }
  #branches(b: Builder, op: OpOf<'if'> | OpOf<'case'>): void {
    const layouts = op.results.map((_, i) => this.#stated(op, i));
    const [selector] = op.operands;
    const index = this.#parts.in(b, selector, whole(selector.type));
    this.#capture(b, op);
    const results = layouts.map(layout => ({ layout }));
    const regions = (op.regions as readonly Region[]).map(region => this.#region(b, region, [], results));
    this.#emitted(op, b.emit(op.name, [index], op.attributes as never, regions), layouts);
  }
  #call(b: Builder, op: OpOf<'func.call'>): void {
    const func = this.#module.functions.find(({ name }) => name === op.attributes.callee)!;
    const { args, ops, results } = func.body;
    for (const [i, arg] of args.entries()) {
      const layout = this.#layout(func.argAttributes?.[i]?.sharding?.named?.[0], arg.type);
      this.#parts.set(arg, { value: this.#parts.in(b, op.operands[i]!, layout), layout });
    }
    this.#ops(b, ops);
    for (const [i, result] of op.results.entries()) {
      const layout = this.#stated(op, i);
      this.#parts.set(result, { value: this.#parts.in(b, results[i]!, layout), layout });
    }
  }
  /** The body is a program of each device along the manual axes: what is a part outside is whole inside. */
  #manual(b: Builder, op: OpOf<'sdy.manual_computation'>): void {
    const { inShardings, outShardings, manualAxes } = op.attributes;
    if ([...inShardings, ...outShardings].some(sharding => this.#otherMesh(sharding) !== undefined))
      throw unsupported('a manual computation over another mesh than that of the program', 'use one mesh', op.location);
    const [body] = op.regions;
    const inside = (sharding: Sharding, type: Type): Layout => this.#layout(withoutAxes(sharding, manualAxes), type);
    for (const [i, arg] of body.args.entries()) {
      const value = this.#parts.in(b, op.operands[i]!, this.#layout(inShardings[i], op.operands[i]!.type));
      this.#parts.set(arg, { value, layout: inside(inShardings[i]!, arg.type) });
    }
    this.#ops(b, body.ops);
    for (const [i, result] of op.results.entries()) {
      const returned = body.results[i]!;
      const value = this.#parts.in(b, returned, inside(outShardings[i]!, returned.type));
      this.#parts.set(result, { value, layout: this.#layout(outShardings[i], result.type) });
    }
  }

  #compute(b: Builder, op: Op): void {
    const stated = op.results.map((result, i) => {
      const layout = this.#stated(op, i);
      // A few elements of many are not worth dividing.
      return op.name === 'slice' ? withoutFew(layout, shapeOf(result), this.#mesh) : layout;
    });
    const device = this.#usesDeviceNumbers ? this.#onlyDevice(op) : undefined;
    if (device !== undefined) {
      this.#computeWhole(b, op, stated, device);
      return;
    }
    const axis = op.name === 'all_reduce' ? this.#scattered(op, stated) : undefined;
    if (axis !== undefined) {
      for (const [i, result] of (op.results as readonly Value[]).entries()) {
        const operand = op.operands[i]!;
        const layout = this.#parts.stated(operand);
        const version = {
          value: this.#parts.in(b, operand, layout),
          layout,
          terms: { axes: [axis], combiner: 'add' },
        } as const;
        this.#parts.setCombined(result, version, stated[i]!);
      }
      return;
    }
    const sources = sourcesOf(op, this.#parts, this.#devices, this.#mesh);
    if (sources !== undefined) {
      for (const [i, make] of sources.entries()) this.#parts.setMade(op.results[i]!, make, stated[i]!);
      return;
    }
    const rule = isDivisible(op) ? shardingRuleOf(op) : undefined;
    const linear = rule && linearOperands(op, this.#parts, stated[0]!, this.#useCounts);
    const given = this.#given(op, stated, linear);
    const chosen = rule && layoutsOfOp(op, rule, given);
    const owned = linear === undefined && chosen ? this.#owned(op, chosen, stated[0]!, given) : undefined;
    const layouts = owned ?? chosen;
    const attributes = owned ? op.attributes : layouts && this.#fitting(op, layouts);
    if (attributes === undefined || (linear === undefined && !isDividedIn(layouts!))) this.#noteGathered(op, rule);
    if (attributes === undefined) {
      this.#computeWhole(b, op, stated);
      return;
    }
    const operands = op.operands.map((value, i) => {
      const layout = layouts!.operands[i]!;
      const part = linear?.operands.includes(i)
        ? this.#termIn(b, value, layout, linear.terms)
        : this.#parts.in(b, value, layout);
      return withoutPadding(b, part, { op, i, rule: rule!, layout }, this.#devices, this.#mesh);
    });
    const combiner = owned ? 'add' : (linear?.terms.combiner ?? rule!.combiner);
    const local: LocalOp = { op, attributes, regions: this.#copied(b, op), operands, layouts: layouts!, combiner };
    const site = { b, devices: this.#devices, mesh: this.#mesh };
    const values = owned
      ? [emitOwned(site, op as Op<'slice'>, operands[0]!, owned.operands[0]!)]
      : isShift(op, layouts!)
        ? [emitShift(site, op, operands, layouts!)]
        : emitLocal(b, local, this.#devices);
    const axes = [...(linear?.terms.axes ?? []), ...layouts!.reduced];
    const terms = axes.length === 0 ? undefined : { axes, combiner: combiner! };
    for (const [i, result] of (op.results as readonly Value[]).entries())
      this.#parts.set(result, { value: values[i]!, layout: layouts!.results[i]!, terms }, stated[i]!);
  }
  /** The layouts of a slice as a sum, if that sends less. */
  #owned(op: Op, chosen: OpLayouts, stated: Layout, given: Given): OpLayouts | undefined {
    const owned = layoutsOfOwned(op, this.#parts.stated(op.operands[0]!), this.#mesh);
    if (owned === undefined) return undefined;
    const after = this.#parts.bytesBetween(tensorTypeOf(op.results[0]!), { layout: chosen.results[0]! }, stated);
    const bytes = given.price(chosen).bytes + after;
    return given.price(owned).bytes < bytes ? owned : undefined;
  }
  /** The axis along which ranks add terms of their own, if results are divided along it: each part is summed where it is. */
  #scattered(op: OpOf<'all_reduce'>, stated: readonly Layout[]): AxisRef | undefined {
    if (reducerOf(op.regions[0]) !== 'add') return undefined;
    const groups = JSON.stringify(op.attributes.replicaGroups);
    const axis = this.#mesh.axes.find(one => JSON.stringify(groupsAlong(this.#mesh, [one])) === groups);
    const isDivided = stated.some(dims => dims.some(axes => axes.some(({ name }) => name === axis?.name)));
    return isDivided ? { name: axis!.name } : undefined;
  }
  /** Reports the largest operand that is gathered, although the program divides it. */
  #noteGathered(op: Op, rule: ShardingRule | undefined): void {
    const gathered = (op.operands as readonly Value[]).flatMap((value, i) => {
      const layout = this.#parts.stated(value);
      const isGathered = layout.some(axes => axes.length > 0) && this.#parts.bytes(value, whole(value.type)) > 0;
      return isGathered ? [replicated(op, i, layout, rule, this.#mesh)] : [];
    });
    const [largest] = gathered.sort((a, b) => b.bytes - a.bytes);
    if (largest !== undefined) this.#onReplicated(largest);
  }
  /** `device`: the one whose results all devices get. */
  #computeWhole(b: Builder, op: Op, stated: readonly Layout[], device?: number): void {
    const operands = op.operands.map(value => this.#parts.in(b, value, whole(value.type)));
    const values: readonly Value[] = b.emit(op.name, operands, op.attributes as never, this.#copied(b, op));
    for (const [i, result] of (op.results as readonly Value[]).entries()) {
      const value = device === undefined ? values[i]! : this.#broadcast(b, values[i]!, device);
      this.#parts.set(result, { value, layout: whole(result.type) }, stated[i]!);
    }
  }
  #broadcast(b: Builder, value: Value, device: number): Value {
    const others = Array.from({ length: deviceCount(this.#mesh) }, (_, other) => other).filter(o => o !== device);
    return b.emit1('collective_broadcast', [value], {
      replicaGroups: [[device, ...others]],
      channelId: 1,
      channelType: 1,
    });
  }
  /** The device that the program states for an op. */
  #onlyDevice(op: Op): number | undefined {
    const [sharding] = op.sharding?.named ?? [];
    const mesh = sharding && meshOf(sharding.mesh, this.#module);
    return mesh?.axes.length === 0 && mesh.deviceIds?.length === 1 ? mesh.deviceIds[0] : undefined;
  }
  /** A value as terms along some axes, of which it may lack some. */
  #termIn(b: Builder, value: Value, layout: Layout, { axes, combiner }: Terms): Value {
    const known = this.#parts.terms(value)?.terms.axes ?? [];
    const part = known.length > 0 ? this.#parts.termIn(b, value, layout) : this.#parts.in(b, value, layout);
    const others = axes.filter(axis => !known.some(other => sameAxis(axis, other)));
    return others.length === 0 ? part : ofOneDevice(b, part, value, combiner, others, this.#devices);
  }
  #given(op: Op, results: readonly Layout[], linear: LinearOperands | undefined): Given {
    const values = op.operands as readonly Value[];
    const reserved = linear?.terms.axes ?? [];
    const isTerm = (i: number): boolean =>
      linear?.operands.includes(i) === true && this.#parts.terms(values[i]!) !== undefined;
    const operands = values.map((value, i) =>
      isTerm(i) ? [this.#parts.terms(value)!.layout] : this.#parts.layouts(value),
    );
    const bytesBetween = ({ type }: Value, from: Layout, to: Layout, terms?: Terms): number =>
      type.kind === 'tensor' ? this.#parts.bytesBetween(type, { layout: from, terms }, to) : 0;
    const sum = (list: readonly number[]): number => list.reduce((total, bytes) => total + bytes, 0);
    return {
      operands,
      results,
      reserved,
      mesh: this.#mesh,
      price: layouts => {
        const moved = values.map((value, i) =>
          isTerm(i)
            ? bytesBetween(value, operands[i]![0]!, layouts.operands[i]!)
            : this.#parts.bytes(value, layouts.operands[i]!) / this.#useCounts.get(value)!,
        );
        const axes = [...reserved, ...layouts.reduced];
        const terms: Terms | undefined = axes.length === 0 ? undefined : { axes, combiner: 'add' };
        // Users can take what is divided further.
        const made = op.results.map((value, i) =>
          terms === undefined && refines(layouts.results[i]!, results[i]!)
            ? 0
            : bytesBetween(value, layouts.results[i]!, results[i]!, terms),
        );
        const stays = values.every((value, i) =>
          operands[i]!.some(layout => bytesBetween(value, layout, layouts.operands[i]!) === 0),
        );
        return { bytes: sum([...moved, ...made]) + this.#bytesWithin(op, layouts), stays };
      },
    };
  }
  /** The bytes that move while the op is computed. */
  #bytesWithin(op: Op, layouts: OpLayouts): number {
    if (!isShift(op, layouts)) return 0;
    const [b, mesh] = [new Builder(), this.#mesh];
    // What is whole stays so, for users of all layouts.
    const operands = beforeShift(op, layouts);
    if (op.operands.every((value, i) => this.#parts.isThere(value, operands[i]!))) return 1;
    const parts = (op.operands as readonly Value[]).map(({ type }, i) =>
      b.argument(localType(type, layouts.operands[i]!, mesh), i),
    );
    emitShift({ b, devices: new DeviceIndex(b, mesh), mesh }, op, parts, layouts);
    return movedBytes(b.ops);
  }
  /** The attributes of the op on parts; undefined if it does not give the parts of its results. */
  #fitting(op: Op, layouts: OpLayouts): object | undefined {
    if (isShift(op, layouts)) return op.attributes;
    const { operands, results } = layouts;
    const local = (values: readonly Value[], layouts: readonly Layout[]): readonly TensorType[] =>
      values.map((value, i) => localType(value.type, layouts[i]!, this.#mesh) as TensorType);
    const [given, expected] = [local(op.operands, operands), local(op.results, results)];
    try {
      const attributes = localAttributes(op as OpOf<OpName>, given, expected);
      const inferred = inferTypes(op.name, given, attributes as never, op.regions, op.location);
      return inferred.every((type, i) => formatType(type) === formatType(expected[i]!)) ? attributes : undefined;
    } catch (error) {
      if (error instanceof TrenioError) return undefined;
      throw error;
    }
  }
  /** The regions of an op, which use whole values: without shardings. */
  #copied(b: Builder, op: Op): readonly Region[] {
    const map = new Map<Value, Value>();
    for (const value of capturesOf(op)) map.set(value, this.#parts.in(b, value, whole(value.type)));
    return op.regions.map(region =>
      b.region(
        region.args.map(arg => arg.type),
        (inner, args) => {
          for (const [i, arg] of region.args.entries()) map.set(arg, args[i]!);
          for (const each of region.ops)
            if (each.name === 'sdy.sharding_constraint' || each.name === 'sdy.reshard')
              map.set(each.results[0], map.get(each.operands[0]) ?? each.operands[0]);
            else inline(inner, [each], map);
          return region.results.map(value => map.get(value) ?? value);
        },
      ),
    );
  }
}

const withoutFew = (layout: Layout, shape: readonly number[], mesh: Mesh): Layout =>
  layout.map((axes, dim) => (shape[dim]! < sizeOfAxes(axes, mesh) ? [] : axes));

const isDividedIn = ({ operands, results }: OpLayouts): boolean =>
  [...operands, ...results].some(layout => layout.some(axes => axes.length > 0));

const manualBorders: ReadonlySet<string> = new Set(['SPMDFullToShardShape', 'SPMDShardToFullShape']);
const isManualBorder = (op: Op): boolean =>
  op.name === 'custom_call' && manualBorders.has(op.attributes.callTargetName);

const isDivisible = (op: Op): boolean =>
  [...op.operands, ...op.results].every(({ type }) => type.kind === 'tensor' && type.quantization === undefined) &&
  op.results.length > 0;

/** How often each value is used, as an operand or a result. */
function useCountsOf({ functions }: Module): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  const count = (value: Value): void => {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  const countIn = (region: Region): void => {
    region.results.forEach(count);
    for (const op of region.ops) {
      op.operands.forEach(count);
      op.regions.forEach(countIn);
    }
  };
  for (const { body } of functions) countIn(body);
  return counts;
}

const isCalledBy = (func: Func, ops: readonly Op[]): boolean =>
  ops.some(op => callsOf(op).includes(func.name) || op.regions.some(region => isCalledBy(func, region.ops)));

const sameMesh = (a: Mesh, b: Mesh): boolean => JSON.stringify(a) === JSON.stringify(b);

const sameAxes = (a: Mesh, b: Mesh): boolean => JSON.stringify(a.axes) === JSON.stringify(b.axes);

/** The parts of a mesh on the devices of another one with the same axes. */
const permuted = (b: Builder, { value, layout }: Version, from: Mesh, to: Mesh): Value =>
  layout.every(axes => axes.length === 0)
    ? value
    : b.emit1('collective_permute', [value], {
        sourceTargetPairs: Array.from(
          { length: deviceCount(from) },
          (_, p) => [deviceAt(from, p), deviceAt(to, p)] as const,
        ),
        channelId: 1,
        channelType: 1,
      });

const combiners = { sum: 'add', max: 'maximum', min: 'minimum' } as const;
/** The terms that an unreduced sharding states: one on each device. */
const termsOf = (sharding: Sharding | undefined): Terms | undefined =>
  sharding === undefined || sharding.unreduced.length === 0
    ? undefined
    : { axes: sharding.unreduced, combiner: combiners[sharding.reduction] };

/** A value that is divided over another mesh than that of the program. */
const between = (b: Builder, mesh: Mesh, version: Version, type: Type, to: Layout): Value =>
  type.kind === 'tensor' ? reshard({ b, devices: new DeviceIndex(b, mesh), mesh }, version, type, to) : version.value;

const unsupported = (what: string, instead: string, location?: SourceLocation): TrenioError =>
  new TrenioError('UNSUPPORTED', { what, where: 'the partitioner', instead }, { location });
