// Loops and branches inside the step: control.scan, control.while, control.cond, control.switch. See ../README.md.
export { cond, switch } from './cond.ts';
export { type ScanOptions, scan } from './scan.ts';
export { type WhileOptions, while } from './while.ts';
