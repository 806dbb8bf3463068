// The gradients of custom operators, by name: read by the backward pass, registered by loadOperator().
import type { GradientRule } from '../../autodiff/rule.ts';
import type { Device } from '../device.ts';
import type { Trace } from '../step/trace.ts';

/** Makes the rule for calls that are recorded in a trace. */
export type OperatorRule = (device: Device, trace: Trace) => GradientRule<'custom_call'>;

const rules = new Map<string, OperatorRule>();

/** Without a rule, a gradient through the operator is an error. */
export function setOperatorRule(name: string, rule: OperatorRule | undefined): void {
  if (rule === undefined) rules.delete(name);
  else rules.set(name, rule);
}

export const operatorRules = (device: Device, trace: Trace): ReadonlyMap<string, GradientRule<'custom_call'>> =>
  new Map([...rules].map(([name, rule]) => [name, rule(device, trace)]));
