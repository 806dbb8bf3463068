// For tests: endpoints that no other process uses. A free port that was found by listening and closing may be taken by another
// test before it is used. All of 127.0.0.0/8 is this machine: each process has an address, and counts its ports, below the
// ephemeral ones.
import process from 'node:process';

const bytes = [process.pid >> 16, process.pid >> 8, process.pid].map(part => part & 0xff);
// Not 127.0.x.y, which others use.
const host = `127.${1 + bytes[0]!}.${bytes[1]}.${bytes[2]}`;
let last = 20_000;

export const ownEndpoint = (): { readonly host: string; readonly port: number } => ({ host, port: ++last });
