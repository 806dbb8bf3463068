// Clusters of virtual nodes: how fast they start and stop, whether anything is left behind, and whether they survive load and
// kills.
//
//     node bench/clusters.ts                           one cluster of 16 nodes
//     node bench/clusters.ts --cycles 100              created and deleted repeatedly
//     node bench/clusters.ts --nodes 64 --jobs 500     runs many small jobs, as fast as they go
//     node bench/clusters.ts --nodes 64 --jobs 500 --minutes 10    small jobs that keep the nodes at work for ten minutes
//     node bench/clusters.ts --kills 50 [--seed 1]     kills daemons and nodes at random while jobs run
import './help.ts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseIdentity } from '../src/base/process-identity.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { createCluster, deleteCluster } from '../src/clusters/cluster-life.ts';
import { parseConfig } from '../src/clusters/config/parse-config.ts';
import { describeCluster } from '../src/clusters/describe-cluster.ts';
import { markedProcesses } from '../src/clusters/local/marked-processes.ts';
import { SlurmClient } from '../src/clusters/slurm/slurm-client.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '16' },
    cycles: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '0' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const [nodes, cycles, jobs, kills, minutes] = [
  ...[values.nodes, values.cycles, values.jobs, values.kills, values.minutes],
].map(Number) as [number, number, number, number, number];
const NAME = 'bench';
const IDLE_BAR_MS = 5000;
const SAVED_MS = 7000;

const text = `Image: { Os: alinux2 }
HeadNode:
  InstanceType: c5.4xlarge
  Networking: { SubnetId: subnet-12345678 }
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: train
      Networking: { SubnetIds: [subnet-12345678] }
      ComputeResources:
        - { Name: trn1, InstanceType: trn1.32xlarge, MinCount: ${nodes}, MaxCount: ${nodes} }
`;
const { file } = parseConfig(text, NAME);
if (file === undefined) throw new Error('the configuration of this benchmark is invalid');

const work = mkdtempSync(join(tmpdir(), 'trenio-clusters-'));
const root = join(work, 'clusters');
const folder = new ClusterFolder(join(root, NAME));
const slurm = new SlurmClient(folder.conf);
const { signal } = new AbortController();
const create = () => createCluster({ root, name: NAME, text, file, region: 'us-east-1', report: () => {}, signal });
const sleep = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms));
const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

let state = Number(values.seed);
/** A whole number below `n` (Lehmer's generator). */
const random = (n: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % n;
};

function leftovers(runFolder: string, subnet: number | null): readonly string[] {
  const links = execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' });
  return [
    ...markedProcesses(folder.path).map(({ pid }) => `process ${pid}`),
    ...readdirSync(root).map(name => join(root, name)),
    ...(readdirSync(tmpdir()).some(name => join(tmpdir(), name) === runFolder) ? [runFolder] : []),
    ...(subnet !== null && links.includes(`trenio${subnet}:`) ? [`the network trenio${subnet}`] : []),
  ];
}

/** Submits jobs that record their completion. */
async function submitJobs(count: number, options: string, seconds: number, first = 0): Promise<void> {
  for (let i = first; i < first + count; i++)
    await slurm.submit(
      `#!/bin/sh\n#SBATCH --requeue --output=/dev/null ${options}\nsleep ${seconds}; echo ${i} >> ${join(work, 'done')}\n`,
      work,
    );
}

/** Submits jobs evenly over a time, each long enough that most nodes have one; looks at the nodes meanwhile. */
async function keepBusy(): Promise<void> {
  const totalMs = minutes * 60_000;
  // As much work as three quarters of the nodes can do in the time.
  const meanSeconds = (0.75 * nodes * totalMs) / 1000 / jobs;
  const looks: number[] = [];
  const unhealthy = new Set<string>();
  const start = performance.now();
  const passed = (): number => performance.now() - start;
  let submitted = 0;
  while (passed() < totalMs) {
    while (submitted < jobs && passed() >= (submitted * totalMs) / jobs) {
      await submitJobs(1, '--nodes=1 --exclusive', meanSeconds * (0.5 + random(1000) / 1000), submitted);
      submitted++;
    }
    const states = await slurm.nodes();
    looks.push(states.filter(({ states: words }) => words.includes('allocated')).length);
    for (const { name, states: words } of states)
      if (words.some(word => ['down', 'not_responding', 'drain', 'fail', 'unknown'].includes(word)))
        unhealthy.add(`${name} ${words.join('+')}`);
    await sleep(500);
  }
  const done = await finishedJobs();
  console.log(
    `${jobs} jobs over ${minutes} minutes on ${nodes} nodes: ${done} done; ${looks.length} looks, ${median(looks)} nodes at work (median), nodes that were not healthy: ${[...unhealthy].join(', ') || 'none'}`,
  );
  if (done < jobs || unhealthy.size > 0) process.exitCode = 1;
}

/** Waits until no job is left; resolves with the number of completed jobs. */
async function finishedJobs(): Promise<number> {
  for (;;) {
    try {
      if ((await slurm.jobs()).length === 0) break;
    } catch {
      // slurmctld is being restarted.
    }
    await sleep(500);
  }
  return new Set(readFileSync(join(work, 'done'), 'utf8').trim().split('\n')).size;
}

async function killAtRandom(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await sleep(500 + random(3000));
    const { supervisor, munged, slurmctld, nodes: running } = folder.processes();
    const names = Object.keys(running);
    const victims = [
      ['supervisor', supervisor],
      ['munged', munged],
      ['slurmctld', slurmctld],
      ...names
        .slice(random(names.length))
        .map(name => [name, running[name]?.process] as const)
        .slice(0, 1),
    ] as const;
    const [who, identity] = victims[random(victims.length)]!;
    const pid = parseIdentity(identity ?? '')?.pid;
    if (pid === undefined) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
    const { processes } = await describeCluster(root, NAME);
    console.log(`  kill ${i + 1}: ${who}; described as ${JSON.stringify(processes)}`);
  }
}

try {
  const times: number[] = [];
  const deletions: number[] = [];
  for (let cycle = 1; cycle <= cycles; cycle++) {
    let start = performance.now();
    const { runFolder, subnet } = await create();
    times.push(performance.now() - start);
    if (jobs > 0 && minutes > 0 && cycle === 1) await keepBusy();
    else if (jobs > 0 && cycle === 1) {
      start = performance.now();
      await submitJobs(jobs, '--ntasks=1', 0.2);
      const done = await finishedJobs();
      console.log(
        `${jobs} jobs on ${nodes} nodes: ${done} done in ${((performance.now() - start) / 1000).toFixed(1)} s`,
      );
    }
    if (kills > 0 && cycle === 1) {
      await submitJobs(kills * 4, '--exclusive', 4);
      // slurmctld writes a job to disk within five seconds; before that, Slurm may lose it.
      await sleep(SAVED_MS);
      await killAtRandom(kills);
      const done = await finishedJobs();
      const ends = readFileSync(join(folder.path, 'log/jobcomp.txt'), 'utf8').matchAll(
        /JobId=(\d+) .*?JobState=(\w+)/g,
      );
      const states: Record<string, number> = {};
      const known = new Set<string>();
      for (const [, id, end] of ends) {
        known.add(id!);
        states[end!] = (states[end!] ?? 0) + 1;
      }
      console.log(`${kills} kills: ${done} of ${kills * 4} jobs done; Slurm recorded the end of ${known.size}`, states);
      if (done < kills * 4) process.exitCode = 1;
    }
    start = performance.now();
    await deleteCluster(root, NAME, () => {});
    deletions.push(performance.now() - start);
    const left = leftovers(runFolder, subnet);
    if (left.length > 0) {
      console.log(`cycle ${cycle} left ${left.join(', ')}`);
      process.exitCode = 1;
    }
  }
  console.log(
    `${nodes} nodes idle after ${median(times).toFixed(0)} ms (median of ${cycles}, slowest ${Math.max(...times).toFixed(0)}; bar ${IDLE_BAR_MS}); deleted in ${median(deletions).toFixed(0)} ms`,
  );
  if (median(times) > IDLE_BAR_MS) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
