// Prints the C of a WinogradPlan:
//
//   images                                            weights
//     all weights are transformed                       a task: output features, input features, a slice of the chunks
//     a task: a chunk of tiles, output features           for each chunk: its x and y are transformed
//       for each block of input features                    36 multiplies are added to the sums
//         its x is transformed                            the sums are transformed back
//         36 multiplies are added to the sums           slices are added in their order
//       the sums are transformed back
//
// An element is summed in one order, which depends on the plan only, so the bits do not depend on the number of workers.

import { tileResults, tileSize, tileTaps, transposed } from '../../convolution/winograd-transforms.ts';
import type { WinogradPlan } from '../../ir/winograd.ts';
import { emitKernel, type KernelSpec, kernelCall, kernelName } from '../gemm/micro-kernel.ts';
import { Writer } from '../writer.ts';
import type { ConvolutionCode } from './convolution-functions.ts';
import { emitGather, emitScatter } from './winograd-strips.ts';
import { emitTransform, type TransformSpec } from './winograd-transform.ts';

/** Entries of p[], and the elements of the operands. */
export interface WinogradSlots {
  readonly x: number;
  readonly w: number;
  readonly y: number;
  readonly workspace: number;
  readonly xCount: number;
  readonly yCount: number;
}

interface Emission {
  readonly plan: WinogradPlan;
  readonly slots: WinogradSlots;
  readonly out: Writer;
  readonly helpers: Map<string, string>;
  readonly V: string;
}

const elements = tileSize * tileSize;
const taps = tileTaps * tileTaps;

export function emitWinograd(plan: WinogradPlan, slots: WinogradSlots): ConvolutionCode {
  const e: Emission = { plan, slots, out: new Writer(), helpers: new Map(), V: `gemm_f32x${plan.lanes}` };
  emitTransformX(e);
  emitMultiply(e);
  if (plan.problem.role === 'images') emitImages(e);
  else emitWeights(e);
  return { code: e.out.toString(), helpers: e.helpers };
}

function share(e: Emission, name: string, text: string): void {
  e.helpers.set(name, `#ifndef ${name}_defined\n#define ${name}_defined\n${text}\n#endif`);
}

function transform(e: Emission, spec: Omit<TransformSpec, 'vector'>): void {
  print(e, emitTransform({ ...spec, vector: e.V }));
}
function print(e: Emission, text: string): void {
  for (const line of text.split('\n')) e.out.line(line);
}

/** Transformed tiles: to[element][tile of the chunk][feature of the block]. */
function emitTransformX(e: Emission): void {
  const { plan } = e;
  const { problem: p } = plan;
  emitTiles(e, {
    name: 'x',
    matrix: plan.transforms.x,
    images: p.x,
    rows: tileSize,
    low: p.low,
    features: p.inputs,
    block: plan.inputBlock,
    slot: e.slots.x,
    count: e.slots.xCount,
  });
}

interface Tiles {
  readonly name: string;
  readonly matrix: readonly (readonly number[])[];
  readonly images: WinogradPlan['problem']['x'];
  readonly rows: number;
  readonly low: readonly [number, number];
  readonly features: number;
  readonly block: number;
  readonly slot: number;
  readonly count: number;
}

function emitTiles(e: Emission, t: Tiles): void {
  const { plan, out } = e;
  const { lanes, across, down, memory } = plan;
  const { stripColumns } = memory;
  const used = (across - 1) * tileResults + t.rows;
  const strip = { images: t.images, lanes, rows: t.rows, used, columns: stripColumns, low: t.low[1] };
  print(
    e,
    emitGather(`@_gather_${t.name}`, strip, (name, text) => share(e, name, text)),
  );
  transform(e, {
    name: `@_tile_${t.name}`,
    matrix: t.matrix,
    from: { row: String(stripColumns * lanes), column: String(lanes) },
    to: { row: `${tileSize} * to_step`, column: 'to_step' },
  });
  out.line(`// to[element][tile][feature]: rows of tiles from the first on, features from the first on.`);
  out.open(
    `static void @_transform_${t.name}(const float *x, int64_t first, int64_t rows, int64_t feature, float *restrict strip, float *restrict to)`,
  );
  out.line(`const int64_t features = ${t.features} - feature < ${t.block} ? ${t.features} - feature : ${t.block};`);
  out.open('for (int64_t row = 0; row < rows; row++)');
  out.line(
    `const int64_t image = (first + row) / ${down}, h = (first + row) % ${down} * ${tileResults} - ${t.low[0]};`,
  );
  out.open(`for (int64_t f = 0; f < features; f += ${lanes})`);
  out.line(
    `@_gather_${t.name}(x + image * ${t.images.imageStride} + (feature + f) * ${t.images.featureStride}, x + ${t.count}, features - f < ${lanes} ? features - f : ${lanes}, h, strip);`,
  );
  out.line(
    `for (int64_t i = 0; i < ${across}; i++) @_tile_${t.name}(strip + i * ${tileResults * lanes}, 0, to + (row * ${across} + i) * ${t.block} + f, ${plan.rows * across * t.block});`,
  );
  out.close();
  out.close();
  out.close();
}

/** 36 multiplies of m × n sums, whose sizes are multiples of the tile or one of a few others. */
function emitMultiply(e: Emission): void {
  const { plan, out } = e;
  const { problem: p, tile, lanes, across, inputBlock, outputBlock } = plan;
  const chunkTiles = plan.rows * across;
  const isImages = p.role === 'images';
  const width = tile.vectors * lanes;
  const aStride = isImages ? inputBlock : outputBlock;
  const bStride = isImages ? plan.weightStride : inputBlock;
  const aStep = isImages ? chunkTiles * inputBlock : chunkTiles * outputBlock;
  const bStep = isImages ? plan.weightStep : chunkTiles * inputBlock;
  const cRow = isImages ? outputBlock : inputBlock;
  const cStep = (isImages ? chunkTiles : outputBlock) * cRow;
  out.open(
    'static void @_multiply(int64_t m, int64_t n, int64_t depth, const float *a, const float *b, float *c, int add)',
  );
  out.open(`for (int64_t e = 0; e < ${elements}; e++, a += ${aStep}, b += ${bStep}, c += ${cStep})`);
  out.open(`for (int64_t i = 0; i < m; i += ${tile.rows})`);
  out.open(`for (int64_t j = 0; j < n; j += ${width})`);
  for (const rows of plan.tileRows) {
    for (const columns of plan.tileColumns) {
      const spec: KernelSpec = {
        elementType: 'f32',
        lanes,
        tile: { rows, vectors: columns / lanes },
        a: isImages ? 'rows' : 'columns',
        b: 'inPlace',
        store: 'vectors',
      };
      share(e, kernelName(spec), emitKernel(spec));
      const isRows = rows === tile.rows ? `m - i >= ${rows}` : `m - i == ${rows}`;
      const isColumns = columns === width ? `n - j >= ${columns}` : `n - j == ${columns}`;
      const call = kernelCall(spec, {
        depth: 'depth',
        a: isImages ? `a + i * ${aStride}` : 'a + i',
        aStride: String(aStride),
        b: 'b + j',
        bStride: String(bStride),
        c: `c + i * ${cRow} + j`,
        cRow: String(cRow),
        cColumn: '1',
        columns: '0',
        add: 'add',
      });
      out.line(`if (${isRows} && ${isColumns}) ${call}`);
    }
  }
  out.close();
  out.close();
  out.close();
  out.close();
}

const scratch = (e: Emission): void => {
  const { memory } = e.plan;
  e.out.line(`float *const strip = (float *)call->rt->scratch(call->rt, worker, ${memory.scratchBytes});`);
  e.out.line(`float *const of_x = strip + ${memory.strip}, *const of_y = of_x + ${memory.transformedX};`);
  e.out.line(`float *const of_w = of_y + ${memory.transformedY}, *const sums = of_w + ${memory.transformedW};`);
};

function emitImages(e: Emission): void {
  const { plan, out, slots } = e;
  const { problem: p, lanes, across, down, inputBlock, outputBlock, rows, weightStride, weightStep } = plan;
  const chunkTiles = rows * across;
  transform(e, {
    name: '@_tile_w',
    matrix: plan.transforms.w,
    from: { row: String(tileTaps * lanes), column: String(lanes) },
    to: { row: `${tileSize} * to_step`, column: 'to_step' },
  });
  out.line('// to[element][input][output].');
  out.open(
    'static void @_transform_w(const float *w, int64_t depth, int64_t output, int64_t features, float *restrict to)',
  );
  out.line(`float tile[${taps * lanes}] __attribute__((aligned(64))) = {0};`);
  out.open(`for (int64_t first = 0; first < features; first += ${lanes})`);
  out.line(`const int64_t count = features - first < ${lanes} ? features - first : ${lanes};`);
  out.line(`const float *const from = w + (output + first) * ${p.w.output};`);
  out.open('for (int64_t i = 0; i < depth; i++)');
  out.open('for (int64_t f = 0; f < count; f++)');
  for (let row = 0; row < tileTaps; row++) {
    for (let column = 0; column < tileTaps; column++) {
      const at = row * p.w.row + column * p.w.column;
      const value = `from[i * ${p.w.input} + f * ${p.w.output} + ${at}]`;
      out.line(`tile[${(row * tileTaps + column) * lanes} + f] = ${value};`);
    }
  }
  out.close();
  out.line(`@_tile_w(tile, 0, to + i * ${weightStride} + first, ${weightStep});`);
  out.close();
  out.close();
  out.close();
  const weights = `(const float *)p[${slots.w}] + ${p.w.base}`;
  if (plan.weights === 'once') {
    out.open('static void @_weights(void *arg, int64_t task, int worker)');
    out.line('char *const *const p = ((const t_call *)arg)->p;');
    out.line(`const int64_t output = task * ${lanes};`);
    out.line(`const int64_t count = ${p.outputs} - output < ${lanes} ? ${p.outputs} - output : ${lanes};`);
    out.line(`@_transform_w(${weights}, ${p.inputs}, output, count, (float *)p[${slots.workspace}] + output);`);
    out.close();
  }

  transform(e, {
    name: '@_tile_y',
    matrix: plan.transforms.y,
    from: { row: `${tileSize} * from_step`, column: 'from_step' },
    to: { row: String(p.y.width * lanes), column: String(lanes) },
  });
  print(
    e,
    emitScatter('@_scatter', p.y, lanes, (name, text) => share(e, name, text)),
  );
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  scratch(e);
  out.line(
    `const int64_t output = task % ${plan.outputBlocks} * ${outputBlock}, first = task / ${plan.outputBlocks} * ${rows};`,
  );
  out.line(`const int64_t rows = ${p.images * down} - first < ${rows} ? ${p.images * down} - first : ${rows};`);
  out.line(`const int64_t features = ${p.outputs} - output < ${outputBlock} ? ${p.outputs} - output : ${outputBlock};`);
  out.line(`const int64_t columns = (features + ${lanes - 1}) / ${lanes} * ${lanes};`);
  out.open(`for (int64_t input = 0; input < ${p.inputs}; input += ${inputBlock})`);
  out.line(`const int64_t depth = ${p.inputs} - input < ${inputBlock} ? ${p.inputs} - input : ${inputBlock};`);
  out.line(`@_transform_x((const float *)p[${slots.x}], first, rows, input, strip, of_x);`);
  if (plan.weights === 'inTask')
    out.line(`@_transform_w(${weights} + input * ${p.w.input}, depth, output, features, of_w);`);
  const ofW =
    plan.weights === 'inTask' ? 'of_w' : `(const float *)p[${slots.workspace}] + input * ${weightStride} + output`;
  out.line(`@_multiply(rows * ${across}, columns, depth, of_x, ${ofW}, sums, input > 0);`);
  out.close();
  out.open('for (int64_t row = 0; row < rows; row++)');
  out.line(`const int64_t image = (first + row) / ${down}, h = (first + row) % ${down} * ${tileResults};`);
  out.line(`const int64_t height = ${p.y.height} - h < ${tileResults} ? ${p.y.height} - h : ${tileResults};`);
  out.open(`for (int64_t f = 0; f < features; f += ${lanes})`);
  out.line('// The first tile of the next row overwrites the excess of the last tile of a row.');
  out.line(
    `for (int64_t i = ${across - 1}; i >= 0; i--) @_tile_y(sums + (row * ${across} + i) * ${outputBlock} + f, ${chunkTiles * outputBlock}, strip + i * ${tileResults * lanes}, 0);`,
  );
  out.line(
    `@_scatter(strip, features - f < ${lanes} ? features - f : ${lanes}, height * ${p.y.width}, (float *)p[${slots.y}] + image * ${p.y.imageStride} + (output + f) * ${p.y.featureStride} + h * ${p.y.width});`,
  );
  out.close();
  out.close();
  out.close();

  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (plan.weights === 'once') out.line(`rt->parallel(rt, @_weights, &call, ${Math.ceil(p.outputs / lanes)});`);
  out.line(`rt->parallel(rt, @_task, &call, ${plan.tasks});`);
  out.close();
}

function emitWeights(e: Emission): void {
  const { plan, out, slots } = e;
  const { problem: p, lanes, across, down, inputBlock, outputBlock, rows, slices, chunks, inputBlocks } = plan;
  emitTiles(e, {
    name: 'y',
    matrix: transposed(plan.transforms.y),
    images: p.y,
    rows: tileResults,
    low: [0, 0],
    features: p.outputs,
    block: outputBlock,
    slot: slots.y,
    count: slots.yCount,
  });
  transform(e, {
    name: '@_tile_w',
    matrix: transposed(plan.transforms.w),
    from: { row: `${tileSize} * from_step`, column: 'from_step' },
    to: { row: String(tileTaps * lanes), column: String(lanes) },
  });
  out.open('static void @_store(const float *tile, int64_t count, float *w)');
  out.open('for (int64_t f = 0; f < count; f++)');
  for (let row = 0; row < tileTaps; row++) {
    for (let column = 0; column < tileTaps; column++) {
      const at = row * p.w.row + column * p.w.column;
      out.line(`w[f * ${p.w.input} + ${at}] = tile[${(row * tileTaps + column) * lanes} + f];`);
    }
  }
  out.close();
  out.close();
  const blockSums = taps * outputBlock * inputBlock;
  const part = (): void => {
    out.line(
      `const int64_t input = block % ${inputBlocks} * ${inputBlock}, output = block / ${inputBlocks} * ${outputBlock};`,
    );
    out.line(`const int64_t inputs = ${p.inputs} - input < ${inputBlock} ? ${p.inputs} - input : ${inputBlock};`);
    out.line(
      `const int64_t outputs = ${p.outputs} - output < ${outputBlock} ? ${p.outputs} - output : ${outputBlock};`,
    );
    out.line(`float *const w = (float *)p[${slots.w}] + ${p.w.base} + output * ${p.w.output} + input * ${p.w.input};`);
  };
  const store = 'inputs - f < LANES ? inputs - f : LANES'.replaceAll('LANES', String(lanes));
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  scratch(e);
  out.line(`const int64_t block = task / ${slices}, slice = task % ${slices};`);
  part();
  out.line(`const int64_t begin = slice * ${chunks} / ${slices}, end = (slice + 1) * ${chunks} / ${slices};`);
  out.open('for (int64_t chunk = begin; chunk < end; chunk++)');
  out.line(`const int64_t first = chunk * ${rows};`);
  out.line(`const int64_t rows = ${p.images * down} - first < ${rows} ? ${p.images * down} - first : ${rows};`);
  out.line(`@_transform_x((const float *)p[${slots.x}], first, rows, input, strip, of_x);`);
  out.line(`@_transform_y((const float *)p[${slots.y}], first, rows, output, strip, of_y);`);
  out.line(
    `@_multiply((outputs + ${lanes - 1}) / ${lanes} * ${lanes}, (inputs + ${lanes - 1}) / ${lanes} * ${lanes}, rows * ${across}, of_y, of_x, sums, chunk > begin);`,
  );
  out.close();
  if (slices > 1) out.line(`float *const partial = (float *)p[${slots.workspace}] + task * ${blockSums};`);
  out.open('for (int64_t o = 0; o < outputs; o++)');
  out.open(`for (int64_t f = 0; f < inputs; f += ${lanes})`);
  const tile = (to: string): string => `@_tile_w(sums + o * ${inputBlock} + f, ${outputBlock * inputBlock}, ${to}, 0);`;
  if (slices > 1) out.line(tile(`partial + (o * ${inputBlock} + f) * ${taps}`));
  else {
    out.line(`float tile[${taps * lanes}] __attribute__((aligned(64)));`);
    out.line(tile('tile'));
    out.line(`@_store(tile, ${store}, w + o * ${p.w.output} + f * ${p.w.input});`);
  }
  out.close();
  out.close();
  out.close();
  if (slices > 1) {
    out.open('static void @_combine(void *arg, int64_t block, int worker)');
    out.line('char *const *const p = ((const t_call *)arg)->p;');
    part();
    out.line(`float *const partial = (float *)p[${slots.workspace}] + block * ${slices * blockSums};`);
    out.open('for (int64_t o = 0; o < outputs; o++)');
    out.open(`for (int64_t f = 0; f < inputs; f += ${lanes})`);
    out.line(`float *restrict const sum = partial + (o * ${inputBlock} + f) * ${taps};`);
    out.open(`for (int64_t s = 1; s < ${slices}; s++)`);
    out.line('#pragma omp simd');
    out.line(`for (int64_t i = 0; i < ${taps * lanes}; i++) sum[i] += sum[i + s * ${blockSums}];`);
    out.close();
    out.line(`@_store(sum, ${store}, w + o * ${p.w.output} + f * ${p.w.input});`);
    out.close();
    out.close();
    out.close();
  }
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  out.line(`rt->parallel(rt, @_task, &call, ${plan.tasks});`);
  if (slices > 1) out.line(`rt->parallel(rt, @_combine, &call, ${plan.tasks / slices});`);
  out.close();
}
