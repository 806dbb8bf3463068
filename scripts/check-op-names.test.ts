import { expect, test } from 'vitest';
import { nameComparisons, openSwitches } from './check-op-names.ts';

const found = (text: string): readonly number[] => nameComparisons(text).map(({ line }) => line);

test('comparisons of an op with a name are found, either way round and in ternaries', () => {
  expect(found("if (op.name === 'gather') return 1;")).toEqual([1]);
  expect(found("const x = 1;\nreturn op?.name !== 'transpose' ? x : 0;")).toEqual([2]);
  expect(found("return 'gather' === step.op.name;")).toEqual([1]);
  expect(found("const { name } = op;\nif (name === 'while') run();")).toEqual([2]);
});

test('other comparisons are not', () => {
  expect(found("if (step.kind === 'control' && opTable[op.name].kind === 'scatter') return;")).toEqual([]);
  expect(found("if (func.name === 'main') return;")).toEqual([]);
  expect(found("const name = reducerOf(region);\nif (name === 'add') sum();")).toEqual([]);
  expect(found("// op.name === 'gather'")).toEqual([]);
  expect(found("switch (op.name) {\n  case 'gather':")).toEqual([]);
});

test('switches over op names are found if their default handles all other ops', () => {
  const lines = (text: string): readonly number[] => openSwitches(text).map(({ line }) => line);
  const withDefault = (body: string): string =>
    `  switch (op?.name) {\n    case 'gather':\n      return 1;\n    default:\n      ${body}\n  }\n`;
  expect(lines(withDefault('return 0;'))).toEqual([1]);
  expect(lines(withDefault('return assertNever(op);'))).toEqual([]);
  expect(lines(withDefault('throw refused(op);'))).toEqual([]);
  expect(lines(withDefault('return rules[op.name](op);'))).toEqual([]);
  expect(lines("switch (op.name) {\n  case 'gather':\n    return 1;\n}\n")).toEqual([]);
  expect(lines("switch (tool.name) {\n  case 'gcc':\n    return 1;\n  default:\n    return 2;\n}\n")).toEqual([]);
});
