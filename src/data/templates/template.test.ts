// Templates compared with transformers (test/golden/templates.json, written by make-template-golden.py), and their limits.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { templateLimits } from './run.ts';
import { Template } from './template.ts';

const { variables, lines } = JSON.parse(
  readFileSync(new URL('../../../test/golden/templates.json', import.meta.url), 'utf8'),
) as {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly lines: readonly { readonly template: string; readonly text: string }[];
};
const render = (source: string, values: Readonly<Record<string, unknown>> = variables): string =>
  new Template(source).render(values);

test.each(lines)('$template', ({ template, text }) => {
  expect(render(template)).toBe(text);
});

test('whitespace around tags, as transformers sets it', () => {
  expect(render('a\n  {% if 1 %}\n  b\n  {% endif %}\nc\n')).toBe('a\n  b\nc');
  expect(render('a \n {%- if 1 %} b {% endif -%} \n c {{- 1 -}} \n d')).toBe('a b c1d');
  expect(render(' {%+ if 1 %}x{% endif +%}\n{# c #}\n {{ 1 }}\r\ny')).toBe(' x\n 1\ny');
});

test('variables of scopes', () => {
  expect(render('{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}')).toBe('11121');
  expect(render('{% if n > 9 %}{% set q = 1 %}{% endif %}{{ q }}', { n: 1, q: 'given' })).toBe('given');
  expect(render('{% macro m() %}{{ y }}{% endmacro %}{% set y = 2 %}{{ m() }}')).toBe('2');
});

test('items without the attribute that sorts them keep their order', () => {
  expect(render("{{ [2, 1] | sort(attribute='age') }}")).toBe('[2, 1]');
  expect(render("{{ [{'b': 2}, {'b': 1}] | sort(attribute='a') }}")).toBe("[{'b': 2}, {'b': 1}]");
  expect(() => render("{{ [{'a': 2}, {'b': 1}] | sort(attribute='a') }}")).toThrow("has no attribute 'a'");
});

describe('the sandbox', () => {
  test.each([
    ['{{ [].append(1) }}', "access to attribute 'append' of 'list' object is unsafe"],
    ['{{ {}.update({}) }}', "access to attribute 'update' of 'dict' object is unsafe"],
    ["{{ ''.__class__.mro }}", "has no attribute '__class__'"],
    ["{{ '{0.__class__.mro}'.format(1) }}", "has no attribute '__class__'"],
    ['{{ constructor.constructor }}', "'constructor' is undefined"],
    ["{% include 'x' %}", 'no loader for this environment specified'],
    ['{{ range(1000000) }}', 'Range too big'],
  ])('%s', (template, message) => {
    expect(() => render(template)).toThrow(message);
  });
  test('names of objects of JavaScript are data or nothing', () => {
    expect(render("{{ d.constructor }}{{ d['__proto__'] }}{{ d.toString }}{{ s.length }}", { d: {}, s: 'x' })).toBe('');
    expect(render('{{ d.constructor }}', { d: { constructor: 1 } })).toBe('1');
  });
});

describe('limits', () => {
  test.each([
    "{{ 'x' * 10**10 }}",
    '{{ [0] * 10**9 }}',
    "{{ '%999999999d' % 1 }}{{ '{:>999999999}'.format(1) }}",
    "{% set ns = namespace(s='aa') %}{% for i in range(60) %}{% set ns.s = ns.s.replace('a', 'aa') %}{% endfor %}",
    '{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}',
    '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
    '{{ 9 ** 999999 }}',
  ])('%s', template => {
    const limits = { ...templateLimits, steps: 1_000_000 };
    expect(() => new Template(template).render(variables, limits)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ kind: 'LimitExceeded' }) }),
    );
  });
  test.each(['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`])(
    'nesting',
    template => {
      expect(() => render(template)).toThrow('it is nested too deeply');
    },
  );
  test('a long conversation is far from them', () => {
    const messages = Array.from({ length: 2000 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: 'word 🙂 '.repeat(100),
    }));
    const template =
      "{% set ns = namespace(t='') %}{% for m in messages %}{% set ns.t = ns.t + m.content | trim + loop.last | string %}{% endfor %}{{ ns.t }}";
    expect(render(template, { messages })).toHaveLength(2000 * 799 + 1999 * 5 + 4);
  });
});

test('numbers from JavaScript are ints if they are whole', () => {
  expect(render('{{ x }} {{ y }} {{ z }}', { x: 1, y: 1.5, z: 12345678901234567890n })).toBe(
    '1 1.5 12345678901234567890',
  );
});
test('a variable that is not data is an error', () => {
  expect(() => render('x', { f: () => 1 })).toThrow('a variable is a function, expected data');
  const loop: unknown[] = [];
  loop.push(loop);
  expect(() => render('x', { loop })).toThrow('nested more than 500 levels deep');
});
