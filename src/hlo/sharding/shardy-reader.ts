// Meshes and shardings from Shardy's text:
//
//   mesh      <["x"=2, "y"=4], device_ids=[3, 2, …]>
//   sharding  <@mesh, [{"x", ?}p0, {"y":(2)2}, {}], replicated={"z"}, unreduced=max{"w"}>
//
// The lexer is at the '<'; the caller reads what follows the '>'. The syntax is checked here, and
// the meaning by `checkMesh` and `checkSharding`.
import { dialectName, type Lexer, tokens } from '../text/lexer.ts';
import { unquote } from '../text/strings.ts';
import type { AxisRef, Mesh, MeshAxis } from './mesh.ts';
import { type DimSharding, type ReductionKind, reductionKinds, type Sharding } from './sharding.ts';

export function readMesh(lexer: Lexer): Mesh {
  lexer.expect('<');
  lexer.expect('[');
  const axes: MeshAxis[] = [];
  lexer.list(']', () => {
    const name = axisName(lexer);
    lexer.expect('=');
    axes.push({ name, size: lexer.integer('the size of an axis') });
  });
  const deviceIds: number[] = [];
  const hasIds = lexer.take(',');
  if (hasIds) {
    lexer.expectWord('device_ids');
    lexer.expect('=');
    lexer.expect('[');
    lexer.list(']', () => deviceIds.push(lexer.integer('a device id')));
  }
  lexer.expect('>');
  return hasIds ? { axes, deviceIds } : { axes };
}

export function readSharding(lexer: Lexer): Sharding {
  lexer.expect('<');
  const mesh = lexer.takeWord('mesh') ? readMesh(lexer) : symbolName(lexer);
  lexer.expect(',');
  lexer.expect('[');
  const dims: DimSharding[] = [];
  lexer.list(']', () => dims.push(readDim(lexer)));
  let replicated: readonly AxisRef[] = [];
  let unreduced: readonly AxisRef[] = [];
  let reduction: ReductionKind = 'sum';
  while (lexer.take(',')) {
    if (replicated.length === 0 && lexer.takeWord('replicated')) {
      lexer.expect('=');
      replicated = readAxes(lexer);
    } else if (unreduced.length === 0 && lexer.takeWord('unreduced')) {
      // The '=' may be omitted if no reduction is given.
      if (lexer.take('=')) reduction = reductionKinds.find(kind => lexer.takeWord(kind)) ?? 'sum';
      unreduced = readAxes(lexer);
    } else lexer.fail("'replicated' or 'unreduced', each once");
  }
  lexer.expect('>');
  return { mesh, dims, replicated, unreduced, reduction };
}

/** `[<…>, <…>]`; MLIR also reads `[#sdy.sharding<…>]`. */
export function readShardings(lexer: Lexer): readonly Sharding[] {
  const shardings: Sharding[] = [];
  lexer.expect('[');
  lexer.list(']', () => {
    if (lexer.kind === tokens.attribute) dialectName(lexer, '#sdy.sharding');
    shardings.push(readSharding(lexer));
  });
  return shardings;
}

/** `{"x", "y"}`: axes that are manual, by name. */
export function readAxisNames(lexer: Lexer): readonly string[] {
  const names: string[] = [];
  lexer.expect('{');
  lexer.list('}', () => names.push(axisName(lexer)));
  return names;
}

function readDim(lexer: Lexer): DimSharding {
  const axes: AxisRef[] = [];
  let isOpen = false;
  lexer.expect('{');
  lexer.list('}', () => {
    if (isOpen) lexer.fail("'}', as '?' is the last entry");
    if (lexer.take('?')) isOpen = true;
    else axes.push(readAxisRef(lexer));
  });
  if (lexer.kind !== tokens.word) return { axes, isOpen };
  const priority = /^p(0|[1-9]\d{0,8})$/.exec(lexer.tokenText())?.[1];
  if (priority === undefined) lexer.fail("a priority such as 'p0'");
  lexer.next();
  return { axes, isOpen, priority: Number(priority) };
}

function readAxes(lexer: Lexer): readonly AxisRef[] {
  const axes: AxisRef[] = [];
  lexer.expect('{');
  lexer.list('}', () => axes.push(readAxisRef(lexer)));
  return axes;
}

/** `"x"` or `"x":(preSize)size` */
function readAxisRef(lexer: Lexer): AxisRef {
  const name = axisName(lexer);
  if (!lexer.take(':')) return { name };
  lexer.expect('(');
  const preSize = lexer.integer('the size before the sub-axis');
  lexer.expect(')');
  return { name, subAxis: { preSize, size: lexer.integer('the size of the sub-axis') } };
}

const axisName = (lexer: Lexer): string => unquote(lexer.takeText(tokens.string, 'the name of an axis, in quotes'));

function symbolName(lexer: Lexer): string {
  const name = lexer.takeText(tokens.symbol, "a mesh: '@name' or 'mesh<…>'").slice(1);
  return name.startsWith('"') ? unquote(name) : name;
}
