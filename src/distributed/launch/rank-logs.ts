// The files for the output of ranks, with the same layout as torchrun:
//
//   <log dir>/<run>_<random>/attempt_<restarts>/<local rank>/{stdout.log, stderr.log, error.json}
//
// Without --log-dir the folder is a temporary one, removed at the end; if the launcher is killed, by the next one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeOutputFolder, onDisk } from '../../base/output-files.ts';
import { temporaryLogsPrefix } from './left-behind.ts';

/** 1: stdout, 2: stderr, 3: both; for all local ranks or by local rank. */
export type StreamChoice = {
  /** The choice for ranks that `byRank` does not list. */
  readonly all: number;
  /** By local rank. */
  readonly byRank: ReadonlyMap<number, number>;
};

export interface LogSettings {
  readonly folder: string;
  /** Streams that go only to the files. */
  readonly redirects: StreamChoice;
  /** Streams that go to the files and the console. */
  readonly tee: StreamChoice;
  /** Local ranks that are shown on the console; undefined: all. */
  readonly shown: ReadonlySet<number> | undefined;
  readonly remove: () => void;
}

export interface LogFiles {
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
  readonly error: string;
  readonly showStdout: boolean;
  readonly showStderr: boolean;
  readonly onConsole: boolean;
}

export const NO_STREAMS: StreamChoice = { all: 0, byRank: new Map() };

/** `3`, or `0:3,1:1`; undefined for any other text. */
export function parseStreams(text: string): StreamChoice | undefined {
  if (/^[0-3]$/.test(text)) return { all: Number(text), byRank: new Map() };
  const byRank = new Map<number, number>();
  for (const part of text.split(',')) {
    const match = /^(\d{1,4}):([0-3])$/.exec(part.trim());
    if (match === null) return undefined;
    byRank.set(Number(match[1]), Number(match[2]));
  }
  return { all: 0, byRank };
}

const streamsOf = (choice: StreamChoice, localRank: number): number => choice.byRank.get(localRank) ?? choice.all;

export interface LogRequest {
  /** undefined: a temporary folder. */
  readonly logDir: string | undefined;
  readonly run: string;
  readonly cwd: string;
  readonly redirects: StreamChoice;
  readonly tee: StreamChoice;
  readonly shown: ReadonlySet<number> | undefined;
}

/** @throws {WRITE_FAILED} */
export function makeLogs({ logDir, run, cwd, ...rest }: LogRequest): LogSettings {
  const parent = logDir === undefined ? tmpdir() : resolve(cwd, logDir);
  const name = run.replaceAll(/[^\w.-]/g, '_').slice(0, 60);
  if (logDir !== undefined) makeOutputFolder(parent);
  const folder = onDisk(parent, () =>
    mkdtempSync(join(parent, logDir === undefined ? temporaryLogsPrefix(name) : `${name}_`)),
  );
  const remove = logDir === undefined ? () => rmSync(folder, { recursive: true, force: true }) : () => {};
  return { ...rest, folder, remove };
}

/** The files of one rank in one attempt; their folder is created. @throws {WRITE_FAILED} */
export function logFilesOf(logs: LogSettings, restarts: number, localRank: number): LogFiles {
  const folder = join(logs.folder, `attempt_${restarts}`, `${localRank}`);
  makeOutputFolder(folder);
  const redirected = streamsOf(logs.redirects, localRank);
  const kept = redirected | streamsOf(logs.tee, localRank);
  const isShown = logs.shown?.has(localRank) ?? true;
  // A stream that is both redirected and teed is teed.
  const hidden = redirected & ~streamsOf(logs.tee, localRank);
  return {
    stdout: (kept & 1) === 0 ? undefined : join(folder, 'stdout.log'),
    stderr: (kept & 2) === 0 ? undefined : join(folder, 'stderr.log'),
    error: join(folder, 'error.json'),
    showStdout: isShown && (hidden & 1) === 0,
    showStderr: isShown && (hidden & 2) === 0,
    onConsole: isShown,
  };
}
