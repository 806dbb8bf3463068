// When recorded ops run, which values are live-outs of a step, and which programs are reused: one test per rule.
import { beforeEach, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import type { HostBuffer } from '../runtime/execution/buffer.ts';
import { compile, Device, noGrad, type Tensor, tensor } from './index.ts';

let dev: Device;
let messages: string[];
beforeEach(() => {
  messages = [];
  dev = new Device(new InterpreterBackend(), {
    seed: 0,
    log: (_, message) => messages.push(message),
  });
});
const on = (data: Parameters<typeof tensor>[0]): Tensor => tensor(data, { device: dev });
const parameter = (data: Parameters<typeof tensor>[0]): Tensor => on(data).requiresGrad_();
const errorOf = (body: () => unknown): string => {
  try {
    body();
  } catch (error) {
    return (error as Error).message.replace(/\/\S*\//g, '').replace(/(test\.ts):\d+(:\d+)?/g, '$1');
  }
  return 'no error';
};

describe('reading', () => {
  test('nothing runs before something is read', () => {
    const x = on([1, 2]).add(1).mul(3);
    expect(dev.metrics.executions).toBe(0);
    expect(x.toArray()).toEqual([6, 9]);
    expect(dev.metrics.executions).toBe(1);
  });
  test('runs only the ops that the value needs', () => {
    const x = on([1, 2]);
    const wanted = x.add(1);
    x.mul(3).exp();
    wanted.toArray();
    expect(dev.history[0]?.ops).toBe(3);
  });
  test('the same value twice runs its program once', () => {
    const x = on([1, 2]).add(1);
    x.toArray();
    x.toArray();
    expect(dev.metrics.executions).toBe(1);
  });
  test('lets the trace continue: gradients flow through values that were read', () => {
    const w = parameter([3]);
    const y = w.mul(w);
    expect(y.toArray()).toEqual([9]);
    y.sum().backward();
    expect(w.grad?.toArray()).toEqual([6]);
  });
  test('a chain that is read at each op runs one op per read', () => {
    let x = on([1]);
    for (let i = 0; i < 5; i++) {
      x = x.mul(2);
      x.toArray();
    }
    expect(x.item()).toBe(32);
    expect(dev.metrics).toMatchObject({ compiles: 1, executions: 5 });
  });
  test('a loop that only reads compiles once, whatever else was recorded before', () => {
    const w = parameter([2]);
    for (let i = 0; i < 4; i++) noGrad(() => on([i]).mul(w).add(w).item());
    expect(dev.metrics.compiles).toBe(1);
  });
});

describe('a marked step keeps', () => {
  test('values that no other call has used', () => {
    const middle = on([1]).add(1);
    const last = middle.mul(2);
    dev.markStep();
    expect(last.toArray()).toEqual([4]);
    expect(middle.toArray()).toEqual([2]); // computed again
    expect(dev.metrics.executions).toBe(2);
  });
  test('values that keep() was called on, and values that were read', () => {
    const kept = on([1]).add(1).keep();
    const read = on([1]).add(2);
    read.toArray();
    kept.mul(2);
    read.mul(2);
    dev.markStep();
    expect(kept.add(read).toArray()).toEqual([5]);
  });
  test('losses, even when something else uses them', () => {
    const w = parameter([3]);
    const loss = w.mul(2).sum();
    loss.backward();
    loss.add(1);
    dev.markStep();
    expect(loss.item()).toBe(6);
    expect(errorOf(() => loss.backward())).toContain('its step is over');
  });
  test('assigned state, in its old memory', () => {
    const state = on([1, 2]);
    const before = (state.buffer as HostBuffer).block;
    state.add_(1);
    dev.markStep();
    expect(state.toArray()).toEqual([2, 3]);
    expect((state.buffer as HostBuffer).block).toBe(before);
  });
  test('gradients, which the next step adds to', () => {
    const w = parameter([3]);
    for (let i = 0; i < 3; i++) {
      w.mul(on([i + 1]))
        .sum()
        .backward();
      dev.markStep();
    }
    expect(w.grad?.toArray()).toEqual([6]);
    w.zeroGrad();
    expect(w.grad).toBeUndefined();
  });
  test('state in its old memory, unless another tensor uses that memory', () => {
    const state = on([1]);
    const [same, copy] = [state.detach(), state.detach().clone()];
    state.add_(1);
    dev.markStep();
    expect([state.item(), same.item(), copy.item()]).toEqual([2, 2, 1]);
  });
});

describe('gradients', () => {
  test('stop at detach, and under noGrad', () => {
    const w = parameter([3]);
    w.mul(w.detach()).sum().backward();
    expect(w.grad?.toArray()).toEqual([3]);
    w.zeroGrad();
    const frozen = noGrad(() => w.mul(2));
    expect(frozen.requiresGrad).toBe(false);
    w.mul(frozen).sum().backward();
    expect(w.grad?.toArray()).toEqual([6]);
  });
  test('stop at state that was assigned: it is a leaf with a new value', () => {
    const w = parameter([3]);
    noGrad(() => w.mul_(2));
    w.mul(w).sum().backward();
    expect(w.grad?.toArray()).toEqual([12]);
  });
  test('of a tensor that is not a scalar need a cotangent', () => {
    const w = parameter([1, 2]);
    w.mul(w).backward(on([1, 10]));
    expect(w.grad?.toArray()).toEqual([2, 40]);
  });
  test('of two losses in one step add up', () => {
    const w = parameter([1]);
    w.mul(2).sum().backward();
    w.mul(3).sum().backward();
    dev.markStep();
    expect(w.grad?.toArray()).toEqual([5]);
  });
});

describe('compiling', () => {
  const plain = (m: string): string => m.replace(/\(\d.*?\)/, '(size)').replaceAll(/:\d+/g, '');
  const step = (w: Tensor, x: Tensor): Tensor => {
    const loss = w.mul(x).sum();
    loss.backward();
    noGrad(() => w.sub_(w.grad!.mul(0.5)));
    w.zeroGrad();
    dev.markStep();
    return loss;
  };
  test('happens once for equal steps', () => {
    const w = parameter([1, 2]);
    const losses = [1, 2, 3].map(i => step(w, on([i, i])).item());
    expect(losses).toEqual([3, 4, 0]);
    expect(dev.metrics).toMatchObject({ compiles: 1, cacheHits: 2, stepsMarked: 3, collectiveMs: 0 });
  });
  test('a recompile names the input whose shape changed', () => {
    const w = parameter([1]);
    for (const x of [on([1, 2, 3]), on([1, 2])]) {
      x.label = 'input 0 of Net.forward';
      step(w, x);
    }
    expect(messages.slice(1).map(plain)).toEqual([
      'recompiling the step at laziness.test.ts (size): input 0 of Net.forward at laziness.test.ts was [3] f32, is [2] f32; if it changes again, a program for all sizes is compiled',
    ]);
  });
  test('a recompile names the number that changed', () => {
    for (const factor of [2, 3]) {
      on([1]).mul(factor);
      dev.markStep();
    }
    expect(plain(messages[1]!)).toBe(
      'recompiling the step at laziness.test.ts (size): the number 3 at laziness.test.ts was the number 2 at laziness.test.ts; it is an input of the program from now on',
    );
  });
});

test('a program that grows is named with its line and the fix, once', () => {
  let state = on([1]);
  for (let i = 0; i < 8; i++) {
    state = state.mul(2);
    state.add(1).toArray(); // reads a value that is not carried over
  }
  const warnings = messages.filter(m => m.includes('grows'));
  expect(warnings.map(m => m.replaceAll(/:\d+/g, ''))).toMatchInlineSnapshot(`
    [
      "the read at laziness.test.ts grows: 6, 9, 12, 15 ops. A value is carried over from step to step without being evaluated, last at laziness.test.ts; read it there, or call markStep() once per iteration",
    ]
  `);
});

test('programs that grow only now and then, as sums of micro-batches in a tree do, are not named', () => {
  for (let i = 1; i <= 64; i++) {
    let sum = on([1]).add(1);
    for (let level = i; level % 2 === 0; level /= 2) sum = sum.add(1);
    dev.markStep();
  }
  expect(messages.filter(m => m.includes('grows'))).toEqual([]);
});

describe('compile(fn)', () => {
  test('traces once for each shape and replays', () => {
    const scale = on([2]);
    const double = compile((x: Tensor) => ({ y: x.mul(scale), x }));
    const a = on([1, 2]);
    const first = double(a);
    expect(first.y.toArray()).toEqual([2, 4]);
    expect(first.x).toBe(a);
    expect(double(on([3, 4])).y.toArray()).toEqual([6, 8]);
    expect(double.traces).toBe(1);
    scale.load(new Uint8Array(Float32Array.of(10).buffer));
    expect(double(on([1, 1])).y.toArray()).toEqual([10, 10]);
    expect(double(on([1, 1, 1])).y.toArray()).toEqual([10, 10, 10]);
    expect(double.traces).toBe(2);
  });
  test('traces once for each value of other arguments: bytes, signs of zero and big integers included', () => {
    const scaled = compile((x: Tensor, by: unknown) =>
      x.mul(ArrayBuffer.isView(by) ? (by as Int8Array)[0]! : Number(by)),
    );
    const bytes = Int8Array.of(2);
    const x = on([1]);
    expect([scaled(x, bytes), scaled(x, 0), scaled(x, -0), scaled(x, 3n), scaled(x, 3)].map(y => y.item())).toEqual([
      2, 0, -0, 3, 3,
    ]);
    bytes[0] = 5;
    expect(scaled(x, bytes).item()).toBe(5);
    expect(scaled.traces).toBe(6);
  });
  test('changes state at each call', () => {
    const w = parameter([1]);
    const step = compile((x: Tensor) => {
      const loss = w.mul(x).sum();
      loss.backward();
      noGrad(() => w.sub_(w.grad!));
      w.zeroGrad();
      return loss;
    });
    expect([1, 2, 3].map(i => step(on([i])).item())).toEqual([1, 0, -6]);
    expect(w.item()).toBe(-5);
    expect(step.traces).toBe(1);
    expect(w.grad).toBeUndefined();
  });
  test('adds to gradients at each call', () => {
    const w = parameter([1]);
    const accumulate = compile((x: Tensor) => w.mul(x).sum().backward());
    for (const i of [1, 2, 3]) accumulate(on([i]));
    // One program for each set of sums that a call may find; calls without existing sums share one program.
    expect([accumulate.traces, dev.metrics.compiles]).toEqual([3, 2]);
    expect(w.grad?.item()).toBe(6);
  });
  test('cannot be read from', () => {
    expect(errorOf(() => compile((x: Tensor) => x.add(1).item())(on([1])))).toContain('nothing has run yet');
  });
});

test('a failed step leaves state as it was', () => {
  const state = on([1]);
  state.add_(1);
  const { compile: works } = dev.backend;
  dev.backend.compile = () => {
    throw new Error('out of luck');
  };
  expect(() => dev.markStep()).toThrow('out of luck');
  dev.backend.compile = works;
  expect(state.item()).toBe(1);
});
