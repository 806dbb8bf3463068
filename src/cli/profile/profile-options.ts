// The options of `trenio profile …`.
import { runOptions as ofRun, placeOptions } from '../run/run-options.ts';

export const runOptions = {
  'nproc-per-node': ofRun['nproc-per-node'],
  layout: ofRun.layout,
  ...placeOptions,
  out: {
    kind: 'text',
    placeholder: 'FOLDER',
    default: 'profile',
    description: 'Where the profile goes. Files of an earlier profile there are replaced.',
  },
  wait: {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 1_000_000_000,
    default: 5,
    description: 'Steps before recording begins.',
  },
  steps: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 100_000,
    default: 20,
    description: 'Steps to record.',
  },
  'no-pin': { kind: 'flag', description: 'Do not pin ranks to cores.' },
  json: {
    kind: 'flag',
    description: 'Print one JSON object instead of the table: {"folder", "ranks"}, and "bubble" of a pipeline.',
  },
} as const;

export const viewOptions = {
  out: { kind: 'text', placeholder: 'FILE', description: 'Write the page with the flame chart to this file.' },
  diff: { kind: 'text', placeholder: 'PROFILE', description: 'Compare with this profile, which is the earlier one.' },
  json: {
    kind: 'flag',
    description:
      'One JSON object: {"ranks"}, each with its kernels and shares of the time, and {"diff"} if --diff is given.',
  },
} as const;
