// Checks the input of an operation against its model, and reports problems in AWS's wording, which clients match.
//
//   2 validation errors detected: Value 'x' at 'resourceConfig.instanceType' failed to satisfy constraint: Member must satisfy
//   enum value set: [a, b]; Value null at 'roleArn' failed to satisfy constraint: Member must not be null
import { AwsError } from '../aws-error.ts';
import type { InputOf, ServiceModel, Shape } from './service-model.ts';

// Longer values in a message do not help.
const MAX_SHOWN_CHARACTERS = 512;
const MAX_ERRORS = 20;
/** The maximum nesting of structures: some shapes contain themselves. */
const MAX_DEPTH = 50;

/**
 * The input with the operation's type; unknown members are left out.
 * @throws {AwsError} SerializationException if a value has the wrong type, ValidationException if it breaks a limit
 */
export function validate<const M extends ServiceModel, O extends keyof M['operations'] & string>(
  model: M,
  operation: O,
  input: unknown,
): InputOf<M, O> {
  const name = model.operations[operation];
  const check = new Check(model.shapes);
  const value = name === null || name === undefined ? {} : check.value(name, input, '');
  if (check.errors.length > 0)
    throw new AwsError(
      'ValidationException',
      `${check.errors.length} validation error${check.errors.length === 1 ? '' : 's'} detected: ${check.errors.join('; ')}`,
    );
  return value as InputOf<M, O>;
}

class Check {
  readonly errors: string[] = [];
  readonly #shapes: ServiceModel['shapes'];
  #depth = 0;

  constructor(shapes: ServiceModel['shapes']) {
    this.#shapes = shapes;
  }

  value(name: string, value: unknown, path: string): unknown {
    const shape = this.#shapes[name]!;
    switch (shape.type) {
      case 'structure':
        return this.#structure(shape, value, path);
      case 'list':
        if (!Array.isArray(value)) throw wrongType(path, 'a list');
        this.#size(shape, value.length, value, path);
        return value.map((item, i) => this.value(shape.of, item, `${path}.${i + 1}.member`));
      case 'map':
        return this.#map(shape, value, path);
      case 'string':
        if (typeof value !== 'string') throw wrongType(path, 'a string');
        this.#string(shape, value, path);
        return value;
      case 'integer':
      case 'long':
        if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrongType(path, 'an integer');
        this.#range(shape, value, path);
        return value;
      case 'float':
      case 'double':
        if (typeof value !== 'number') throw wrongType(path, 'a number');
        this.#range(shape, value, path);
        return value;
      case 'timestamp':
        if (typeof value === 'number') return value;
        throw wrongType(path, 'a timestamp in seconds');
      case 'boolean':
        if (typeof value !== 'boolean') throw wrongType(path, 'a boolean');
        return value;
      case 'blob':
        if (typeof value !== 'string') throw wrongType(path, 'a blob in base64');
        return value;
    }
  }

  #structure({ members, required }: Shape & { readonly type: 'structure' }, value: unknown, path: string): unknown {
    if (!isObject(value)) throw wrongType(path, 'a structure');
    if (++this.#depth > MAX_DEPTH)
      throw new AwsError('SerializationException', `The request is nested deeper than ${MAX_DEPTH} structures`);
    const checked: Record<string, unknown> = {};
    for (const [member, shape] of Object.entries(members)) {
      const at = path === '' ? lowerFirst(member) : `${path}.${lowerFirst(member)}`;
      const got = Object.hasOwn(value, member) ? value[member] : undefined;
      if (got !== undefined && got !== null) checked[member] = this.value(shape, got, at);
      else if (required.includes(member)) this.#fail(null, at, 'Member must not be null');
    }
    this.#depth--;
    return checked;
  }

  #map(shape: Shape & { readonly type: 'map' }, value: unknown, path: string): unknown {
    if (!isObject(value)) throw wrongType(path, 'a map');
    const entries = Object.entries(value);
    this.#size(shape, entries.length, value, path);
    return Object.fromEntries(
      entries.map(([key, item]) => {
        this.value(shape.key, key, `${path}.${key}.key`);
        return [key, this.value(shape.value, item, `${path}.${key}.value`)];
      }),
    );
  }

  #string({ min, max, pattern, enum: values }: Shape & { readonly type: 'string' }, value: string, path: string): void {
    if (values !== undefined) {
      if (!values.includes(value))
        this.#fail(value, path, `Member must satisfy enum value set: [${values.join(', ')}]`);
      return;
    }
    if (min !== undefined && value.length < min)
      this.#fail(value, path, `Member must have length greater than or equal to ${min}`);
    // Patterns are not matched against texts that are too long: that could take forever.
    if (max !== undefined && value.length > max)
      this.#fail(value, path, `Member must have length less than or equal to ${max}`);
    else if (pattern !== undefined && !compiled(pattern).test(value))
      this.#fail(value, path, `Member must satisfy regular expression pattern: ${pattern}`);
  }

  #size(
    { min, max }: { min?: number | undefined; max?: number | undefined },
    size: number,
    value: unknown,
    path: string,
  ): void {
    if (min !== undefined && size < min)
      this.#fail(value, path, `Member must have length greater than or equal to ${min}`);
    if (max !== undefined && size > max)
      this.#fail(value, path, `Member must have length less than or equal to ${max}`);
  }

  #range({ min, max }: { min?: number | undefined; max?: number | undefined }, value: number, path: string): void {
    if (min !== undefined && value < min)
      this.#fail(value, path, `Member must have value greater than or equal to ${min}`);
    if (max !== undefined && value > max)
      this.#fail(value, path, `Member must have value less than or equal to ${max}`);
  }

  #fail(value: unknown, path: string, constraint: string): void {
    if (this.errors.length >= MAX_ERRORS) return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = value === null ? 'null' : `'${text.slice(0, MAX_SHOWN_CHARACTERS)}'`;
    this.errors.push(`Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const wrongType = (path: string, expected: string): AwsError =>
  new AwsError('SerializationException', `${path === '' ? 'The request' : path} is not ${expected}`);

const patterns = new Map<string, RegExp>();

/** Patterns have Java's syntax, and match the whole text. */
function compiled(pattern: string): RegExp {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    const plain = pattern.replaceAll('\\p{Alnum}', 'A-Za-z0-9').replaceAll('\\p{Print}', '[\\x20-\\x7e]');
    expression = new RegExp(`^(?:${plain})$`, flagsOf(plain));
    patterns.set(pattern, expression);
  }
  return expression;
}

/** Property classes and surrogate pairs need the flag `u`, which rejects escapes that Java accepts. */
const flagsOf = (pattern: string): string => (/\\p\{|\\uD800/.test(pattern) ? 'u' : '');
