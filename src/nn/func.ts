// Transformations of functions, modules among them: what users import as `func`.
export * from '../tensor/func/index.ts';
export { functionalCall, type NamedTensors } from './functional-call.ts';
