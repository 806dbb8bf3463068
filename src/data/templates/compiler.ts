// Compiles the syntax tree of a template to closures. Variables are slots of frames, one frame per call of a function: the
// template, a macro, a recursive loop, the condition of a loop.
import { callValue, getAttribute, getItem, slice } from './attributes.ts';
import { applyFilter, applyTest, filters, isTest } from './filters.ts';
import { percentFormat } from './format.ts';
import { globals } from './globals.ts';
import { TemplateSyntaxError } from './lexer.ts';
import { Loop } from './loop.ts';
import type {
  Arguments,
  Block,
  Call,
  Comparison,
  Expression,
  For,
  Node,
  Signature,
  Statement,
  Target,
} from './nodes.ts';
import { joined, negative, operate } from './numbers.ts';
import { PythonError, type Run, typeError, valueError } from './run.ts';
import {
  FunctionScope,
  findAll,
  Scope,
  undeclared,
  type Variable,
  visit,
  visitAll,
  visitLoopTarget,
} from './scopes.ts';
import { str } from './text.ts';
import {
  contains,
  Dict,
  each,
  equals,
  Func,
  firstOf,
  Iter,
  isText,
  isTrue,
  iteratorOf,
  type Kwargs,
  listOf,
  Namespace,
  ordered,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
} from './values.ts';

/** The variables that are known by name: those given to the template, and those that it sets at its top level. */
interface Context {
  readonly variables: ReadonlyMap<string, Value>;
  readonly exported: Map<string, Value>;
}
interface Frame {
  readonly run: Run;
  readonly context: Context;
  readonly slots: (Value | undefined)[];
  readonly up: Frame | undefined;
}
type Evaluate = (frame: Frame) => Value;
/** How a statement ends. */
type Signal = undefined | 'break' | 'continue';
type Execute = (frame: Frame) => Signal;

/** Where a node is compiled. */
interface Place {
  readonly scope: Scope;
  readonly fn: FunctionScope;
  readonly isTop: boolean;
  /** Inside `if`, unknown filters and tests are errors only when they are used. */
  readonly isSoft: boolean;
  readonly inLoop: boolean;
}
const fail = (message: string, line: number): never => {
  throw new TemplateSyntaxError(message, line);
};

/** The compiled template: renders with variables. */
export function compileTemplate(
  body: readonly Statement[],
): (run: Run, variables: ReadonlyMap<string, Value>) => string {
  const compiler = new Compiler(body);
  const fn = new FunctionScope();
  const scope = new Scope(fn);
  visitAll(scope, body);
  const execute = compiler.body(body, { scope, fn, isTop: true, isSoft: false, inLoop: false });
  const enter = compiler.enter(scope, fn);
  return (run, variables) => {
    const frame: Frame = { run, context: { variables, exported: new Map() }, slots: [], up: undefined };
    enter(frame);
    return run.capture(() => void execute(frame));
  };
}

const writeVariable = (
  fn: FunctionScope,
  { scope, slot }: Variable,
): ((frame: Frame, value: Value | undefined) => void) => {
  const hops = fn.depth - scope.depth;
  return (frame, value) => {
    let target = frame;
    for (let i = 0; i < hops; i++) target = target.up!;
    target.slots[slot] = value;
  };
};
const readVariable = (fn: FunctionScope, { scope, slot }: Variable): ((frame: Frame) => Value | undefined) => {
  const hops = fn.depth - scope.depth;
  if (hops === 0) return frame => frame.slots[slot];
  return frame => {
    let source = frame;
    for (let i = 0; i < hops; i++) source = source.up!;
    return source.slots[slot];
  };
};
function resolve({ context }: Frame, name: string): Value | undefined {
  for (const names of [context.exported, context.variables, globals]) {
    const value = names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

class Compiler {
  readonly #blocks = new Map<string, Execute>();
  constructor(body: readonly Statement[]) {
    for (const block of findAll(body, 'block')) {
      if (this.#blocks.has(block.name)) fail(`block '${block.name}' defined twice`, block.line);
      this.#blocks.set(block.name, () => undefined);
    }
    for (const block of findAll(body, 'block')) this.#blocks.set(block.name, this.#blockFunction(block));
  }

  /** Sets the variables of a scope to their values at its start. */
  enter(scope: Scope, fn: FunctionScope): (frame: Frame) => void {
    const steps = [...scope.loads].flatMap(([variable, load]) => {
      if (load.from === 'parameter') return [];
      const write = writeVariable(fn, variable);
      if (load.from === 'nothing') return [(frame: Frame) => write(frame, undefined)];
      if (load.from === 'context') return [(frame: Frame) => write(frame, resolve(frame, load.name))];
      const read = readVariable(fn, load.variable);
      return [(frame: Frame) => write(frame, read(frame))];
    });
    return frame => {
      for (const step of steps) step(frame);
    };
  }

  body(statements: readonly Statement[], place: Place): Execute {
    const compiled = statements.map(statement => {
      const execute = this.#statement(statement, place);
      const { line } = statement;
      return (frame: Frame): Signal => {
        frame.run.line = line;
        frame.run.step();
        return execute(frame);
      };
    });
    return frame => {
      for (const execute of compiled) {
        const signal = execute(frame);
        if (signal !== undefined) return signal;
      }
      return undefined;
    };
  }

  #statement(node: Statement, place: Place): Execute {
    switch (node.kind) {
      case 'output': {
        const writes = node.items.map((item): ((frame: Frame) => void) => {
          if (typeof item === 'string') return ({ run }) => run.write(item);
          const value = this.#expression(item, place);
          return frame => {
            frame.run.line = item.line;
            frame.run.write(str(frame.run, value(frame)));
          };
        });
        return frame => {
          for (const write of writes) write(frame);
          return undefined;
        };
      }
      case 'set': {
        const value = this.#expression(node.value, place);
        const check = this.#namespaces(node.target, place);
        const assign = this.#assign(node.target, place);
        return frame => {
          check(frame);
          assign(frame, value(frame));
          return undefined;
        };
      }
      case 'setBlock':
        return this.#setBlock(node, place);
      case 'break':
      case 'continue':
        if (!place.inLoop) fail(`'${node.kind}' outside loop`, node.line);
        return () => node.kind;
      case 'load':
        return () => {
          if (!node.optional)
            throw new PythonError(
              'TypeError',
              'no loader for this environment specified: there are no other templates',
            );
          return undefined;
        };
      case 'if': {
        const soft = { ...place, isSoft: true };
        const branches = node.branches.map(({ test, body }) => ({
          test: this.#expression(test, soft),
          body: this.body(body, soft),
        }));
        const otherwise = this.body(node.otherwise, soft);
        return frame => {
          for (const { test, body } of branches) if (isTrue(frame.run, test(frame))) return body(frame);
          return otherwise(frame);
        };
      }
      case 'for':
        return this.#for(node, place);
      case 'macro': {
        const make = this.#macro(node.name, node.signature, node.body, node.line, place);
        const assign = this.#assign({ kind: 'name', name: node.name, use: 'store', line: node.line }, place);
        return frame => {
          assign(frame, make(frame));
          return undefined;
        };
      }
      case 'callBlock': {
        const make = this.#macro('', node.signature, node.body, node.line, place);
        const call = this.#call(node.call, place, make);
        return frame => {
          frame.run.write(str(frame.run, call(frame)));
          return undefined;
        };
      }
      case 'generation': {
        const make = this.#macro('generation', { params: [], defaults: [] }, node.body, node.line, place);
        return frame => {
          frame.run.write(str(frame.run, callValue(frame.run, make(frame), [], new Map())));
          return undefined;
        };
      }
      case 'with': {
        const inner = this.#inner(place, scope => {
          visitAll(scope, node.targets);
          visitAll(scope, node.body);
        });
        const enter = this.enter(inner.scope, inner.fn);
        const sets = node.targets.map((target, i) => {
          const [assign, value] = [this.#assign(target, inner), this.#expression(node.values[i]!, place)];
          return (frame: Frame) => assign(frame, value(frame));
        });
        const body = this.body(node.body, inner);
        return frame => {
          enter(frame);
          for (const set of sets) set(frame);
          return body(frame);
        };
      }
      case 'filterBlock': {
        const inner = this.#inner(place, scope => {
          visitAll(scope, node.body);
          visit(scope, node.filter);
        });
        const captured = this.#captured(node.body, inner);
        let text = '';
        const filter = this.#expression(node.filter, inner, () => text);
        return frame => {
          const { signal, out } = captured(frame);
          if (signal !== undefined) return signal;
          text = out;
          frame.run.write(str(frame.run, filter(frame)));
          return undefined;
        };
      }
      case 'block':
        return this.#block(node, place);
    }
  }

  /** A scope inside the current function. */
  #inner(place: Place, fill: (scope: Scope) => void): Place {
    const scope = new Scope(place.fn, place.scope);
    fill(scope);
    return { ...place, scope, isTop: false, isSoft: false };
  }
  /** Runs a body in its scope, and returns what it writes. */
  #captured(
    statements: readonly Statement[],
    place: Place,
  ): (frame: Frame) => { readonly signal: Signal; readonly out: string } {
    const enter = this.enter(place.scope, place.fn);
    const body = this.body(statements, place);
    return frame => {
      enter(frame);
      let signal: Signal;
      const out = frame.run.capture(() => {
        signal = body(frame);
      });
      return { signal, out };
    };
  }
  #setBlock(node: Extract<Statement, { readonly kind: 'setBlock' }>, place: Place): Execute {
    const inner = this.#inner(place, scope => visitAll(scope, node.body));
    // Jinja does not look for the names of the filter's arguments.
    if (node.filter !== undefined) visit(inner.scope, node.filter);
    const captured = this.#captured(node.body, inner);
    let text = '';
    const filter = node.filter === undefined ? undefined : this.#expression(node.filter, inner, () => text);
    const assign = this.#assign(node.target, place);
    return frame => {
      const { signal, out } = captured(frame);
      if (signal !== undefined) return signal;
      text = out;
      assign(frame, filter === undefined ? out : filter(frame));
      return undefined;
    };
  }

  #block(node: Block, place: Place): Execute {
    const names = node.scoped ? namesOf(place.scope) : [];
    const reads = names.map(name => [name, readVariable(place.fn, place.scope.find(name)!)] as const);
    return frame => {
      const { context, run } = frame;
      const exported = new Map(context.exported);
      for (const [name, read] of reads) {
        const value = read(frame);
        if (value !== undefined) exported.set(name, value);
      }
      const inner: Context = node.scoped ? { variables: context.variables, exported } : context;
      this.#blocks.get(node.name)!({ run, context: inner, slots: [], up: undefined });
      return undefined;
    };
  }
  #blockFunction(node: Block): Execute {
    const fn = new FunctionScope();
    const scope = new Scope(fn);
    visitAll(scope, node.body);
    const enter = this.enter(scope, fn);
    const body = this.body(node.body, { scope, fn, isTop: false, isSoft: false, inLoop: false });
    return frame => {
      enter(frame);
      return body(frame);
    };
  }

  #for(node: For, place: Place): Execute {
    for (const name of findAll([node], 'name'))
      if (name.use === 'store' && name.name === 'loop')
        fail("Can't assign to special loop variable in for-loop target", name.line);
    const extended =
      node.recursive ||
      undeclared(node.body, ['loop']).has('loop') ||
      findAll([node], 'block').some(block => block.scoped);
    const fn = node.recursive ? new FunctionScope(place.fn) : place.fn;
    const scope = new Scope(fn, place.scope);
    const loopVariable = extended ? scope.declare('loop') : undefined;
    visitLoopTarget(scope, node.target);
    visitAll(scope, node.body);
    const inner: Place = { ...place, scope, fn, isTop: false, isSoft: false, inLoop: true };
    const elseScope = new Scope(fn, place.scope);
    visitAll(elseScope, node.otherwise);
    const elsePlace: Place = { ...inner, scope: elseScope, inLoop: place.inLoop && !node.recursive };

    const filtered = node.test === undefined ? undefined : this.#loopFilter(node, node.test, place, fn);
    const iter = this.#expression(node.iter, place);
    const assign = this.#assign(node.target, inner);
    const setLoop = loopVariable === undefined ? undefined : writeVariable(fn, loopVariable);
    const [enter, enterElse] = [this.enter(scope, fn), this.enter(elseScope, fn)];
    const [body, otherwise] = [this.body(node.body, inner), this.body(node.otherwise, elsePlace)];
    const iterate = (
      frame: Frame,
      given: Value,
      recurse?: (values: Value, depth: number) => Value,
      depth = 0,
    ): Signal => {
      const { run } = frame;
      const values = filtered === undefined ? given : filtered(frame, given);
      let iterator: Iterator<Value> = iteratorOf(values);
      if (setLoop !== undefined) {
        const loop = new Loop(run, values, iterator, recurse, depth);
        iterator = loop;
        setLoop(frame, loop);
      }
      let any = false;
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        run.step();
        assign(frame, next.value);
        // As in Jinja, the other variables get their outer values again.
        enter(frame);
        const signal = body(frame);
        if (signal === 'break') break;
        // As in Jinja, "else" also runs after iterations that all end with "continue".
        if (signal !== 'continue') any = true;
      }
      if (any || node.otherwise.length === 0) return undefined;
      enterElse(frame);
      return otherwise(frame);
    };
    if (!node.recursive) return frame => iterate(frame, iter(frame));
    return frame => {
      const render = (values: Value, depth: number): Value => {
        const inside: Frame = { run: frame.run, context: frame.context, slots: [], up: frame };
        return frame.run.capture(() => void iterate(inside, values, render, depth));
      };
      const text = render(iter(frame), 0);
      frame.run.write(str(frame.run, text));
      return undefined;
    };
  }
  /** The values of a loop for which its condition holds, computed as they are needed. */
  #loopFilter(
    node: For,
    condition: Expression,
    place: Place,
    outer: FunctionScope,
  ): (frame: Frame, values: Value) => Value {
    const fn = new FunctionScope(outer);
    const scope = new Scope(fn, place.scope);
    visitLoopTarget(scope, node.target);
    visit(scope, condition);
    const inner: Place = { ...place, scope, fn, isTop: false, isSoft: false };
    const [enter, assign, test] = [
      this.enter(scope, fn),
      this.#assign(node.target, inner),
      this.#expression(condition, inner),
    ];
    return ({ run, context, ...rest }, values) => {
      const frame: Frame = { run, context, slots: [], up: { run, context, ...rest } };
      const select = function* (): Generator<Value> {
        enter(frame);
        for (const item of each(run, values)) {
          const value = node.target.kind === 'tuple' ? new Tuple(listOf(run, item)) : item;
          assign(frame, value);
          if (isTrue(run, test(frame))) yield value;
        }
      };
      return new Iter(select());
    };
  }

  #macro(
    name: string,
    { params, defaults }: Signature,
    body: readonly Statement[],
    line: number,
    place: Place,
  ): (frame: Frame) => Func {
    const fn = new FunctionScope(place.fn);
    const scope = new Scope(fn, place.scope);
    const analyze = (): void => {
      visitAll(scope, params);
      visitAll(scope, defaults);
      visitAll(scope, body);
    };
    analyze();
    const names = params.map(param => param.name);
    const special = undeclared(body, ['caller', 'kwargs', 'varargs']);
    const explicitCaller = names.indexOf('caller');
    const usesCaller = special.has('caller');
    if (usesCaller && explicitCaller >= 0 && defaults[explicitCaller - names.length + defaults.length] === undefined)
      fail(
        'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
        line,
      );
    const extra = (['caller', 'kwargs', 'varargs'] as const).filter(one => special.has(one) && !names.includes(one));
    for (const one of extra) scope.declare(one);
    analyze();
    const inner: Place = { scope, fn, isTop: false, isSoft: false, inLoop: false };
    const enter = this.enter(scope, fn);
    const writes = [...names, ...extra].map(one => writeVariable(fn, scope.find(one)!));
    const initial = names.map((one, i): Evaluate => {
      const value = defaults[i - names.length + defaults.length];
      return value === undefined
        ? () => new Undefined(`parameter '${one}' was not provided`)
        : this.#expression(value, inner);
    });
    const reads = names.map(one => readVariable(fn, scope.find(one)!));
    const execute = this.body(body, inner);
    const attributes = new Map<string, Value>([
      ['name', name],
      ['arguments', new Tuple(names)],
      ['catch_kwargs', special.has('kwargs')],
      ['catch_varargs', special.has('varargs')],
      ['caller', usesCaller],
    ]);
    return outer => {
      const call = (run: Run, args: readonly Value[], given: Kwargs): Value => {
        const frame: Frame = { run, context: outer.context, slots: [], up: outer };
        const kwargs = new Map(given);
        const values: (Value | undefined)[] = args.slice(0, names.length);
        let foundCaller = values.length === names.length && explicitCaller >= 0;
        for (const one of names.slice(values.length)) {
          values.push(kwargs.get(one));
          kwargs.delete(one);
          if (one === 'caller') foundCaller = true;
        }
        if (usesCaller && !foundCaller) {
          values.push(firstOf(kwargs.get('caller'), () => new Undefined('No caller defined')));
          kwargs.delete('caller');
        }
        if (extra.includes('kwargs')) values.push(Dict.from(kwargs));
        else if (kwargs.size > 0)
          throw typeError(`macro '${name}' takes no keyword argument '${[...kwargs.keys()][0]!}'`);
        if (extra.includes('varargs')) values.push(new Tuple(args.slice(names.length)));
        else if (args.length > names.length)
          throw typeError(`macro '${name}' takes not more than ${names.length} argument(s)`);
        for (const [i, write] of writes.entries()) write(frame, values[i]);
        enter(frame);
        initial.forEach((value, i) => {
          if (reads[i]!(frame) === undefined) writes[i]!(frame, value(frame));
        });
        const { line: callLine } = run;
        const text = run.capture(() => void execute(frame));
        run.line = callLine;
        return text;
      };
      return new Func(name, call, 'Macro', attributes);
    };
  }

  /** Assigns a value to names and fields of namespaces. */
  #assign(target: Target, place: Place): (frame: Frame, value: Value) => void {
    if (target.kind === 'name') {
      const { name } = target;
      const write = writeVariable(place.fn, place.scope.find(name)!);
      if (!place.isTop) return write;
      return (frame, value) => {
        write(frame, value);
        frame.context.exported.set(name, value);
      };
    }
    if (target.kind === 'namespaceField') {
      const read = readVariable(place.fn, place.scope.find(target.name)!);
      return (frame, value) => {
        const namespace = read(frame);
        if (!(namespace instanceof Namespace))
          throw new PythonError(
            'TypeError',
            `'${namespace === undefined ? 'Undefined' : typeName(namespace)}' object does not support item assignment`,
          );
        frame.run.allocate(16);
        namespace.values.set(target.field, value);
      };
    }
    const parts = target.items.map(item => this.#assign(item as Target, place));
    return (frame, value) => {
      const values: Value[] = [];
      for (const item of each(frame.run, value)) {
        values.push(item);
        if (values.length > parts.length) throw valueError(`too many values to unpack (expected ${parts.length})`);
      }
      if (values.length < parts.length)
        throw valueError(`not enough values to unpack (expected ${parts.length}, got ${values.length})`);
      for (const [i, assign] of parts.entries()) assign(frame, values[i]!);
    };
  }
  /** Checks that fields are assigned to namespaces only, before the value is computed. */
  #namespaces(target: Target, place: Place): (frame: Frame) => void {
    const reads = findAll([target as Node], 'namespaceField').map(({ name }) =>
      readVariable(place.fn, place.scope.find(name)!),
    );
    return frame => {
      for (const read of reads)
        if (!(read(frame) instanceof Namespace))
          throw new PythonError('TemplateError', 'cannot assign attribute on non-namespace object');
    };
  }

  #expression(node: Expression, place: Place, blockText?: () => string): Evaluate {
    const compile = (one: Expression): Evaluate => this.#expression(one, place);
    switch (node.kind) {
      case 'constant': {
        const { value } = node;
        return () => value;
      }
      case 'name': {
        const { name } = node;
        const read = readVariable(place.fn, place.scope.find(name)!);
        return frame => {
          const value = read(frame);
          return value === undefined ? new Undefined(`'${name}' is undefined`) : value;
        };
      }
      case 'namespaceField':
        return fail('unexpected namespace field', node.line);
      case 'tuple':
      case 'list': {
        const items = node.items.map(compile);
        const make = (frame: Frame): Value[] => {
          frame.run.allocate(8 * items.length);
          return items.map(item => item(frame));
        };
        return node.kind === 'list' ? make : frame => new Tuple(make(frame));
      }
      case 'dict': {
        const items = node.items.map(({ key, value }) => [compile(key), compile(value)] as const);
        return frame => {
          frame.run.allocate(16 * items.length);
          return Dict.from(items.map(([key, value]) => [key(frame), value(frame)]));
        };
      }
      case 'condition': {
        const soft = { ...place, isSoft: true };
        const [test, chosen] = [this.#expression(node.test, soft), this.#expression(node.chosen, soft)];
        const otherwise =
          node.otherwise === undefined
            ? () =>
                new Undefined(
                  `the inline if-expression on line ${node.line} evaluated to false and no else section was defined.`,
                )
            : this.#expression(node.otherwise, soft);
        return frame => (isTrue(frame.run, test(frame)) ? chosen : otherwise)(frame);
      }
      case 'and':
      case 'or': {
        const [left, right, isAnd] = [compile(node.left), compile(node.right), node.kind === 'and'];
        return frame => {
          const value = left(frame);
          return isTrue(frame.run, value) === isAnd ? right(frame) : value;
        };
      }
      case 'not': {
        const value = compile(node.value);
        return frame => !isTrue(frame.run, value(frame));
      }
      case 'sign': {
        const value = compile(node.value);
        return frame => negative(value(frame), node.sign);
      }
      case 'arithmetic': {
        const [left, right, { operator }] = [compile(node.left), compile(node.right), node];
        return frame => {
          const [a, b] = [left(frame), right(frame)];
          if (operator === '%' && isText(a)) return percentFormat(frame.run, textOf(a), b);
          return operate(frame.run, operator, a, b);
        };
      }
      case 'concat': {
        const items = node.items.map(compile);
        return frame => {
          let text = '';
          for (const value of items.map(item => item(frame))) text = joined(frame.run, text, str(frame.run, value));
          return text;
        };
      }
      case 'compare': {
        const first = compile(node.first);
        const rest = node.rest.map(({ operator, value }) => [operator, compile(value)] as const);
        return frame => {
          let left = first(frame);
          for (const [operator, value] of rest) {
            const right = value(frame);
            if (!compare(frame.run, operator, left, right)) return false;
            left = right;
          }
          return true;
        };
      }
      case 'attribute': {
        const [value, { name }] = [compile(node.value), node];
        return frame => getAttribute(frame.run, value(frame), name);
      }
      case 'item': {
        const value = compile(node.value);
        if (node.key.kind === 'slice') {
          const none = (): Value => null;
          const [start, stop, step] = [node.key.start, node.key.stop, node.key.step].map(part =>
            part === undefined ? none : compile(part),
          ) as [Evaluate, Evaluate, Evaluate];
          return frame => slice(frame.run, value(frame), start(frame), stop(frame), step(frame));
        }
        const key = compile(node.key);
        return frame => getItem(frame.run, value(frame), key(frame));
      }
      case 'slice':
        return fail('a slice inside a tuple is not supported', node.line);
      case 'call':
        return this.#call(node, place);
      case 'filter': {
        const value =
          node.value === undefined ? (blockText ?? (() => '')) : this.#expression(node.value, place, blockText);
        if (!Object.hasOwn(filters, node.name) && !place.isSoft) fail(`No filter named '${node.name}'.`, node.line);
        const given = this.#arguments(node.given, place);
        return frame => {
          const operand = value(frame);
          const { args, kwargs } = given(frame);
          return applyFilter(frame.run, node.name, operand, args, kwargs);
        };
      }
      case 'test': {
        const value = compile(node.value);
        if (!isTest(node.name) && !place.isSoft) fail(`No test named '${node.name}'.`, node.line);
        const given = this.#arguments(node.given, place);
        return frame => {
          const operand = value(frame);
          const { args, kwargs } = given(frame);
          return applyTest(frame.run, node.name, operand, args, kwargs);
        };
      }
    }
  }
  #call(node: Call, place: Place, caller?: (frame: Frame) => Func): Evaluate {
    const callee = this.#expression(node.callee, place);
    const given = this.#arguments(node.given, place);
    return frame => {
      const made = caller?.(frame);
      const fn = callee(frame);
      const { args, kwargs } = given(frame);
      frame.run.line = node.line;
      return callValue(frame.run, fn, args, made === undefined ? kwargs : new Map([...kwargs, ['caller', made]]));
    };
  }
  #arguments(
    { args, kwargs, moreArgs, moreKwargs }: Arguments,
    place: Place,
  ): (frame: Frame) => { args: Value[]; kwargs: Kwargs } {
    const positional = args.map(arg => this.#expression(arg, place));
    const named = kwargs.map(({ name, value }) => [name, this.#expression(value, place)] as const);
    const [more, moreNamed] = [moreArgs, moreKwargs].map(one =>
      one === undefined ? undefined : this.#expression(one, place),
    );
    return frame => {
      const values = positional.map(arg => arg(frame));
      const names: Kwargs =
        named.length === 0 && moreNamed === undefined
          ? noNames
          : new Map(named.map(([name, value]) => [name, value(frame)]));
      if (more !== undefined) values.push(...listOf(frame.run, more(frame)));
      if (moreNamed !== undefined) {
        const dict = moreNamed(frame);
        if (!(dict instanceof Dict)) throw typeError('argument after ** must be a mapping');
        for (const [key, value] of dict.entries()) {
          if (!isText(key)) throw typeError('keywords must be strings');
          if (names.has(textOf(key))) throw typeError(`got multiple values for keyword argument '${textOf(key)}'`);
          names.set(textOf(key), value);
        }
      }
      return { args: values, kwargs: names };
    };
  }
}
const noNames: Kwargs = new Map();

function compare(run: Run, operator: Comparison, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equals(run, left, right);
    case '!=':
      return !equals(run, left, right);
    case 'in':
      return contains(run, right, left);
    case 'not in':
      return !contains(run, right, left);
    default:
      return ordered(run, operator, left, right);
  }
}
/** The names that a scope and those around it set. */
function namesOf(scope: Scope): string[] {
  const names = new Set<string>();
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent)
    for (const name of one.stored) names.add(name);
  return [...names];
}
