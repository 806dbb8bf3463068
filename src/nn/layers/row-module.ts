// A module made from a row of the tensor-surface table: its settings are arguments of the constructor, the other arguments are
// those of `forward`. The classes are in generated/modules.ts. Tensors among the settings, such as weights of classes, are
// buffers, as in PyTorch.

import { Tensor } from '../../tensor/index.ts';
import { call, readSettings } from '../../tensor/surface/call.ts';
import { moduleParams } from '../../tensor/surface/module-params.ts';
import { snakeCase } from '../../tensor/surface/params.ts';
import type { ModuleForm, Row } from '../../tensor/surface/row.ts';
import { type Signature, signatureOf } from '../../tensor/surface/signature.ts';
import { Module } from '../module/module.ts';
import { python, pythonFloat } from '../module/module-text.ts';
import { StateBuffer } from '../module/parameter.ts';

const signatures = new WeakMap<ModuleForm, Signature>();
function settingsOf(row: Row, form: ModuleForm): Signature {
  const known = signatures.get(form) ?? signatureOf(Object.fromEntries(moduleParams(row, form).settings), '');
  signatures.set(form, known);
  return known;
}

export abstract class RowModule extends Module {
  readonly #row: Row;
  readonly #form: ModuleForm;

  /** `at`: the index of this module among the modules of the row. */
  constructor(row: Row, at: number, settings: readonly unknown[]) {
    super();
    this.#row = row;
    this.#form = row.modules[at]!;
    const given = readSettings(this.#form.name, settingsOf(row, this.#form), settings);
    for (const [name, value] of Object.entries(given)) this.#set(name, value);
  }
  #set(name: string, value: unknown): void {
    (this as unknown as Record<string, unknown>)[name] = value instanceof Tensor ? new StateBuffer(value) : value;
  }
  #get(name: string): unknown {
    return (this as unknown as Record<string, unknown>)[name];
  }
  /** Applies the row to these inputs, with the settings. */
  protected run(inputs: readonly unknown[]): Tensor {
    const { settings, training } = this.#form;
    const options = Object.fromEntries(settings.map(name => [name, this.#get(name)]));
    const given = training === true ? { ...options, training: this.training } : options;
    return call(this.#row, undefined, [...inputs, given], Tensor.prototype) as Tensor;
  }
  protected override extraRepr(): string {
    const { params } = this.#row.variants[0];
    const text = (name: string): string => {
      const value = this.#get(name);
      const { expected, isOptional } = params[name]!;
      // Python's floats: a setting without a default is printed as it was given
      return typeof value === 'number' && expected === 'a number' && isOptional ? pythonFloat(value) : python(value);
    };
    const { prints = [], isBare } = this.#form;
    const label = (name: string): string => (isBare === true ? '' : `${params[name]!.torch ?? snakeCase(name)}=`);
    const printed = prints.map(name => `${label(name)}${text(name)}`);
    return [...printed, ...(this.#get('inplace') === true ? ['inplace=True'] : [])].join(', ');
  }
}
