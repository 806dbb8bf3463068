// Callable modules: they are still objects of their class; hooks; detected mistakes.
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compile, device, noGrad, ones, setDefaultDevice, type Tensor, tensor, zeros } from '../../tensor/index.ts';
import { ReLU, Tanh } from '../generated/modules.ts';
import { ModuleDict, ModuleList, Sequential } from '../layers/containers.ts';
import { Identity, Linear } from '../layers/layers.ts';
import { Module } from './module.ts';
import { Parameter, StateBuffer } from './parameter.ts';
import { ParameterDict, ParameterList } from './parameter-containers.ts';

beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
});

class Scale extends Module {
  readonly #by: number;
  factor = new Parameter(tensor(2));
  override name = 'scale';
  override length = 3;
  constructor(by = 1) {
    super();
    this.#by = by;
  }
  get by(): number {
    return this.#by;
  }
  override forward(x: Tensor, options: { readonly times?: number } = {}): Tensor {
    return x.mul(this.factor).mul(this.#by * (options.times ?? 1));
  }
}
class Twice extends Scale {
  override forward(x: Tensor): Tensor {
    return super.forward(super.forward(x));
  }
}

describe('a module', () => {
  test('is called with the arguments of its forward', () => {
    const scale = new Scale(3);
    const y: Tensor = scale(ones([2]), { times: 2 });
    expect(y.toArray()).toEqual([12, 12]);
    expect(scale.forward(ones([2])).toArray()).toEqual([6, 6]);
    expect(new Twice(3)(ones([1])).toArray()).toEqual([36]);
    // @ts-expect-error: forward takes a tensor
    expect(() => scale(3)).toThrow();
  });
  test('is an object of its class: instanceof, private fields, fields called name and length', () => {
    const scale = new Twice(3);
    expect(scale instanceof Twice && scale instanceof Scale && scale instanceof Module).toBe(true);
    expect(scale.constructor).toBe(Twice);
    expect([scale.by, scale.name, scale.length]).toEqual([3, 'scale', 3]);
    expect(Object.keys(scale)).toEqual(['training', 'factor', 'name', 'length']);
    expect(Object.keys(new Tanh())).toEqual(['training']);
    expect(String(scale)).toBe('Twice()');
    expect(inspect({ scale })).toBe('{ scale: Twice() }');
    expect(JSON.stringify({ scale })).toBe('{"scale":"Twice()"}');
    expect(() => new Linear(8, scale as unknown as number)).toThrow('outFeatures is a Twice, expected an integer');
  });
  test('can be compiled, and passed as a function', () => {
    const scale = new Scale();
    const run = compile(scale);
    expect([run(ones([1])).item(), run(ones([1])).item(), run.traces]).toEqual([2, 2, 1]);
    expect([ones([1]), ones([1])].map(x => scale(x).item())).toEqual([2, 2]);
  });
  test('may have its forward in a field, or replaced', () => {
    class Arrow extends Module {
      factor = new Parameter(tensor(3));
      override forward = (x: Tensor): Tensor => x.mul(this.factor);
    }
    const arrow = new Arrow();
    const y = arrow(ones([1]));
    y.add(1);
    y.device.markStep();
    expect(y.item()).toBe(3);
    const relu = new ReLU();
    relu.forward = x => x.neg();
    expect(relu(ones([1])).item()).toBe(-1);
  });
});

describe('hooks', () => {
  test('receive and replace arguments and results, in order, until they are removed', () => {
    const net = new Sequential(new Identity(), new Identity());
    const seen: string[] = [];
    const first = net[0]!.registerForwardPreHook((module, [x]) => {
      seen.push(module.constructor.name);
      return (x as Tensor).add(1);
    });
    const second = net[1]!.registerForwardHook((_, args, output) => {
      seen.push(`${args.length}`);
      return (output as Tensor).mul(10);
    });
    net[1]!.registerForwardHook((_, __, output) => void seen.push(String((output as Tensor).shape)), { prepend: true });
    expect(net(ones([2])).toArray()).toEqual([20, 20]);
    expect(seen).toEqual(['Identity', '2', '1']);
    first.remove();
    first.remove();
    second[Symbol.dispose]();
    expect(net(ones([2])).toArray()).toEqual([1, 1]);
    expect(seen).toHaveLength(4);
  });
  test('that are added later cause a compiled function to be traced again', () => {
    const net = new Identity();
    const run = compile((x: Tensor) => net(x).add(0));
    run(ones([1]));
    const hook = net.registerForwardHook((_, __, y) => (y as Tensor).mul(5));
    expect(run(ones([1])).item()).toBe(5);
    hook.remove();
    expect([run(ones([1])).item(), run.traces]).toEqual([1, 3]);
  });
});

describe('the tree', () => {
  const net = (): Sequential =>
    new Sequential({ hidden: new Linear(2, 3), act: new ReLU(), out: new Sequential(new Linear(3, 1)) });
  test('is traversed as in PyTorch', () => {
    const order: string[] = [];
    const model = net();
    model.apply(module => void order.push(module.constructor.name));
    expect(order).toEqual(['Linear', 'ReLU', 'Linear', 'Sequential', 'Sequential']);
    expect([...model.children()].map(child => child.constructor.name)).toEqual(['Linear', 'ReLU', 'Sequential']);
    expect([...model.namedModules()].map(([name]) => name)).toEqual(['', 'hidden', 'act', 'out', 'out.0']);
    expect([...model.modules()]).toHaveLength(5);
    expect([...model.namedParameters('model', false)]).toEqual([]);
    expect([...model.namedParameters('model')].map(([name]) => name)).toContain('model.out.0.weight');
  });
  test('is searched by name; an error suggests the nearest name', () => {
    const model = net();
    expect(model.getSubmodule('out.0')).toBe(model.at(2)!.getSubmodule('0'));
    expect(model.getSubmodule('')).toBe(model);
    expect(model.getParameter('hidden.weight').shape).toEqual([3, 2]);
    expect(() => model.getSubmodule('hiden')).toThrow("Sequential has no module 'hiden'");
    expect(() => model.getSubmodule('hiden')).toThrow("did you mean 'hidden'?");
    expect(() => model.getParameter('hidden.wieght')).toThrow("did you mean 'hidden.weight'?");
    expect(() => model.getBuffer('x')).toThrow('it has no buffers');
  });
  test('accepts members by name', () => {
    class Empty extends Module {
      override forward(x: Tensor): Tensor {
        return x;
      }
    }
    const model = new Empty();
    model.registerParameter('w', new Parameter(ones([2])));
    model.registerBuffer('mean', zeros([2]));
    model.registerBuffer('cache', zeros([2]), { persistent: false });
    model.addModule('fc', new Linear(2, 2));
    model.registerParameter('none', undefined);
    expect([...model.stateDict().keys()]).toEqual(['w', 'mean', 'fc.weight', 'fc.bias']);
    expect(model.buffers()).toHaveLength(2);
    expect(model.getBuffer('mean')).toBeInstanceOf(StateBuffer);
    expect(() => model.addModule('a.b', new ReLU())).toThrow('a name without dots');
    expect(() => model.addModule('forward', new ReLU())).toThrow('a name that is not in use');
    expect(() => model.registerParameter('b', ones([1]) as Parameter)).toThrow('expected a Parameter');
    const { weight } = model.getSubmodule('fc') as Linear;
    model.toEmpty({ device: device() });
    expect(weight.sum().item()).toBe(0);
    expect(
      model
        .getSubmodule('fc')
        .requiresGrad_(false)
        .parameters()
        .some(p => p.requiresGrad),
    ).toBe(false);
  });
  test('has lists and dictionaries', () => {
    const list = new ModuleList<Module>([new Linear(1, 1), new Linear(1, 1), new ReLU()]);
    expect(list[2]).toBeInstanceOf(ReLU);
    list.insert(0, new Identity());
    expect([list.length, list[0] instanceof Identity, list.at(-1) instanceof ReLU]).toEqual([4, true, true]);
    expect(list.pop()).toBeInstanceOf(ReLU);
    expect([list.length, list[3], [...list].length]).toEqual([3, undefined, 3]);
    expect(() => list.append(3 as never)).toThrow('expected a module');
    expect(() => (list as unknown as () => void)()).toThrow('calling a ModuleList is not supported');
    const dict = new ModuleDict({ keys: new Linear(2, 2), get: new ReLU() });
    expect(dict.get('keys')(ones([2])).shape).toEqual([2]);
    expect([...dict.stateDict().keys()]).toEqual(['keys.weight', 'keys.bias']);
    expect([[...dict.keys()], dict.size, dict.has('no'), dict.delete('get')]).toEqual([
      ['keys', 'get'],
      2,
      false,
      true,
    ]);
    expect(() => dict.get('kyes' as 'keys')).toThrow("did you mean 'keys'?");
    const scales = new ParameterList([ones([2]), new Parameter(ones([3]))]);
    expect([...scales.namedParameters()].map(([name, p]) => [name, p.shape])).toEqual([
      ['0', [2]],
      ['1', [3]],
    ]);
    expect(new ParameterDict({ left: ones([2]) }).get('left')).toBeInstanceOf(Parameter);
  });
});

describe('mistakes that train nothing', () => {
  const printed: string[] = [];
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockImplementation(text => printed.push(String(text)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    printed.length = 0;
  });
  class Hidden extends Module {
    readonly #fc = new Linear(2, 2);
    override forward(x: Tensor): Tensor {
      return this.#fc(x);
    }
  }
  class Listed extends Module {
    layers = [new Linear(2, 2), new Linear(2, 2)];
    override forward(x: Tensor): Tensor {
      return this.layers.reduce((y, layer) => layer(y), x);
    }
  }
  class Frozen extends Module {
    readonly #teacher = [new Linear(2, 2).requiresGrad_(false)];
    fc = new Linear(2, 2);
    all = [this.fc];
    override forward(x: Tensor): Tensor {
      return this.fc(x).add(this.#teacher[0]!(x));
    }
  }
  test('a module in a private field causes a warning, once', () => {
    const model = new Hidden();
    noGrad(() => model(ones([2])));
    expect(printed).toEqual([]);
    model(ones([2]));
    model(ones([2]));
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain('the Linear that Hidden calls is not registered in Hidden');
    expect(printed[0]).toContain('callable.test.ts');
  });
  test('an array of modules causes a warning when parameters are listed', () => {
    const model = new Listed();
    expect(model.parameters()).toEqual([]);
    model(ones([2]));
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain('Listed.layers is an array of modules and is not registered');
    expect(printed[0]).toContain('Use a ModuleList instead');
  });
  test('frozen modules and arrays of registered ones cause no warning', () => {
    const model = new Frozen();
    model.parameters();
    model(ones([2]));
    expect(printed).toEqual([]);
  });
});
