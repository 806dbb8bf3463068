// Every optimizer compared with PyTorch, or with a plain reference implementation of its paper (scripts/golden/optimizers.py).
import { device, setDefaultDevice } from '../tensor/index.ts';
import { type OptimizerClass, skipsWithoutTrace, stepsAsPyTorch } from './golden.testing.ts';
import * as optim from './index.ts';

setDefaultDevice(device('interpreter'));

// LBFGS has a test of its own; the functions of the namespace and the names in contrib/ are no optimizers.
const isOptimizer = (value: unknown): value is OptimizerClass =>
  typeof value === 'function' && value !== optim.LBFGS && value.prototype instanceof optim.Optimizer;
const classes = Object.fromEntries(Object.entries(optim).filter(entry => isOptimizer(entry[1]))) as Readonly<
  Record<string, OptimizerClass>
>;
stepsAsPyTorch(classes);
skipsWithoutTrace(classes);
