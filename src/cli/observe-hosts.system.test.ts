// `trenio top` and `trenio monitor` on one host of a run show the ranks of the other one. Two launchers of this machine, each
// with its own directory of ring files, are the hosts.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownEndpoint } from '../distributed/launch/endpoints.testing.ts';
import { CliProcess } from './process.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-hosts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'train.ts');
writeFileSync(
  script,
  `import { nn, optimizerStep, SGD, tensor } from '${new URL('../index.ts', import.meta.url).pathname}';
const model = new nn.Linear(4, 1);
const optimizer = new SGD(model.parameters(), { lr: 0.1 });
for (let step = 1; ; step++) {
  const loss = model.forward(tensor([[1, 2, 3, 4]])).square().mean();
  loss.backward();
  optimizerStep(optimizer);
  if (step % 10 === 0) console.log('step', step, loss.item());
  await new Promise(resolve => setTimeout(resolve, 20));
}
`,
);
const variables = (host: string) => ({
  TRENIO_OBSERVE_DIR: join(folder, host),
  TRENIO_RDZV_SECRET: 'of these tests and no others',
});
const ringsOf = (host: string): string[] => readdirSync(join(folder, host)).filter(name => name.endsWith('.ring'));

test('the ranks of both hosts, while a user is watching; nothing is left behind', async () => {
  const { host, port } = ownEndpoint();
  const words = ['run', '--nnodes', '2', '--no-pin', '--rdzv-endpoint', `${host}:${port}`, script];
  const launchers = ['a', 'b'].map(host => new CliProcess(words, variables(host)));
  try {
    await Promise.all(launchers.map(launcher => launcher.outputs(/step 10 /g, 1)));
    expect(['a', 'b'].map(host => ringsOf(host).length)).toEqual([1, 1]);
    const look = async (...args: string[]) => {
      const { stdout, stderr } = await new CliProcess(args, variables('a')).finished;
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    const { processes } = await look('top', '--once', '--json');
    expect(processes).toMatchObject([{ worldSize: 2 }, { worldSize: 2 }]);
    expect(processes.map(({ rank }: { rank: number }) => rank).sort()).toEqual([0, 1]);
    for (const { steps } of processes) expect(steps).toBeGreaterThan(0);
    const report = await look('monitor', '--count', '1');
    expect(report.neuron_runtime_data).toHaveLength(2);
  } finally {
    for (const launcher of launchers) launcher.child.kill('SIGTERM');
    await Promise.all(launchers.map(launcher => launcher.finished));
  }
  expect(['a', 'b'].map(ringsOf)).toEqual([[], []]);
});
