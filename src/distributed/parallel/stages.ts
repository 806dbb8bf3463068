// Which stage of a pipeline has which layers: the modules at which stages begin.
import { nearestName } from '../../base/nearest.ts';
import { type Module, ModuleList, type Parameter, Sequential } from '../../nn/index.ts';
import { wrongArgument } from '../../tensor/index.ts';

const call = 'pipeline';

export interface Stages {
  /** The modules that stages begin with, but for the first. */
  readonly first: readonly Module[];
  /** The parameters of each stage. */
  readonly parameters: readonly (readonly Parameter[])[];
}

/**
 * The stages of a model: cut before the modules of these names, or evenly in its longest list of layers. What comes before the
 * list is part of the first stage, what comes after it of the last.
 * @throws {WRONG_ARGUMENT} for names that no module has, fewer layers than stages, and a stage without parameters
 */
export function stagesOf(model: Module, count: number, cuts: readonly string[] | undefined): Stages {
  const modules = [...model.namedModules()];
  const names = cuts ?? evenCuts(modules, count, model);
  const positions = names.map(name => {
    const at = modules.findIndex(([other]) => other === name);
    if (at < 0) {
      const nearest = nearestName(
        name,
        modules.map(([other]) => other),
      );
      const expected = `names of modules of ${model.constructor.name}${nearest === undefined ? '' : `, such as ${nearest}`}`;
      throw wrongArgument({ call, argument: 'cuts' }, name, expected);
    }
    return at;
  });
  if (positions.some((at, i) => i > 0 && at <= positions[i - 1]!))
    throw wrongArgument({ call, argument: 'cuts' }, cuts, 'names in the order of the layers');
  const parameters = Array.from({ length: count }, (): Parameter[] => []);
  const seen = new Set<Parameter>();
  modules.forEach(([, module], at) => {
    const stage = positions.findLastIndex(position => position <= at) + 1;
    for (const parameter of module.parameters(false)) {
      if (seen.has(parameter)) continue;
      seen.add(parameter);
      parameters[stage]!.push(parameter);
    }
  });
  const empty = parameters.findIndex(list => list.length === 0);
  if (empty >= 0)
    throw wrongArgument(
      { call, argument: 'cuts' },
      names,
      `modules with parameters for each of ${count} stages: stage ${empty} has none`,
    );
  return { first: positions.map(at => modules[at]![1]), parameters };
}

function evenCuts(modules: readonly (readonly [string, Module])[], count: number, model: Module): readonly string[] {
  const lists = modules.filter(([, module]) => module instanceof ModuleList || module instanceof Sequential);
  const sizeOf = (module: Module): number => [...module.children()].length;
  const longest = lists.reduce<readonly [string, Module] | undefined>(
    (best, list) => (best === undefined || sizeOf(list[1]) > sizeOf(best[1]) ? list : best),
    undefined,
  );
  const layers = longest === undefined ? 0 : sizeOf(longest[1]);
  if (longest === undefined || layers < count)
    throw wrongArgument(
      { call, argument: 'the model' },
      model,
      `a list of at least ${count} layers, one for each stage, or cuts: names of modules`,
    );
  const [name] = longest;
  return Array.from({ length: count - 1 }, (_, i) => {
    const at = Math.round(((i + 1) * layers) / count);
    return name === '' ? `${at}` : `${name}.${at}`;
  });
}
