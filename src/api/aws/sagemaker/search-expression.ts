// The conditions of a Search as a function of a record: filters, nested filters and expressions within expressions. They are
// checked once, before the first record is read.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Filter.html
import type { Filter, SearchExpression } from '../models/sagemaker.ts';
import {
  invalid,
  nestedProperty,
  type Property,
  type PropertyKind,
  propertyOf,
  type SearchRoot,
} from './search-properties.ts';

type Operator = NonNullable<Filter['Operator']>;

export type Matches = (record: unknown) => boolean;

const MAX_CONDITIONS = 100;

/** @throws {AwsError} ValidationException for names, operators and values that do not fit */
export function compileSearch(expression: SearchExpression | undefined, root: SearchRoot): Matches {
  if (expression === undefined) return () => true;
  const budget = { left: MAX_CONDITIONS };
  return compileExpression(expression, root, budget);
}

function compileExpression(expression: SearchExpression, root: SearchRoot, budget: { left: number }): Matches {
  const { Filters = [], NestedFilters = [], SubExpressions = [], Operator = 'And' } = expression;
  const filter = (one: Filter, propertyNamed: (name: string) => Property): Matches => {
    if (--budget.left < 0) throw invalid(`A search has at most ${MAX_CONDITIONS} filters.`);
    return compileFilter(one, propertyNamed);
  };
  const conditions: readonly Matches[] = [
    ...Filters.map(one => filter(one, name => propertyOf(root, name))),
    ...NestedFilters.map(({ NestedPropertyName: outer, Filters: inner }): Matches => {
      const nested = nestedProperty(root, outer);
      const all = inner.map(one => filter(one, nested.inner));
      return record => nested.read(record).some(object => all.every(matches => matches(object)));
    }),
    ...SubExpressions.map(one => compileExpression(one, root, budget)),
  ];
  if (conditions.length === 0)
    throw invalid('A SearchExpression has at least one of Filters, NestedFilters and SubExpressions.');
  return Operator === 'Or'
    ? record => conditions.some(matches => matches(record))
    : record => conditions.every(matches => matches(record));
}

function compileFilter(
  { Name: name, Operator: operator = 'Equals', Value: value }: Filter,
  propertyNamed: (name: string) => Property,
): Matches {
  const property = propertyNamed(name);
  if (operator === 'Exists' || operator === 'NotExists') {
    if (value !== undefined) throw invalid(`The filter of '${name}' has no Value with the operator ${operator}.`);
    return record => property.read(record).length > 0 === (operator === 'Exists');
  }
  if (value === undefined) throw invalid(`The filter of '${name}' needs a Value with the operator ${operator}.`);
  if (!operatorsOf[property.kind].includes(operator))
    throw invalid(`The operator ${operator} is not supported for the property '${name}'.`);
  const holds = comparison(property, operator, value);
  // A missing property is not equal to anything.
  if (operator === 'NotEquals') return record => property.read(record).every(holds);
  return record => property.read(record).some(holds);
}

const equality: readonly Operator[] = ['Equals', 'NotEquals'];
const order: readonly Operator[] = ['GreaterThan', 'GreaterThanOrEqualTo', 'LessThan', 'LessThanOrEqualTo'];
const ofText: readonly Operator[] = ['Contains', 'In'];

const operatorsOf: Readonly<Record<PropertyKind, readonly Operator[]>> = {
  text: [...equality, ...ofText],
  decimal: [...equality, ...order, ...ofText],
  number: [...equality, ...order],
  time: [...equality, ...order],
  boolean: equality,
  group: [],
};

function comparison({ name, kind }: Property, operator: Operator, value: string): (actual: unknown) => boolean {
  switch (kind) {
    case 'boolean':
      if (value !== 'true' && value !== 'false') throw invalid(`'${name}' is true or false, got '${value}'.`);
      return actual => (String(actual) === value) === (operator === 'Equals');
    case 'number': {
      const expected = numberOf(value);
      if (expected === undefined) throw invalid(`'${name}' is a number, got '${value}'.`);
      return actual => ordered(operator, actual as number, expected);
    }
    case 'time': {
      const expected = secondsOf(value);
      if (expected === undefined) throw invalid(`'${name}' is a time such as 2026-01-31T12:00:00, got '${value}'.`);
      // The value is in seconds, and times of jobs are in milliseconds.
      const isEquality = equality.includes(operator) && Number.isInteger(expected);
      return actual => ordered(operator, isEquality ? Math.floor(actual as number) : (actual as number), expected);
    }
    case 'decimal': {
      const expected = numberOf(value);
      if (expected === undefined) {
        if (order.includes(operator)) throw invalid(`The operator ${operator} needs a number, got '${value}'.`);
        return textComparison(operator, value);
      }
      if (ofText.includes(operator)) return textComparison(operator, value);
      const isInteger = /^[+-]?\d+$/.test(value);
      return actual => {
        const number = numberOf(String(actual));
        if (number === undefined) return operator === 'NotEquals';
        return ordered(operator, isInteger ? Math.trunc(number) : number, expected);
      };
    }
    case 'text':
    case 'group':
      return textComparison(operator, value);
  }
}

function textComparison(operator: Operator, value: string): (actual: unknown) => boolean {
  switch (operator) {
    case 'Contains':
      return actual => String(actual).includes(value);
    case 'In': {
      const values = new Set(value.split(',').map(one => one.trim()));
      return actual => values.has(String(actual));
    }
    default:
      return actual => (String(actual) === value) === (operator === 'Equals');
  }
}

function ordered(operator: Operator, actual: number, expected: number): boolean {
  switch (operator) {
    case 'GreaterThan':
      return actual > expected;
    case 'GreaterThanOrEqualTo':
      return actual >= expected;
    case 'LessThan':
      return actual < expected;
    case 'LessThanOrEqualTo':
      return actual <= expected;
    default:
      return (actual === expected) === (operator === 'Equals');
  }
}

/** Undefined if the text is not a decimal number. */
export const numberOf = (text: string): number | undefined =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : undefined;

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Seconds since 1970 of an ISO 8601 time, UTC by default. */
function secondsOf(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const ms = Date.parse(match[1] === undefined && text.includes('T') ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
