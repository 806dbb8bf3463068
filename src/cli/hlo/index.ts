// `trenio hlo …`: StableHLO programs from files. Descriptions alone; what a command does is imported when it runs.
import type { CommandGroup } from '../command.ts';
import { defineCommand } from '../command.ts';
import {
  checkOptions,
  costOptions,
  explainOptions,
  graphOptions,
  printOptions,
  runOptions,
  verifyOptions,
} from './options.ts';
import { showing, showingOnTerminal } from './shown.ts';

const verify = defineCommand({
  name: 'hlo verify',
  summary: 'Say whether programs are valid.',
  description: [
    'Reads each file and checks it against the specification. Ends with 0 when all programs are valid, with 1 and the reasons',
    'when some are not.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true, many: true }],
  options: verifyOptions,
  examples: [
    { command: 'trenio hlo verify model.mlir', explanation: 'one program' },
    { command: 'trenio hlo verify --split-input-file tests/*.mlir', explanation: 'several in each file' },
  ],
  run: async (input, context) => (await import('./verify.ts')).verifyFiles(input, showing(context)),
});

const print = defineCommand({
  name: 'hlo print',
  summary: 'Read a program and print it in its canonical form.',
  description: 'Reads and verifies the program, and prints it as StableHLO text that reads back as the same program.',
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: printOptions,
  examples: [{ command: 'trenio hlo print model.mlir -o clean.mlir', explanation: 'the same program, tidied up' }],
  run: async (input, context) => (await import('./print.ts')).printProgram(input, showingOnTerminal(context)),
});

const run = defineCommand({
  name: 'hlo run',
  summary: 'Run a program on arrays from .npy files.',
  description: [
    'Runs the entry of the program with one input for each of its arguments, in order, and writes its results in order. Results',
    'that no --output takes are printed, long ones shortened.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: runOptions,
  examples: [
    {
      command: 'trenio hlo run model.mlir --input x.npy --input weights.npy --output y.npy --backend cpu',
      explanation: 'two arguments, one result, compiled',
    },
    { command: 'trenio hlo run model.mlir', explanation: 'without arguments, the results on the terminal' },
  ],
  run: async (input, context) => (await import('./run.ts')).runProgram(input, showing(context)),
});

const check = defineCommand({
  name: 'hlo check',
  summary: 'Run programs that check their own results.',
  description: [
    'Runs each program, which takes no arguments and says in ops of the dialect check, or in custom calls of the same names, what',
    'its values must be. Ends with 0 when every check holds, with 1 and the reasons otherwise.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: false, many: true }],
  options: checkOptions,
  examples: [
    { command: 'trenio hlo check add.mlir', explanation: 'with the interpreter' },
    { command: 'trenio hlo check --backend cpu tests/*.mlir', explanation: 'compiled' },
    { command: 'ls *.mlir | trenio hlo check --server', explanation: 'many programs, one process' },
  ],
  run: async (input, context) => (await import('./check.ts')).checkFiles(input, showing(context)),
});

const cost = defineCommand({
  name: 'hlo cost',
  summary: 'Count the work of a program by op.',
  description: [
    'Counts floating-point operations, transcendental functions and bytes moved of one execution, each op for itself, before any',
    'fusion; loops count as one iteration. Intensity is FLOPs for each byte.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: costOptions,
  examples: [
    { command: 'trenio hlo cost model.mlir', explanation: 'a table, dearest ops first' },
    { command: 'trenio hlo cost model.mlir --json | jq .total.flops', explanation: 'one number, for a program' },
  ],
  run: async (input, context) => (await import('./cost.ts')).priceProgram(input, showing(context)),
});

const graph = defineCommand({
  name: 'hlo graph',
  summary: 'Draw a program.',
  description: [
    'Draws the ops of each function as a graph, coloured by kind, loops and branches as boxes. Constants and broadcasts are in the',
    'labels of what uses them; a value that is used far away or often is named there (%12). An .html file can be zoomed, moved',
    'and searched in any browser, and shows the whole op at a click.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: graphOptions,
  examples: [
    { command: 'trenio hlo graph model.mlir -o model.html', explanation: 'a page for the browser' },
    { command: 'trenio hlo graph model.mlir -o model.svg', explanation: 'a picture for a document' },
  ],
  run: async (input, context) => (await import('./graph.ts')).drawProgram(input, showing(context)),
});

const explain = defineCommand({
  name: 'hlo explain',
  summary: 'Say which op went into which kernel, and why.',
  description: [
    'Compiles the program and tells of each kernel: the ops in it with their lines, why they are one kernel, what it reads and',
    'writes and why that lies in memory, its arithmetic; then what is computed again instead of kept, and where memory goes.',
    "With --profile it runs the program and adds each kernel's time, FLOP/s and bytes/s, the share of what this machine can do at",
    'most, and what bounds it; slowest kernels come first. Limits are measured once and kept in the cache directory.',
    'Of a script, TRENIO_PROFILE=1 prints the same times for all its programs.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: explainOptions,
  examples: [
    { command: 'trenio hlo explain model.mlir', explanation: 'every kernel' },
    { command: 'trenio hlo explain model.mlir --op reduce', explanation: 'where the reductions went' },
    { command: 'trenio hlo explain model.mlir --profile --rounds 50', explanation: 'with times, on made-up inputs' },
    { command: "trenio hlo explain model.mlir --json | jq '.kernels[].why'", explanation: 'for a program' },
  ],
  run: async (input, context) => (await import('./explain.ts')).explainFile(input, showing(context)),
});

export const hloCommands: CommandGroup = {
  name: 'hlo',
  summary: 'Verify, print, run, check, price, explain and draw StableHLO programs.',
  description: [
    'Works on StableHLO programs: texts, such as jax.jit(f).lower(x).as_text() gives, and portable artifacts, such as jax.export',
    'writes. The entry of a program is its function main, or else the only function it has.',
  ].join('\n'),
  commands: [verify, print, run, check, cost, explain, graph],
};
