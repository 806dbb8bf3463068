// Checks a value against the table of keys: unknown and missing keys, types, limits.
import { nearestName } from '../../base/nearest.ts';
import type { ConfigProblem } from './problem.ts';
import type { Field, ListField, MapField, ScalarField } from './schema.ts';

const TYPE = 'ConfigSchemaValidator';

/** @param lineOf the line of a path */
export function schemaProblems(
  value: unknown,
  schema: MapField,
  lineOf: (path: string) => number,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report = (path: string, message: string): void => {
    problems.push({ level: 'ERROR', type: TYPE, path, line: lineOf(path), message });
  };
  check(value, schema, '', report);
  return problems;
}

type Report = (path: string, message: string) => void;

function check(value: unknown, field: Field, path: string, report: Report): void {
  switch (field.kind) {
    case 'map':
      checkMap(value, field, path, report);
      break;
    case 'list':
      checkList(value, field, path, report);
      break;
    default:
      checkScalar(value, field, path, report);
  }
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function checkMap(value: unknown, { fields }: MapField, path: string, report: Report): void {
  if (!isMapping(value)) {
    report(path, `is ${shown(value)}, expected a section with the keys ${listed(fields)}`);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const inner = path === '' ? key : `${path}.${key}`;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      const meant = nearestName(key, Object.keys(fields));
      report(
        inner,
        `is not a key of this section${meant === undefined ? `; it has ${listed(fields)}` : `; did you mean ${meant}?`}`,
      );
    } else check(item, field, inner, report);
  }
  for (const [key, field] of Object.entries(fields))
    if (field.required === true && !Object.hasOwn(value, key))
      report(path === '' ? key : `${path}.${key}`, 'is missing');
}

function checkList(value: unknown, { item, length }: ListField, path: string, report: Report): void {
  if (!Array.isArray(value)) {
    report(path, `is ${shown(value)}, expected a list`);
    return;
  }
  const [least, most] = length ?? [null, null];
  if ((least !== null && value.length < least) || (most !== null && value.length > most))
    report(path, `has ${value.length} items, expected ${bounds(least, most)}`);
  value.forEach((one, i) => {
    check(one, item, `${path}[${i}]`, report);
  });
}

function checkScalar(value: unknown, field: ScalarField, path: string, report: Report): void {
  const problem = typeProblem(value, field) ?? limitProblem(value, field);
  if (problem !== undefined) report(path, `is ${shown(value)}, expected ${problem}`);
}

/** The expected type; undefined if the type is right. */
function typeProblem(value: unknown, { kind }: ScalarField): string | undefined {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'text; put quotes around it';
    case 'integer':
      return Number.isSafeInteger(numberOf(value)) ? undefined : 'a whole number';
    case 'number':
      return Number.isFinite(numberOf(value)) ? undefined : 'a number';
    case 'boolean':
      return booleanOf(value) === undefined ? 'true or false' : undefined;
    case 'settings':
      return isMapping(value) ? undefined : 'names with values';
    case 'any':
      return undefined;
  }
}

function limitProblem(value: unknown, { kind, oneOf, range, length, pattern }: ScalarField): string | undefined {
  if (oneOf !== undefined && !oneOf.includes(kind === 'integer' ? numberOf(value) : (value as string)))
    return `one of ${oneOf.join(', ')}`;
  if (range !== undefined) {
    const number = numberOf(value);
    const [least, most] = range;
    if ((least !== null && number < least) || (most !== null && number > most)) return bounds(least, most);
  }
  if (typeof value !== 'string') return undefined;
  if (length !== undefined) {
    const [least, most] = length;
    if ((least !== null && value.length < least) || (most !== null && value.length > most))
      return `${bounds(least, most)} characters`;
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return `text like ${pattern}`;
  return undefined;
}

/** A number, also if quoted. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;

/** A boolean, or one of its quoted spellings; undefined for anything else. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = String(value).toLowerCase();
  if (['true', 't', 'yes', 'y', 'on', '1'].includes(word)) return true;
  return ['false', 'f', 'no', 'n', 'off', '0'].includes(word) ? false : undefined;
}

const bounds = (least: number | null, most: number | null): string =>
  least === null
    ? `at most ${most}`
    : most === null
      ? `at least ${least}`
      : least === most
        ? `${least}`
        : `${least} to ${most}`;

const listed = (fields: MapField['fields']): string => Object.keys(fields).join(', ');

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isMapping(value)) return 'a section';
  const text = JSON.stringify(value instanceof Date ? value.toISOString() : value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
