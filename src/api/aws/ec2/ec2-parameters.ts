// The parameters of an EC2 request, read with their types: flat names (`Filter.1.Value.2`) as lists, filters and tags.
import { RE2JS } from 're2js';
import { AwsError } from '../aws-error.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';

export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Page<T> {
  readonly page: readonly T[];
  readonly nextToken: string | undefined;
}

const MAX_LIST = 1000;

export class Ec2Parameters {
  readonly #form: ReadonlyMap<string, string>;

  constructor(form: ReadonlyMap<string, string>) {
    this.#form = form;
  }

  text(name: string): string | undefined {
    return this.#form.get(name);
  }

  /** @throws {AwsError} MissingParameter */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '')
      throw new AwsError('MissingParameter', `The request must contain the parameter ${name}`);
    return value;
  }

  /** @throws {AwsError} InvalidParameterValue */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!/^-?\d{1,12}$/.test(value) || number < min || number > max)
      throw invalidValue(name, value, `an integer from ${min} to ${max}`);
    return number;
  }

  /** Milliseconds since 1970. @throws {AwsError} InvalidParameterValue */
  time(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(ms)) throw invalidValue(name, value, 'a time such as 2026-01-31T11:30:00Z');
    return ms;
  }

  /** `name.1`, `name.2`, … */
  list(name: string): readonly string[] {
    const values: string[] = [];
    for (let i = 1; i <= MAX_LIST; i++) {
      const value = this.text(`${name}.${i}`);
      if (value === undefined) break;
      values.push(value);
    }
    return values;
  }

  filters(): readonly Filter[] {
    const filters: Filter[] = [];
    for (let i = 1; i <= MAX_LIST; i++) {
      const name = this.text(`Filter.${i}.Name`);
      if (name === undefined) break;
      filters.push({ name, values: this.list(`Filter.${i}.Value`) });
    }
    return filters;
  }

  /** The tags for a new resource of a type. */
  tags(resourceType: string): Readonly<Record<string, string>> {
    const tags: Record<string, string> = {};
    for (let i = 1; i <= MAX_LIST; i++) {
      const type = this.text(`TagSpecification.${i}.ResourceType`);
      if (type === undefined) break;
      if (type !== resourceType) throw invalidValue(`TagSpecification.${i}.ResourceType`, type, `'${resourceType}'`);
      for (let j = 1; j <= MAX_LIST; j++) {
        const key = this.text(`TagSpecification.${i}.Tag.${j}.Key`);
        if (key === undefined) break;
        tags[key] = this.text(`TagSpecification.${i}.Tag.${j}.Value`) ?? '';
      }
    }
    return tags;
  }

  /** One page of `all`, by MaxResults and NextToken. */
  page<T>(all: readonly T[], min: number, max: number): Page<T> {
    const limit = this.integer('MaxResults', min, max) ?? max;
    const token = this.text('NextToken');
    const offset = fromPageToken(token === '' ? undefined : token, 'InvalidNextToken');
    const end = offset + limit;
    return { page: all.slice(offset, end), nextToken: end < all.length ? toPageToken(end) : undefined };
  }
}

export const invalidValue = (name: string, got: string, expected: string): AwsError =>
  new AwsError('InvalidParameterValue', `Value (${got}) for parameter ${name} is invalid. Expected ${expected}.`);

/**
 * The items that match all filters; each filter names a property, and one of its values must match. `*` and `?` are wildcards.
 * @throws {AwsError} InvalidParameterValue for a filter that is not in `properties`
 */
export function filtered<T>(
  all: readonly T[],
  filters: readonly Filter[],
  properties: Readonly<Record<string, (one: T) => readonly (string | number | boolean)[]>>,
  tags: (one: T) => Readonly<Record<string, string>> = () => ({}),
): readonly T[] {
  return filters.reduce((left, { name, values }) => {
    const key = name.startsWith('tag:') ? name.slice(4) : undefined;
    const read = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (key === undefined && read === undefined)
      throw new AwsError('InvalidParameterValue', `The filter '${name}' is invalid`);
    const patterns = values.map(wildcard);
    return left.filter(one => {
      const found = key === undefined ? read!(one) : [tags(one)[key]].filter(value => value !== undefined);
      return found.some(value => patterns.some(pattern => pattern.matches(String(value))));
    });
  }, all);
}

/** On a linear engine: a value such as `*a*a*a*…` would take exponential time on others. */
function wildcard(text: string): RE2JS {
  const source = text.split(/([*?])/).map(part => (part === '*' ? '.*' : part === '?' ? '.' : RE2JS.quote(part)));
  return RE2JS.compile(source.join(''), RE2JS.DOTALL);
}
