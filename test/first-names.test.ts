// The names that PyTorch users type first: iteration, operators, state dicts, calls within modules.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, expectTypeOf, test } from 'vitest';
import * as trenio from '../src/index.ts';
import { InterpreterBackend } from '../src/runtime/backends/interpreter/interpreter-backend.ts';

const { AdamW, autograd, compile, cuda, DataLoader, nn, ones, setDefaultDevice, Tensor, TensorDataset, tensor } =
  trenio;
setDefaultDevice(new trenio.Device(new InterpreterBackend(), { seed: 3, log: () => {} }));
const folder = mkdtempSync(join(tmpdir(), 'first-names-'));
afterAll(() => rmSync(folder, { recursive: true }));
const matrix = () =>
  tensor([
    [1, 2],
    [3, 4],
  ]);

test('a tensor is iterated by rows, made by its class, and printed in a text', () => {
  expect([...matrix()].map(row => row.toArray())).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(() => [...tensor(1)]).toThrow('not iterable');
  expect([new Tensor([1, 2]).dtype, `${tensor(2)}`, JSON.stringify(matrix())]).toEqual([
    'float32',
    '2',
    '[[1,2],[3,4]]',
  ]);
});
test.each<[string, (x: never) => unknown]>([
  ['x * 2', x => x * 2],
  ['x + 1', x => x + 1],
  ['-x', x => -x],
  ['x > 0', x => x > 0],
  ['Number(x)', x => Number(x)],
])('%s throws', (_, use) => {
  expect(() => use(matrix() as never)).toThrow('use methods: x.add(1), x.mul(y)');
  expect(() => use(tensor(1) as never)).toThrow(expect.objectContaining({ code: 'TENSOR_OPERATOR' }));
});
test('there is no GPU', () => {
  expect([cuda.isAvailable(), cuda.deviceCount()]).toEqual([false, 0]);
});
test('a tensor of a tensor takes the options', () => {
  expect(tensor(matrix(), { dtype: 'float64' }).dtype).toBe('float64');
});
test('entries of dictionaries are members; DistributedDataParallel wraps a module', () => {
  const heads = new nn.ModuleDict({ a: new nn.Linear(2, 3) });
  expect(heads.a(matrix()).shape).toEqual([2, 3]);
  heads.delete('a');
  expect('a' in heads).toBe(false);
  const wrapped = new nn.parallel.DistributedDataParallel(new nn.Linear(2, 3), { deviceIds: [0] });
  expect([wrapped(matrix()).shape, [...wrapped.stateDict().keys()]]).toEqual([
    [2, 3],
    ['module.weight', 'module.bias'],
  ]);
});
test('the tensors of a state dict are those of the module', async () => {
  const model = new nn.Linear(2, 2);
  const state = model.stateDict();
  const optimizer = new AdamW(model.parameters(), 0.1);
  const step = compile((x: trenio.Tensor) => {
    optimizer.zeroGrad();
    model(x).square().sum().backward();
    optimizer.step();
  });
  for (let i = 0; i < 3; i++) {
    step(matrix());
    expect(state.get('weight')!.toArray()).toEqual(model.weight.toArray());
    expect(state.get('weight')!.add(0).toArray()).toEqual(model.weight.toArray());
  }
  const average = new nn.Linear(2, 2);
  average.loadStateDict({ weight: ones(2, 2), bias: ones(2) });
  for (const [name, value] of average.stateDict()) value.mul_(0.5).add_(ones(value.shape).mul(name === 'bias' ? 1 : 2));
  expect([average.weight.toArray(), average.bias!.toArray()]).toEqual([
    [
      [2.5, 2.5],
      [2.5, 2.5],
    ],
    [1.5, 1.5],
  ]);
  const file = join(folder, 'model.pt');
  await trenio.saveTorchFile(file, { model: average.stateDict(), epoch: 3, half: ones(2).bfloat16() });
  const saved = (await trenio.loadTorchFile(file)) as unknown as ReadonlyMap<string, never>;
  model.loadStateDict(saved.get('model')!);
  expect(model.weight.toArray()).toEqual(average.weight.toArray());
  await trenio.writeSafetensors(join(folder, 'a.safetensors'), { a: ones(2).bfloat16() }, { format: 'pt' });
});
test('a loop over a DataLoader gets tensors', async () => {
  for await (const [x, y] of new DataLoader(new TensorDataset(matrix(), tensor([0, 1])), 2)) {
    expectTypeOf(x).toEqualTypeOf<trenio.Tensor>();
    expect([x.add(1).toArray(), y.shape]).toEqual([
      [
        [2, 3],
        [4, 5],
      ],
      [2],
    ]);
  }
});
test('calls keep the overloads of forward, and work on this', () => {
  class Net extends nn.Module {
    lstm = new nn.LSTM(2, 3);
    override forward(x: trenio.Tensor) {
      return x.mul(2);
    }
    twice(x: trenio.Tensor) {
      return this(this(x)).sum();
    }
  }
  const net = new Net();
  expect(net.twice(matrix()).item()).toBe(40);
  const packed = nn.utils.rnn.packSequence([matrix()]);
  expectTypeOf(net.lstm(packed)[0]).toEqualTypeOf<InstanceType<typeof nn.utils.rnn.PackedSequence>>();
  class Twice extends autograd.Function {
    static override forward(_ctx: trenio.autograd.FunctionContext, x: trenio.Tensor) {
      return x.mul(2);
    }
    static override backward(_ctx: trenio.autograd.FunctionContext, g: trenio.Tensor) {
      return g.mul(2);
    }
  }
  expect(Twice.apply(matrix()).sum().item()).toBe(20);
});
test('errors name the layer and the line in forward that called it', () => {
  class Up extends nn.Module {
    parts = new nn.Sequential(new nn.Linear(2, 3), new nn.Linear(4, 2));
    override forward(x: trenio.Tensor) {
      return this.parts(x);
    }
  }
  class Net extends nn.Module {
    u1 = new nn.Identity();
    u2 = new Up();
    override forward(x: trenio.Tensor) {
      return this.u2(this.u1(x));
    }
  }
  expect(() => new Net()(matrix())).toThrow(/first-names\.test\.ts:\d+:\d+ in u2\.parts\.1/);
});
