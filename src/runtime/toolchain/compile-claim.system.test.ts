import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatIdentity, ownIdentity, type ProcessIdentity } from '../../base/process-identity.ts';
import { temporaryDirectory } from '../engine.testing.ts';
import { startScript, until } from '../processes.testing.ts';
import { releaseClaim, removeEndedClaim, takeClaim, underClaim } from './compile-claim.ts';

let folder: ReturnType<typeof temporaryDirectory>;
let directory = '';
beforeEach(() => {
  folder = temporaryDirectory();
  directory = join(folder.path, 'claim-0');
});
afterEach(() => folder[Symbol.dispose]());

const announced: string[] = [];
const options = { what: 'the program step', announce: (text: string) => announced.push(text) };
const make = <T>(made: () => T): T => underClaim(directory, options, () => undefined, made);

/** Creates a claim in the name of a process. Returns its file. */
function claimOf(identity: ProcessIdentity, host = hostname()): string {
  mkdirSync(directory);
  const file = join(directory, `${formatIdentity(identity)}-0123456789ab@${host}`);
  writeFileSync(file, '');
  return file;
}

test('compiles a program that no other process compiles, and releases the claim', () => {
  expect(make(() => readdirSync(directory).length)).toBe(1);
  expect(readdirSync(folder.path)).toEqual([]);
  const refuse = (): never => {
    throw new Error('refused');
  };
  expect(() => make(refuse)).toThrow('refused');
  expect(readdirSync(folder.path)).toEqual([]);
});

describe('of a process that has ended', () => {
  test('is not respected', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    claimOf({ ...ownIdentity(), pid: child.pid! });
    expect(make(() => 'made')).toBe('made');
    expect(readdirSync(folder.path)).toEqual([]);
  });
  test('is not respected even if this process has the same id, as the first process of a container does', () => {
    claimOf({ ...ownIdentity(), started: '1' });
    expect(make(() => 'made')).toBe('made');
    expect(readdirSync(folder.path)).toEqual([]);
  });
  test('is respected on another machine until its file has been unchanged for a while', () => {
    claimOf({ ...ownIdentity(), realm: '0123456789ab' }, 'another');
    announced.length = 0;
    expect(make(() => 'made')).toBe('made');
    expect(announced).toEqual([`waiting for the program step, which process ${process.pid} on another is compiling`]);
  });
  test('is removed by a sweep, unlike claims of processes that run or cannot be inspected', () => {
    const identities = [ownIdentity(), { ...ownIdentity(), realm: '0123456789ab' }, { ...ownIdentity(), started: '1' }];
    const left = identities.map(identity => {
      claimOf(identity);
      removeEndedClaim(directory);
      const isThere = existsSync(directory);
      rmSync(directory, { recursive: true, force: true });
      return isThere;
    });
    expect(left).toEqual([true, true, false]);
  });
});

const script = (body: string): string => `
    import { takeClaim, underClaim } from './compile-claim.ts';
    import { spawnSync } from 'node:child_process';
    import { existsSync, writeFileSync } from 'node:fs';
    const directory = ${JSON.stringify(directory)};
    const options = { what: 'the program step', announce: text => console.error(text) };
    ${body}`;

test('waits for the holder, and uses its result', async () => {
  const product = JSON.stringify(join(folder.path, 'product'));
  const source = script(`
    console.log(underClaim(directory, options, () => existsSync(${product}) ? 'found' : undefined, () => {
      spawnSync('/bin/sleep', ['1']);
      writeFileSync(${product}, '');
      return 'made';
    }));`);
  const outcomes = await Promise.all([1, 2, 3].map(() => startScript(import.meta.url, source).outcome));
  expect(outcomes.map(({ stdout, stderr }) => stdout.trim() || stderr).sort()).toEqual(['found', 'found', 'made']);
});

test('the file of a claim changes while its holder is blocked in a call, and stops changing when it is killed', async () => {
  const child = startScript(import.meta.url, script(`takeClaim(directory); spawnSync('/bin/sleep', ['600']);`));
  await until(() => existsSync(directory) && readdirSync(directory).length === 1);
  const file = join(directory, readdirSync(directory)[0]!);
  for (let beats = 0; beats < 3; beats++) {
    const { mtimeMs } = statSync(file);
    await until(() => statSync(file).mtimeMs !== mtimeMs);
  }
  process.kill(-child.process.pid!, 'SIGKILL');
  await child.outcome;
  expect(make(() => 'made')).toBe('made');
});

test('of many processes that find the claim of a dead one, exactly one holds it at a time', async () => {
  claimOf({ ...ownIdentity(), started: '1' });
  const inside = JSON.stringify(join(folder.path, 'inside'));
  const source = script(`
    import { mkdirSync, rmdirSync } from 'node:fs';
    for (let i = 0; i < 40; i++) underClaim(directory, options, () => undefined, claim => {
      if (claim === undefined) throw new Error('no claim');
      mkdirSync(${inside}); // fails while another process is here
      rmdirSync(${inside});
    });`);
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => startScript(import.meta.url, source).outcome));
  expect(outcomes.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('the claim of a stopped holder is taken over, and the holder does not touch it when it continues', () => {
  const mine = takeClaim(directory);
  if (typeof mine === 'string') throw new Error(mine);
  // As another process takes it over.
  rmSync(mine.holder);
  const theirs = join(directory, 'theirs');
  writeFileSync(theirs, '');
  releaseClaim(mine);
  expect(readdirSync(directory)).toEqual(['theirs']);
});

test('a process does not wait for its own claim', () => {
  const mine = takeClaim(directory);
  expect(make(() => 'made')).toBe('made');
  if (typeof mine === 'object') releaseClaim(mine);
  expect(readdirSync(folder.path)).toEqual([]);
});

describe('paths that cannot be claims', () => {
  test('if no claim can be written, the work is done without one', () => {
    directory = join(folder.path, 'missing', 'claim-0');
    expect(make(() => 'made')).toBe('made');
  });
  test('a file, an empty directory, a link to nowhere or in a circle or to a directory', () => {
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'precious'), '');
    const kinds = [
      () => writeFileSync(directory, 'host 12'),
      () => mkdirSync(directory),
      () => symlinkSync('nowhere', directory),
      () => symlinkSync(directory, directory),
      () => symlinkSync(elsewhere, directory),
    ];
    for (const kind of kinds) {
      kind();
      expect(make(() => 'made')).toBe('made');
      expect(readdirSync(folder.path)).toEqual(['elsewhere']);
    }
    expect(readdirSync(elsewhere)).toEqual(['precious']);
  });
  test('files of other names', () => {
    mkdirSync(directory);
    for (const name of ['a', 'b']) writeFileSync(join(directory, name), '');
    utimesSync(join(directory, 'a'), 0, 0);
    expect(make(() => 'made')).toBe('made');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
