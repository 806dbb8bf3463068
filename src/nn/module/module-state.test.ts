// Listings of modules, hooks on their state, extra state, replaced submodules, and members of PyTorch's modules that are missing
// here.
import { beforeAll, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import * as nn from '../index.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

class Net extends nn.Module {
  fc = new nn.Linear(2, 2, { bias: false });
  tied = this.fc;
  override forward(x: Tensor): Tensor {
    return this.tied(this.fc(x));
  }
}
const names = (entries: Iterable<readonly [string, unknown]>): string[] => Array.from(entries, ([name]) => name);

test('lists with prefix, recurse and removeDuplicate', () => {
  const net = new Net();
  expect(names(net.namedModules({ prefix: 'net' }))).toEqual(['net', 'net.fc']);
  expect(names(net.namedModules('', { removeDuplicate: false }))).toEqual(['', 'fc', 'tied']);
  expect(names(net.namedParameters({ removeDuplicate: false }))).toEqual(['fc.weight', 'tied.weight']);
  expect(names(net.namedParameters('m', true))).toEqual(['m.fc.weight']);
  expect(names(net.namedBuffers({ recurse: false }))).toEqual([]);
  expect(() => net.namedModules({ removeDuplicates: true } as never)).toThrow('did you mean removeDuplicate');
});

test('the state has shared tensors under all of their names; loading needs one of them', () => {
  const net = new Net();
  const state = net.stateDict();
  expect([...state.keys()]).toEqual(['fc.weight', 'tied.weight']);
  expect([...net.stateTensors().keys()]).toEqual(['fc.weight']);
  const one = tensor([
    [1, 1],
    [1, 1],
  ]).literal();
  net.loadStateDict(new Map([...state, ['tied.weight', one]]));
  expect(net.fc.weight.toArray()).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(net.loadStateDict(new Map([['fc.weight', one]]))).toEqual({ missing: [], unexpected: [] });
  expect(() => net.loadStateDict(new Map())).toThrow('fc.weight, tied.weight');
});

test('a module that contains itself is listed once', () => {
  const loop = new nn.Sequential(new nn.Linear(1, 1, { bias: false }));
  loop.append(loop);
  expect([...loop.stateDict().keys()]).toEqual(['0.weight']);
});

test('setSubmodule replaces parts, also in containers', () => {
  const net = new nn.Sequential(new nn.Linear(2, 2), new nn.Sequential({ act: new nn.ReLU() }));
  net.setSubmodule('1.act', new nn.Tanh());
  net.setSubmodule('0', new nn.Identity());
  expect(String(net)).toBe(`Sequential(
  (0): Identity()
  (1): Sequential(
    (act): Tanh()
  )
)`);
  const tree = new Net();
  tree.setSubmodule('fc', new nn.Identity());
  expect(tree.fc).toBeInstanceOf(nn.Identity);
  expect(() => tree.setSubmodule('fx', new nn.Identity(), true)).toThrow("no module 'fx'");
  expect(() => tree.setSubmodule('fc', 3 as never)).toThrow('expected a module');
});

describe('state', () => {
  test('hooks change the saved and the loaded state', () => {
    const net = new nn.Sequential(new nn.Linear(1, 1));
    const seen: string[] = [];
    const [fc] = [...net] as [nn.Linear];
    net.registerStateDictPreHook((_, prefix) => seen.push(`pre '${prefix}'`));
    fc.registerStateDictPreHook((_, prefix) => seen.push(`pre '${prefix}'`));
    const post = fc.registerStateDictPostHook((_, state, prefix) => {
      state.set(`${prefix}kernel`, state.get(`${prefix}weight`)!);
      state.delete(`${prefix}weight`);
    });
    const state = net.stateDict();
    expect([[...state.keys()], seen]).toEqual([
      ['0.bias', '0.kernel'],
      ["pre ''", "pre '0.'"],
    ]);
    expect(() => net.loadStateDict(state)).toThrow('missing 0.weight; unexpected 0.kernel');
    const load = fc.registerLoadStateDictPreHook((_, given, prefix, { strict }) => {
      expect(strict).toBe(true);
      given.set(`${prefix}weight`, given.get(`${prefix}kernel`)!);
      given.delete(`${prefix}kernel`);
    });
    expect(net.loadStateDict(state)).toEqual({ missing: [], unexpected: [] });
    expect([...state.keys()]).toEqual(['0.bias', '0.kernel']);
    post.remove();
    load.remove();
    net.registerLoadStateDictPostHook((_, { missingKeys, unexpectedKeys }) => {
      missingKeys.length = 0;
      unexpectedKeys.length = 0;
    });
    net.loadStateDict(state);
    expect([...net.stateDict().keys()]).toEqual(['0.weight', '0.bias']);
  });
  test('extra state is saved and loaded', () => {
    class Counter extends nn.Module {
      count = 3;
      override forward(): number {
        return this.count;
      }
      override getExtraState(): Tensor {
        return tensor(this.count);
      }
      override setExtraState(state: Tensor): void {
        this.count = state.item();
      }
    }
    const state = new nn.ModuleDict({ a: new Counter() }).stateDict();
    expect([...state.keys()]).toEqual(['a._extra_state']);
    const other = new nn.ModuleDict({ a: new Counter() });
    other.get('a').count = 0;
    other.loadStateDict(state);
    expect(other.get('a').count).toBe(3);
    expect(() => other.loadStateDict(new Map())).toThrow('missing a._extra_state');
  });
  test('assign adopts the data types', () => {
    const [wide, plain] = [new nn.Linear(1, 1).to('f64'), new nn.Linear(1, 1)];
    plain.loadStateDict(wide.stateDict());
    expect(plain.weight.dtype).toBe('float32');
    plain.loadStateDict(wide.stateDict(), { assign: true });
    expect(plain.weight.dtype).toBe('float64');
    expect(() => plain.loadStateDict(new Map(), { strikt: false } as never)).toThrow('did you mean strict');
  });
});

test('missing members throw an error that names the replacement', () => {
  const net = new nn.Identity() as unknown as Record<string, unknown>;
  expect(() => net.cuda).toThrow('Module.cuda does not exist');
  expect(() => net.registerBackwardHook).toThrow('use registerFullBackwardHook');
  expect(() => net.compile).toThrow('around the training step');
  net.type = 'mine';
  expect(net.type).toBe('mine');
});

test('a hook with alwaysCall runs after errors, too', () => {
  class Broken extends nn.Module {
    override forward(): Tensor {
      throw new Error('broken');
    }
  }
  const net = new Broken();
  const seen: unknown[] = [];
  net.registerForwardHook(() => seen.push('plain'));
  const handle = net.registerForwardHook((_, __, output) => seen.push(output), { alwaysCall: true });
  expect(() => net()).toThrow('broken');
  expect(seen).toEqual([undefined]);
  handle.remove();
  expect(() => net()).toThrow('broken');
  expect(seen).toHaveLength(1);
  expect(() => net.registerForwardHook(() => {}, { withKwargs: true } as never)).toThrow('withKwargs');
});

test('dictionaries have PyTorch’s methods', () => {
  const modules = new nn.ModuleDict({ a: new nn.ReLU(), b: new nn.Tanh() });
  expect(String(modules.pop('a'))).toBe('ReLU()');
  expect(names(modules.items())).toEqual(['b']);
  expect(() => modules.pop('a')).toThrow("no entry 'a'");
  const gains = nn.ParameterDict.fromkeys(['x', 'y'], tensor([1]));
  expect(gains.get('x')).not.toBe(gains.get('y'));
  expect(gains.copy().get('x')).toBe(gains.get('x'));
  expect(gains.setdefault('z', tensor([2])).toArray()).toEqual([2]);
  expect([gains.popitem()[0], gains.size]).toEqual(['z', 2]);
});

test('packed sequences can be unpacked', () => {
  const { rnn } = nn.utils;
  const parts = [tensor([1, 2]), tensor([3, 4, 5]), tensor([6])];
  const packed = rnn.packSequence(parts, false);
  expect(rnn.unpackSequence(packed).map(x => x.toArray())).toEqual([[1, 2], [3, 4, 5], [6]]);
});
