// Parses the tokens of a template, as Jinja 3.1 does with the extensions that transformers enables: break, continue, generation.

import { TemplateSyntaxError, type Token, tokenize } from './lexer.ts';
import type {
  Arguments,
  Call,
  CallBlock,
  Comparison,
  Expression,
  For,
  Name,
  Signature,
  Statement,
  Target,
} from './nodes.ts';
import { parseFloatText, parseInt10 } from './numbers.ts';
import { Run } from './run.ts';

/** @throws {TemplateSyntaxError} */
export function parseTemplate(source: string): readonly Statement[] {
  return new Parser(tokenize(source)).parse();
}

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
const constants: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
type Body = readonly Statement[];

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  /** The tags that may end the open blocks, for messages. */
  readonly #awaited: (readonly string[])[] = [];
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  parse(): Body {
    return this.#statements([]);
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }
  #next(): Token {
    const token = this.#token;
    if (token.type !== 'eof') this.#at++;
    return token;
  }
  #is(type: Token['type'], text?: string, ahead = 0): boolean {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
    return token.type === type && (text === undefined || token.text === text);
  }
  #isName(text: string, ahead = 0): boolean {
    return this.#is('name', text, ahead);
  }
  #isOperator(text: string, ahead = 0): boolean {
    return this.#is('operator', text, ahead);
  }
  #skip(type: 'name' | 'operator', text: string): boolean {
    if (!this.#is(type, text)) return false;
    this.#at++;
    return true;
  }
  #fail(message: string, line = this.#token.line): never {
    throw new TemplateSyntaxError(message, line);
  }
  #describe(token = this.#token): string {
    if (token.type === 'eof') return 'end of template';
    return token.type === 'block_end'
      ? 'end of statement block'
      : token.type === 'variable_end'
        ? 'end of print statement'
        : token.text;
  }
  #expect(type: Token['type'], text?: string): Token {
    if (!this.#is(type, text)) {
      if (this.#token.type === 'eof') this.#fail(`unexpected end of template, expected '${text ?? type}'`);
      this.#fail(
        `expected token '${text ?? (type === 'block_end' ? 'end of statement block' : type === 'variable_end' ? 'end of print statement' : type)}', got '${this.#describe()}'`,
      );
    }
    return this.#next();
  }

  /** Statements up to a tag of `ends`, whose name is the next token; up to the end of the template if there are none. */
  #statements(ends: readonly string[]): Body {
    const body: Statement[] = [];
    let output: (string | Expression)[] = [];
    let outputLine = 1;
    const flush = (): void => {
      if (output.length > 0) body.push({ kind: 'output', items: output, line: outputLine });
      output = [];
    };
    this.#awaited.push(ends);
    for (;;) {
      const token = this.#next();
      if (token.type === 'eof') {
        if (ends.length > 0)
          this.#fail(
            `Unexpected end of template. Jinja was looking for the following tags: ${ends.map(end => `'${end}'`).join(' or ')}.`,
          );
        flush();
        break;
      }
      if (output.length === 0) outputLine = token.line;
      if (token.type === 'data') output.push(token.text);
      else if (token.type === 'variable_begin') {
        output.push(this.#tuple());
        this.#expect('variable_end');
      } else {
        flush();
        if (this.#token.type === 'name' && ends.includes(this.#token.text)) break;
        const statement = this.#statement();
        if (statement !== undefined) body.push(statement);
        this.#expect('block_end');
      }
    }
    this.#awaited.pop();
    return body;
  }
  /** The body of a block; its end tag is consumed. */
  #body(...ends: string[]): { readonly body: Body; readonly end: string } {
    this.#skip('operator', ':');
    this.#expect('block_end');
    const body = this.#statements(ends);
    return { body, end: this.#next().text };
  }

  #statement(): Statement | undefined {
    const { line, type, text } = this.#token;
    if (type !== 'name') this.#fail('tag name expected', line);
    this.#next();
    switch (text) {
      case 'for':
        return this.#for(line);
      case 'if': {
        const branches: { readonly test: Expression; readonly body: Body }[] = [];
        for (;;) {
          const test = this.#tuple({ condition: false });
          const { body, end } = this.#body('elif', 'else', 'endif');
          branches.push({ test, body });
          if (end === 'elif') continue;
          return { kind: 'if', branches, otherwise: end === 'else' ? this.#body('endif').body : [], line };
        }
      }
      case 'set': {
        const target = this.#target({ namespace: true });
        if (this.#skip('operator', '=')) return { kind: 'set', target, value: this.#tuple(), line };
        const filter = this.#filters(undefined);
        return { kind: 'setBlock', target, filter, body: this.#body('endset').body, line };
      }
      case 'with': {
        const [targets, values]: [Target[], Expression[]] = [[], []];
        while (!this.#is('block_end')) {
          if (targets.length > 0) this.#expect('operator', ',');
          targets.push(asParameter(this.#target({})));
          this.#expect('operator', '=');
          values.push(this.#expression());
        }
        return { kind: 'with', targets, values, body: this.#body('endwith').body, line };
      }
      case 'macro': {
        const { text: name } = this.#expect('name');
        const signature = this.#signature();
        return { kind: 'macro', name, signature, body: this.#body('endmacro').body, line };
      }
      case 'call':
        return this.#callBlock(line);
      case 'filter': {
        const filter = this.#filters(undefined, true)!;
        return { kind: 'filterBlock', body: this.#body('endfilter').body, filter, line };
      }
      case 'block': {
        const { text: name } = this.#expect('name');
        const scoped = this.#skip('name', 'scoped');
        if (this.#skip('name', 'required'))
          this.#fail('required blocks need other templates, which are not supported', line);
        const { body } = this.#body('endblock');
        this.#skip('name', name);
        return { kind: 'block', name, body, scoped, line };
      }
      case 'generation':
        return { kind: 'generation', body: this.#body('endgeneration').body, line };
      case 'break':
      case 'continue':
        return { kind: text, line };
      case 'print': {
        const items: Expression[] = [];
        while (!this.#is('block_end')) {
          if (items.length > 0) this.#expect('operator', ',');
          items.push(this.#expression());
        }
        return { kind: 'output', items, line };
      }
      case 'include':
      case 'import':
      case 'from':
      case 'extends': {
        this.#expression();
        const optional = text === 'include' && this.#isName('ignore');
        while (!this.#is('block_end') && !this.#is('eof')) this.#next();
        return { kind: 'load', optional, line };
      }
      case 'autoescape':
        return this.#fail('autoescape is not supported', line);
      default: {
        const awaited = this.#awaited.at(-1)!;
        const expected =
          awaited.length === 0
            ? ''
            : ` Jinja was looking for the following tags: ${awaited.map(end => `'${end}'`).join(' or ')}.`;
        return this.#fail(`Encountered unknown tag '${text}'.${expected}`, line);
      }
    }
  }

  #for(line: number): For {
    const target = this.#target({ end: 'in' });
    this.#expect('name', 'in');
    const iter = this.#tuple({ condition: false, end: 'recursive' });
    const test = this.#skip('name', 'if') ? this.#expression() : undefined;
    const recursive = this.#skip('name', 'recursive');
    const { body, end } = this.#body('endfor', 'else');
    const otherwise = end === 'else' ? this.#body('endfor').body : [];
    return { kind: 'for', target, iter, body, otherwise, test, recursive, line };
  }
  #callBlock(line: number): CallBlock {
    const signature = this.#isOperator('(') ? this.#signature() : { params: [], defaults: [] };
    const call = this.#expression();
    if (call.kind !== 'call') this.#fail('expected call', line);
    return { kind: 'callBlock', call, signature, body: this.#body('endcall').body, line };
  }
  #signature(): Signature {
    const [params, defaults]: [Name[], Expression[]] = [[], []];
    this.#expect('operator', '(');
    while (!this.#isOperator(')')) {
      if (params.length > 0) this.#expect('operator', ',');
      const { text: name, line } = this.#expect('name');
      if (name in constants) this.#fail(`can't assign to '${name}'`, line);
      params.push({ kind: 'name', name, use: 'param', line });
      if (this.#skip('operator', '=')) defaults.push(this.#expression());
      else if (defaults.length > 0) this.#fail('non-default argument follows default argument');
    }
    this.#expect('operator', ')');
    return { params, defaults };
  }
  #target({ end, namespace = false }: { readonly end?: string; readonly namespace?: boolean }): Target {
    const target = this.#tuple({ simple: true, namespace, ...(end === undefined ? {} : { end }) });
    const stored = (one: Expression): Target => {
      if (one.kind === 'name') return { ...one, use: 'store' };
      if (one.kind === 'namespaceField') return one;
      if (one.kind === 'tuple') return { ...one, items: one.items.map(stored) };
      return this.#fail(`can't assign to '${one.kind}'`, one.line);
    };
    return stored(target);
  }

  /** An expression, or a tuple without parentheses. */
  #tuple(
    rules: {
      readonly condition?: boolean;
      readonly end?: string;
      readonly simple?: boolean;
      readonly namespace?: boolean;
      readonly parentheses?: boolean;
    } = {},
  ): Expression {
    const { condition = true, end, simple = false, namespace = false, parentheses = false } = rules;
    const { line } = this.#token;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.#expect('operator', ',');
      if (
        this.#is('variable_end') ||
        this.#is('block_end') ||
        this.#isOperator(')') ||
        (end !== undefined && this.#isName(end))
      )
        break;
      items.push(simple ? this.#primary(namespace) : condition ? this.#expression() : this.#or());
      if (!this.#isOperator(',')) break;
      isTuple = true;
    }
    if (!isTuple && items.length > 0) return items[0]!;
    if (!isTuple && !parentheses) this.#fail(`Expected an expression, got '${this.#describe()}'`);
    return { kind: 'tuple', items, line };
  }
  #expression(): Expression {
    let { line } = this.#token;
    let expression = this.#or();
    while (this.#skip('name', 'if')) {
      const test = this.#or();
      const otherwise = this.#skip('name', 'else') ? this.#expression() : undefined;
      expression = { kind: 'condition', test, chosen: expression, otherwise, line };
      line = this.#token.line;
    }
    return expression;
  }
  #or(): Expression {
    let left = this.#and();
    while (this.#skip('name', 'or')) left = { kind: 'or', left, right: this.#and(), line: left.line };
    return left;
  }
  #and(): Expression {
    let left = this.#not();
    while (this.#skip('name', 'and')) left = { kind: 'and', left, right: this.#not(), line: left.line };
    return left;
  }
  #not(): Expression {
    const { line } = this.#token;
    return this.#skip('name', 'not') ? { kind: 'not', value: this.#not(), line } : this.#compare();
  }
  #compare(): Expression {
    const first = this.#sum();
    const rest: { readonly operator: Comparison; readonly value: Expression }[] = [];
    for (;;) {
      let operator: Comparison;
      if (this.#token.type === 'operator' && comparisons.has(this.#token.text))
        operator = this.#next().text as Comparison;
      else if (this.#skip('name', 'in')) operator = 'in';
      else if (this.#isName('not') && this.#isName('in', 1)) {
        this.#at += 2;
        operator = 'not in';
      } else break;
      rest.push({ operator, value: this.#sum() });
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest, line: first.line };
  }
  #binary(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.#token.type === 'operator' && operators.includes(this.#token.text)) {
      const operator = this.#next().text as '+';
      left = { kind: 'arithmetic', operator, left, right: operand(), line: left.line };
    }
    return left;
  }
  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#concat());
  }
  #concat(): Expression {
    const items = [this.#product()];
    while (this.#skip('operator', '~')) items.push(this.#product());
    return items.length === 1 ? items[0]! : { kind: 'concat', items, line: items[0]!.line };
  }
  #product(): Expression {
    return this.#binary(['*', '/', '//', '%'], () => this.#binary(['**'], () => this.#unary()));
  }
  #unary(withFilter = true): Expression {
    const { line, type, text } = this.#token;
    let expression: Expression;
    if (type === 'operator' && (text === '-' || text === '+')) {
      this.#next();
      expression = { kind: 'sign', sign: text, value: this.#unary(false), line };
    } else expression = this.#primary();
    expression = this.#postfix(expression);
    return withFilter ? this.#filterExpression(expression) : expression;
  }
  #primary(namespace = false): Expression {
    const token = this.#next();
    const { type, text, line } = token;
    switch (type) {
      case 'name':
        if (Object.hasOwn(constants, text)) return { kind: 'constant', value: constants[text]!, line };
        if (namespace && this.#skip('operator', '.'))
          return { kind: 'namespaceField', name: text, field: this.#expect('name').text, line };
        return { kind: 'name', name: text, use: 'load', line };
      case 'string': {
        let value = text;
        while (this.#is('string')) value += this.#next().text;
        return { kind: 'constant', value, line };
      }
      case 'integer':
        return { kind: 'constant', value: numberOf(text, line, parseInt10), line };
      case 'float':
        return { kind: 'constant', value: numberOf(text, line, parseFloatText), line };
      case 'operator':
        if (text === '(') {
          const tuple = this.#tuple({ parentheses: true });
          this.#expect('operator', ')');
          return tuple;
        }
        if (text === '[') return { kind: 'list', items: this.#items(']', () => this.#expression()), line };
        if (text === '{')
          return {
            kind: 'dict',
            items: this.#items('}', () => {
              const key = this.#expression();
              this.#expect('operator', ':');
              return { key, value: this.#expression() };
            }),
            line,
          };
    }
    return this.#fail(`unexpected '${this.#describe(token)}'`, line);
  }
  #items<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.#isOperator(end)) {
      if (items.length > 0) this.#expect('operator', ',');
      if (this.#isOperator(end)) break;
      items.push(item());
    }
    this.#expect('operator', end);
    return items;
  }
  #postfix(start: Expression): Expression {
    let expression = start;
    for (;;) {
      if (this.#isOperator('.') || this.#isOperator('[')) expression = this.#subscript(expression);
      else if (this.#isOperator('(')) expression = this.#call(expression);
      else return expression;
    }
  }
  #filterExpression(start: Expression): Expression {
    let expression = start;
    for (;;) {
      if (this.#isOperator('|')) expression = this.#filters(expression)!;
      else if (this.#isName('is')) expression = this.#test(expression);
      else if (this.#isOperator('(')) expression = this.#call(expression);
      else return expression;
    }
  }
  #subscript(value: Expression): Expression {
    const { text, line } = this.#next();
    if (text === '.') {
      const token = this.#next();
      if (token.type === 'name') return { kind: 'attribute', value, name: token.text, line };
      if (token.type !== 'integer') this.#fail('expected name or number', token.line);
      return {
        kind: 'item',
        value,
        key: { kind: 'constant', value: numberOf(token.text, line, parseInt10), line },
        line,
      };
    }
    const keys: Expression[] = [];
    while (!this.#isOperator(']')) {
      if (keys.length > 0) this.#expect('operator', ',');
      keys.push(this.#key());
    }
    this.#expect('operator', ']');
    return { kind: 'item', value, key: keys.length === 1 ? keys[0]! : { kind: 'tuple', items: keys, line }, line };
  }
  #key(): Expression {
    const { line } = this.#token;
    const start = this.#isOperator(':') ? undefined : this.#expression();
    if (!this.#skip('operator', ':')) return start!;
    const part = (): Expression | undefined =>
      this.#isOperator(':') || this.#isOperator(']') || this.#isOperator(',') ? undefined : this.#expression();
    const stop = part();
    const step = this.#skip('operator', ':') ? part() : undefined;
    return { kind: 'slice', start, stop, step, line };
  }
  #call(callee: Expression): Call {
    const { line } = this.#token;
    return { kind: 'call', callee, given: this.#arguments(), line };
  }
  #arguments(): Arguments {
    const { line } = this.#expect('operator', '(');
    const args: Expression[] = [];
    const kwargs: { readonly name: string; readonly value: Expression }[] = [];
    let moreArgs: Expression | undefined;
    let moreKwargs: Expression | undefined;
    const check = (valid: boolean): void => {
      if (!valid) this.#fail('invalid syntax for function call expression', line);
    };
    for (let first = true; !this.#isOperator(')'); first = false) {
      if (!first) {
        this.#expect('operator', ',');
        if (this.#isOperator(')')) break;
      }
      if (this.#skip('operator', '*')) {
        check(moreArgs === undefined && moreKwargs === undefined);
        moreArgs = this.#expression();
      } else if (this.#skip('operator', '**')) {
        check(moreKwargs === undefined);
        moreKwargs = this.#expression();
      } else if (this.#is('name') && this.#isOperator('=', 1)) {
        check(moreKwargs === undefined);
        const name = this.#next().text;
        this.#next();
        if (kwargs.some(other => other.name === name)) this.#fail(`keyword argument repeated: ${name}`, line);
        kwargs.push({ name, value: this.#expression() });
      } else {
        check(moreArgs === undefined && moreKwargs === undefined && kwargs.length === 0);
        args.push(this.#expression());
      }
    }
    this.#expect('operator', ')');
    return { args, kwargs, moreArgs, moreKwargs };
  }
  #dottedName(): string {
    let { text } = this.#expect('name');
    while (this.#skip('operator', '.')) text += `.${this.#expect('name').text}`;
    return text;
  }
  #filters(start: Expression | undefined, inline = false): Expression | undefined {
    let value = start;
    for (let first = inline; first || this.#isOperator('|'); first = false) {
      if (!first) this.#next();
      const { line } = this.#token;
      const name = this.#dottedName();
      value = { kind: 'filter', value, name, given: this.#isOperator('(') ? this.#arguments() : noArguments, line };
    }
    return value;
  }
  #test(value: Expression): Expression {
    const { line } = this.#next();
    const negated = this.#skip('name', 'not');
    const name = this.#dottedName();
    let given = noArguments;
    const { type, text } = this.#token;
    if (this.#isOperator('(')) given = this.#arguments();
    else if (
      (type === 'name' && !['else', 'or', 'and'].includes(text)) ||
      ['string', 'integer', 'float'].includes(type) ||
      this.#isOperator('[') ||
      this.#isOperator('{')
    ) {
      if (this.#isName('is')) this.#fail('You cannot chain multiple tests with is');
      given = { ...noArguments, args: [this.#postfix(this.#primary())] };
    }
    const test: Expression = { kind: 'test', value, name, given, line };
    return negated ? { kind: 'not', value: test, line } : test;
  }
}
const noArguments: Arguments = { args: [], kwargs: [], moreArgs: undefined, moreKwargs: undefined };

const asParameter = (target: Target): Target =>
  target.kind === 'name'
    ? { ...target, use: 'param' }
    : target.kind === 'tuple'
      ? { ...target, items: target.items.map(asParameter) }
      : target;
function numberOf<T>(text: string, line: number, parse: (run: Run, text: string, base?: bigint) => T): T {
  try {
    return parse(new Run(), text, 0n);
  } catch (error) {
    throw new TemplateSyntaxError((error as Error).message, line);
  }
}
