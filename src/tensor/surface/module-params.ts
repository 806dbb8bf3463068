// The parameters of a row that is a module: those of its constructor, and those of `forward`.
import { flag, optional, type Param } from './params.ts';
import type { ModuleForm, Row } from './row.ts';

type Named = readonly [name: string, param: Param<unknown>];
const inplace = optional(flag('accepted, as in PyTorch: the compiler plans memory'), false);

export function moduleParams(
  row: Row,
  { settings, defaults = {}, inplace: takesInplace }: ModuleForm,
): { readonly settings: readonly Named[]; readonly inputs: readonly Named[] } {
  const { params } = row.variants[0];
  const settingOf = (name: string): Named => {
    const param = params[name];
    if (param === undefined) throw new Error(`${row.name} has no parameter ${name}`);
    return [name, name in defaults ? { ...param, isOptional: true, fallback: defaults[name] } : param];
  };
  return {
    settings: [...settings.map(settingOf), ...(takesInplace === true ? [['inplace', inplace] as const] : [])],
    inputs: Object.entries(params).filter(([name, param]) => !param.isOptional && !settings.includes(name)),
  };
}
