// Mistakes that beginners make in their first scripts: each gets a message that states the problem and the line of the script.
// Wrong arguments of single calls are in `wrong-arguments.native.test.ts`.
import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import * as trenio from '../index.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice } from '../tensor/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: these calls must be untyped
const { nn, tensor, eye, ones, SGD, ...t } = trenio as any;
beforeAll(() => setDefaultDevice(new Device(new InterpreterBackend(), { seed: 3, log: () => {} })));

let stderr: MockInstance<typeof process.stderr.write>;
beforeEach(() => {
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => stderr.mockRestore());
const warnings = (): string => stderr.mock.calls.map(([text]) => String(text)).join('');
const thisFile = /\n {2}at .*beginners-mistakes\.test\.ts:\d+:\d+/;

async function answer(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return `${error}`;
  }
  return 'no error';
}

test.each<[string, () => unknown]>([
  ['data[1] has 1 entry, where data[0] has 2', () => tensor([[1, 2], [3]])],
  [
    'data[1][1] has 3 entries, where data[0][0] has 2',
    () =>
      tensor([
        [
          [1, 2],
          [3, 4],
        ],
        [
          [3, 1],
          [1, 2, 3],
        ],
      ]),
  ],
  ['data[1] is the number 3, where data[0] is an array', () => tensor([[1, 2], 3])],
  ['data[1] is an array, where data[0] is a number', () => tensor([1, [2, 3]])],
  ['data[1] is the text "a"', () => tensor([1, 'a'])],
  ['data[0][1] is undefined', () => tensor([[1, undefined]])],
  ['data[1] is null', () => tensor([1, null])],
  ['data[1] is a Tensor: join tensors with stack()', () => tensor([1, ones([2])])],
  ['the data is undefined', () => tensor(undefined)],
  ['the data is undefined', () => tensor()],
  ['the data is an object', () => tensor({ a: 1 })],
  ['the data is the text "1"', () => tensor('1')],
  ['eye: m is the text "4", expected an integer', () => eye(3, '4')],
  ["eye: unknown argument 'dtpye'\n  fix: did you mean dtype?", () => eye(3, { dtpye: 'i32' })],
  ['backward needs a tensor with one element, got shape [3, 2]', () => new nn.Linear(2, 2)(ones([3, 2])).backward()],
  ['SGD: lr is the text "0.1"', () => new SGD(new nn.Linear(1, 1).parameters(), { lr: '0.1' })],
  ['SGD: lr is NaN', () => new SGD(new nn.Linear(1, 1).parameters(), { lr: Number.NaN })],
  ['SGD: lr is -1', () => new SGD(new nn.Linear(1, 1).parameters(), { lr: -1 })],
  ['cannot read none/a.csv: there is no such file', () => t.loadReviews('none/a.csv')],
  ['cannot read none/a.csv: there is no such file', () => Array.fromAsync(t.readCsv('none/a.csv', { columns: {} }))],
  ['cannot read none/a.jsonl: there is no such file', () => Array.fromAsync(t.readJsonLines('none/a.jsonl'))],
  ['config.json: there is no such file', () => t.GPT2LMHeadModel.fromPretrained('none')],
  ['config.json: there is no such file', () => t.BertForSequenceClassification.fromPretrained('none')],
])('%s', async (text, call) => {
  const told = await answer(call);
  expect(told.replace(thisFile, '')).toContain(text);
  expect(told).toMatch(thisFile);
});

test('eye accepts its options as the second argument', () => {
  expect(eye(2, { dtype: 'i32' }).dtype).toBe('int32');
});

test('numbers mixed with booleans stay numbers', () => {
  expect(tensor([1, true]).tolist()).toEqual([1, 1]);
  expect(tensor([true, 2.5]).tolist()).toEqual([1, 2.5]);
  expect(tensor([false, 2n]).dtype).toBe('int64');
  expect(tensor([2n, 2.5]).tolist()).toEqual([2, 2.5]);
  expect(tensor([true, false]).dtype).toBe('bool');
});

test('a forward that returns nothing is reported, once for each class', () => {
  class Forgetful extends nn.Module {
    layer = new nn.Linear(2, 1);
    forward(x: unknown) {
      this.layer(x);
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const model: any = new Forgetful();
  expect(model(ones([3, 2]))).toBeUndefined();
  expect(warnings()).toMatch(/Forgetful\.forward returned nothing.*return/);
  expect(warnings()).toMatch(thisFile);
  stderr.mockClear();
  model(ones([3, 2]));
  expect(warnings()).toBe('');
});

test('a first step in which no parameter has a gradient is reported once', () => {
  const trained = new nn.Linear(2, 1);
  const other = new nn.Linear(2, 1);
  const optimizer = new SGD(other.parameters(), { lr: 0.1 });
  trained(ones([3, 2]))
    .sum()
    .backward();
  optimizer.step();
  expect(warnings()).toMatch(/SGD\.step: none of the optimizer's 2 parameters has a gradient/);
  expect(warnings()).toMatch(thisFile);
  stderr.mockClear();
  optimizer.step();
  expect(warnings()).toBe('');
});

test('no warning if some parameters have a gradient, or had one in an earlier step', () => {
  const trained = new nn.Linear(2, 1);
  const frozen = new nn.Linear(2, 1);
  const optimizer = new SGD([...trained.parameters(), ...frozen.parameters()], { lr: 0.1 });
  trained(ones([3, 2]))
    .sum()
    .backward();
  optimizer.step();
  optimizer.zeroGrad();
  optimizer.step();
  expect(warnings()).toBe('');
});
