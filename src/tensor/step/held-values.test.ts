// Values that a script still refers to after a step are readable, as in PyTorch: they are recomputed, or become results of the
// program.
import { beforeEach, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device, noGrad, type Tensor, tensor } from '../index.ts';

let dev: Device;
let messages: string[];
const newDevice = (isEager = false): Device =>
  new Device(new InterpreterBackend(), {
    seed: 0,
    eager: isEager ? new EagerMode('never') : undefined,
    log: (level, message) =>
      messages.push(`${level}: ${message.replaceAll(/:\d+/g, '').replace(/\(\d.*?\)/, '(size)')}`),
  });
beforeEach(() => {
  messages = [];
  dev = newDevice();
});
const on = (data: Parameters<typeof tensor>[0]): Tensor => tensor(data, { device: dev });

/** Steps of w ← w − 0.1 · gradient of a loss; `body` makes the loss, `after` looks at something after each. */
function train(
  steps: number,
  body: (w: Tensor, step: number) => Tensor,
  after: (w: Tensor, step: number, loss: Tensor) => unknown = () => undefined,
): unknown[] {
  const w = on([1, 2, 3]).requiresGrad_();
  return Array.from({ length: steps }, (_, step) => {
    w.zeroGrad();
    const loss = body(w, step);
    loss.backward();
    noGrad(() => w.sub_((w.grad as Tensor).mul(0.1)));
    dev.endStep([w]);
    return after(w, step, loss);
  });
}
/** The same in eager mode gives the same. */
function checked(run: () => unknown): void {
  const lazy = run();
  const device = dev;
  dev = newDevice(true);
  expect(lazy).toEqual(run());
  dev = device;
}

describe('made before the loop', () => {
  test.each([
    ['little work is part of each step: one program', 1, ['step'], 5],
    ['a table that takes work is a buffer from the second step on', 1 << 18, ['step', 'read', 'step'], 5 + 1],
  ])('%s', (_, rows, programs, executions) => {
    checked(() => {
      const table = on([[1, 2, 3]])
        .expand(rows, 3)
        .mul(2)
        .mean(0)
        .tanh();
      const mask = on([1, 0, 1]).gt(0);
      return train(
        5,
        w => w.mul(table).maskedFill(mask, 0).square().sum(),
        (_, __, loss) => loss.item(),
      );
    });
    expect(dev.history.map(({ kind }) => kind)).toEqual(programs);
    expect(dev.metrics.executions).toBe(executions);
  });
  test('a number that is counted up from step to step does not make programs grow', () => {
    checked(() => {
      let count = on([0, 0, 0]);
      return train(
        6,
        w => {
          count = count.add(1);
          return w.mul(count).sum();
        },
        w => w.toArray(),
      );
    });
    expect(dev.history.filter(({ kind }) => kind === 'step').length).toBeLessThanOrEqual(3);
    expect(messages.filter(m => m.includes('grows'))).toEqual([]);
  });
  test('a value that is used in only one step can be read after it', () => {
    checked(() => {
      const y = on([1, 2, 3]).sum().tanh();
      const losses = train(3, w => w.mul(y.detach()).sum());
      return [y.item(), losses];
    });
  });
});

describe('made in a step', () => {
  test('parts of the loss are results of the step: reading them runs nothing', () => {
    checked(() => {
      let [first, second] = [on(0), on(0)];
      return train(
        4,
        w => {
          first = w.square().sum();
          second = w.abs().mean();
          return first.add(second.mul(2));
        },
        () => [first.item(), second.item()],
      );
    });
    expect(dev.metrics).toMatchObject({ compiles: 1, executions: 4 });
  });
  test('an activation that is read is recomputed once, and is a result of the step from then on', () => {
    checked(() => {
      let hidden = on(0);
      return train(
        5,
        w => {
          hidden = w.square().add(1);
          return hidden.mul(w).sum();
        },
        () => hidden.toArray(),
      );
    });
    expect(dev.history.map(({ kind }) => kind)).toEqual(['step', 'read', 'step']);
    expect(dev.metrics.executions).toBe(5 + 1);
    expect(messages[1]).toBe(
      'info: the result of add at held-values.test.ts is used after the step that computed it: it is kept from now on',
    );
    expect(messages.filter(m => !m.startsWith('info'))).toEqual([]);
    expect(messages.at(-1)).toMatchInlineSnapshot(
      `"info: recompiling the step at held-values.test.ts (size): 3 results are kept, before 2: more values are read after the step"`,
    );
  });
  test('an activation of the previous step can be used in the next one', () => {
    checked(() => {
      let before = on([0, 0, 0]);
      return train(
        5,
        w => {
          const now = w.tanh();
          const loss = now.mul(w).add(before.mul(w)).sum();
          before = now.detach();
          return loss;
        },
        (_, __, loss) => loss.item(),
      );
    });
    expect(dev.history.filter(({ kind }) => kind === 'step').length).toBeLessThanOrEqual(2);
  });
  test('gradients that are read after the step are results of the step from then on', () => {
    checked(() =>
      train(
        4,
        w => w.square().sum(),
        w => w.grad?.toArray(),
      ),
    );
    expect(dev.history.map(({ kind }) => kind)).toEqual(['step', 'read', 'step']);
  });
  test('a gradient that is never cleared keeps accumulating', () => {
    checked(() => {
      const w = on([1, 2]).requiresGrad_();
      return Array.from({ length: 4 }, () => {
        const loss = w.square().sum();
        loss.backward();
        noGrad(() => w.sub_((w.grad as Tensor).mul(0.1)));
        dev.endStep([w]);
        return [loss.item(), w.toArray()];
      });
    });
  });
  test('a value that cannot be recomputed is an error only at its first late read; later steps keep it', () => {
    let hidden = on(0);
    const body = (w: Tensor): Tensor => {
      hidden = w.square().add(1);
      return hidden.mul(w).sum();
    };
    const error = train(5, body, (_, step) => {
      if (step < 3) return undefined;
      try {
        return hidden.toArray();
      } catch (error) {
        return (error as Error).message.replaceAll(/\/\S*\//g, '').replaceAll(/(test\.ts)[:\d]+/g, '$1');
      }
    });
    expect(error[3]).toMatchInlineSnapshot(`
      "the [3] tensor returned by add at held-values.test.ts was an intermediate result of a step that has ended, and cannot be recomputed: the step has changed tensor at held-values.test.ts
        at held-values.test.ts
        fix: call keep() on it where it is created, or read it before the step ends"
    `);
    expect(Array.isArray(error[4])).toBe(true);
  });
});

test('gradients flow through a value of an earlier step if its inputs have not changed, and stop otherwise', () => {
  const [w, v] = [on([2]).requiresGrad_(), on([3]).requiresGrad_()];
  const y = w.mul(w);
  v.mul(y.detach()).sum().backward();
  noGrad(() => v.sub_(v.grad as Tensor));
  dev.endStep([v]);
  y.mul(v).sum().backward();
  expect(w.grad?.toArray()).toEqual([-4]); // 2w · v, v = 3 − 4
  noGrad(() => w.sub_(w.grad as Tensor));
  dev.endStep([w]);
  v.zeroGrad();
  y.mul(v).sum().backward();
  expect([w.item(), v.grad?.item(), y.item()]).toEqual([6, 4, 4]);
});
