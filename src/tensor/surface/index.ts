// Every row of the table, by group. The generated files call rows by the names here; a new group is added here.
import type { Row } from './row.ts';
import { activations } from './rows/activations.ts';
import { arithmetic } from './rows/arithmetic.ts';
import { binaryRows } from './rows/binary.ts';
import { binRows } from './rows/bins.ts';
import { castRows } from './rows/casts.ts';
import { classLossRows } from './rows/class-losses.ts';
import { comparisons } from './rows/comparison.ts';
import { complexRows } from './rows/complex.ts';
import { contractions } from './rows/contractions.ts';
import { convolutions } from './rows/convolutions.ts';
import { countingRows } from './rows/counting.ts';
import { creation } from './rows/creation.ts';
import { elementaryRows } from './rows/elementary.ts';
import { fourier } from './rows/fourier.ts';
import { functionalActivations } from './rows/functional-activations.ts';
import { generalEigenRows } from './rows/general-eigen.ts';
import { lapackRows } from './rows/lapack.ts';
import { linearSystems } from './rows/linear-systems.ts';
import { lossRows } from './rows/losses.ts';
import { normalizationRows } from './rows/normalization.ts';
import { numberRows } from './rows/numbers.ts';
import { numpyShapes } from './rows/numpy-shapes.ts';
import { poolingRows } from './rows/pooling.ts';
import { products } from './rows/products.ts';
import { randomRows } from './rows/random.ts';
import { reductionRows } from './rows/reductions.ts';
import { replacedParts } from './rows/replaced-parts.ts';
import { runningRows } from './rows/running.ts';
import { scatterRows } from './rows/scatter.ts';
import { selectSplitJoin } from './rows/select-split-join.ts';
import { shapes } from './rows/shape.ts';
import { shortTime } from './rows/short-time.ts';
import { shuffleRows } from './rows/shuffles.ts';
import { sortingRows } from './rows/sorting.ts';
import { specialRows } from './rows/special.ts';
import { spectra } from './rows/spectra.ts';
import { sumsAndNorms } from './rows/sums-and-norms.ts';
import { unary } from './rows/unary.ts';

/** By the path of the file in `rows/` and the name of its constant. */
export const groups: readonly {
  readonly file: string;
  readonly constant: string;
  readonly title: string;
  readonly rows: Readonly<Record<string, Row>>;
}[] = [
  { file: 'creation', constant: 'creation', title: 'New tensors', rows: creation },
  { file: 'casts', constant: 'castRows', title: 'Data types and copies', rows: castRows },
  { file: 'arithmetic', constant: 'arithmetic', title: 'Arithmetic', rows: arithmetic },
  { file: 'comparison', constant: 'comparisons', title: 'Comparisons and logic', rows: comparisons },
  { file: 'unary', constant: 'unary', title: 'Functions of each element', rows: unary },
  { file: 'elementary', constant: 'elementaryRows', title: 'Elementary functions', rows: elementaryRows },
  { file: 'binary', constant: 'binaryRows', title: 'Functions of two operands, bits', rows: binaryRows },
  { file: 'numbers', constant: 'numberRows', title: 'Less common functions of numbers', rows: numberRows },
  { file: 'special', constant: 'specialRows', title: 'Special functions', rows: specialRows },
  { file: 'reductions', constant: 'reductionRows', title: 'Reductions', rows: reductionRows },
  {
    file: 'sums-and-norms',
    constant: 'sumsAndNorms',
    title: 'Sums, products, norms and distances',
    rows: sumsAndNorms,
  },
  { file: 'products', constant: 'products', title: 'Products of matrices', rows: products },
  { file: 'contractions', constant: 'contractions', title: 'Contractions', rows: contractions },
  { file: 'linear-systems', constant: 'linearSystems', title: 'Linear systems', rows: linearSystems },
  { file: 'lapack', constant: 'lapackRows', title: 'Reflections, factors and reports of LAPACK', rows: lapackRows },
  { file: 'spectra', constant: 'spectra', title: 'Eigenvalues, singular values and norms', rows: spectra },
  {
    file: 'general-eigen',
    constant: 'generalEigenRows',
    title: 'Eigenvalues of general matrices',
    rows: generalEigenRows,
  },
  { file: 'complex', constant: 'complexRows', title: 'Complex numbers', rows: complexRows },
  { file: 'fourier', constant: 'fourier', title: 'Fourier transforms', rows: fourier },
  { file: 'short-time', constant: 'shortTime', title: 'Short-time Fourier transforms', rows: shortTime },
  { file: 'activations', constant: 'activations', title: 'Activations', rows: activations },
  {
    file: 'functional-activations',
    constant: 'functionalActivations',
    title: 'Activations of nn.functional',
    rows: functionalActivations,
  },
  { file: 'convolutions', constant: 'convolutions', title: 'Convolutions', rows: convolutions },
  { file: 'normalization', constant: 'normalizationRows', title: 'Normalization', rows: normalizationRows },
  { file: 'pooling', constant: 'poolingRows', title: 'Pooling', rows: poolingRows },
  { file: 'shuffles', constant: 'shuffleRows', title: 'Channels and pixels', rows: shuffleRows },
  { file: 'losses', constant: 'lossRows', title: 'Losses of pairs of elements', rows: lossRows },
  {
    file: 'class-losses',
    constant: 'classLossRows',
    title: 'Losses of classes, margins and alignments',
    rows: classLossRows,
  },
  { file: 'shape', constant: 'shapes', title: 'Shapes', rows: shapes },
  {
    file: 'select-split-join',
    constant: 'selectSplitJoin',
    title: 'Selecting, splitting and joining',
    rows: selectSplitJoin,
  },
  { file: 'numpy-shapes', constant: 'numpyShapes', title: 'Shapes, splits and stacks as in NumPy', rows: numpyShapes },
  { file: 'replaced-parts', constant: 'replacedParts', title: 'Copies with one part replaced', rows: replacedParts },
  { file: 'sorting', constant: 'sortingRows', title: 'Order', rows: sortingRows },
  { file: 'running', constant: 'runningRows', title: 'Running totals', rows: runningRows },
  { file: 'scatter', constant: 'scatterRows', title: 'Writing at positions', rows: scatterRows },
  { file: 'random', constant: 'randomRows', title: 'Random numbers', rows: randomRows },
  { file: 'counting', constant: 'countingRows', title: 'Counts and statistics', rows: countingRows },
  { file: 'bins', constant: 'binRows', title: 'Counts of numbers', rows: binRows },
];
export const rows: readonly Row[] = groups.flatMap(group => Object.values(group.rows));
