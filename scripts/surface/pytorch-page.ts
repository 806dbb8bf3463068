// docs/pytorch.md: the Trenio names of PyTorch functions, the differences, and replacements for missing names.
import { absentNames } from '../../src/tensor/surface/absent.ts';
import { groups } from '../../src/tensor/surface/index.ts';
import { nameIn, namespaces, type Row } from '../../src/tensor/surface/row.ts';
import { acceptedKinds } from './accepted.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

/** The ways to call a row in Trenio. */
function written(row: Row): string {
  const names = [row.name, ...row.aliases];
  return [
    ...(row.forms.includes('method') ? names.map(name => `x.${name}()`) : []),
    ...(row.forms.includes('inPlace') ? [`x.${row.name}_()`] : []),
    ...(row.forms.includes('function') ? [`${row.name}(x)`] : []),
    ...(row.forms.includes('functional') ? [`nn.functional.${row.name}(x)`] : []),
    ...namespaces.filter(form => row.forms.includes(form)).map(form => `${form}.${nameIn(form, row)}(x)`),
  ]
    .map(code)
    .join(' ');
}

export function pytorchMarkdown(): string {
  const rows = groups.flatMap(group => Object.values(group.rows));
  const differences = rows.filter(row => row.differs !== undefined);
  const sections = groups.map(
    ({ title, rows }) =>
      `## ${title}\n\n| PyTorch | Trenio | |\n| --- | --- | --- |\n${Object.values(rows)
        .map(row => `| ${row.torch.map(code).join(' ')} | ${written(row)} | ${cell(row.summary)} |`)
        .join('\n')}\n`,
  );
  return `# PyTorch → Trenio

Made from the table in \`src/tensor/surface\` by \`node scripts/write-surface.ts\`. Names are PyTorch's in camelCase. Arguments come in
PyTorch's order, or by name in an object at the end: \`x.sum(1, true)\`, \`x.sum({ dim: 1, keepDim: true })\`,
\`x.sum(1, { keepDim: true })\`; PyTorch's spelling of a name (\`keepdim\`) is accepted too. Every row is compared with PyTorch:
values, data types, shapes, gradients, and what raises (\`src/tensor/surface/pytorch.test.ts\`).

${sections.join('\n')}
## Differences by design

| | |
| --- | --- |
| numbers | \`tensor([1, 2])\` is float32: JavaScript cannot tell 1 from 1.0. Class targets, indices and ids may be whole floats, so \`crossEntropy(logits, tensor([0, 1]))\` works; \`tensor([1n, 2n])\` or \`{ dtype: 'int64' }\` makes integers. |
| errors | Programs run later than they are recorded, so an index that is out of range raises when something is read or the next step runs, with the line of the lookup. So do those in the bodies of loops, of branches that run, and of \`vmap\`. |
| data types | \`x.dtype\` is a string, PyTorch's name without \`torch.\`: \`x.dtype === 'float32'\`. \`float32\`, \`bfloat16\`, \`long\` … are exported as constants. Where a data type is given, the names of programs (\`'f32'\`, \`'i64'\`, \`'i1'\`) are accepted, too. |
| data types of operands | Operands of different data types are promoted, also where PyTorch raises an error (\`prelu\`, \`lerp\`, \`vdot\`). What PyTorch computes for some data types only is computed for all: in half precision on the CPU, and for integers and booleans, which count as float32 (\`softmax\`, \`gelu\`, \`std\`, \`addcdiv\`). Order of complex numbers is refused. |
| operands | Numbers and tensors may be mixed (\`clamp(x, 0, y)\`), shapes broadcast, and \`keepDim\` needs no \`dim\`: then all dims are kept. |
| complex matrices | \`lu\`, \`qr\`, \`det\`, \`solveTriangular\`, \`matrixExp\` and what is computed from them take real matrices only. |
| equal elements | Where PyTorch leaves open which of several equal elements is meant (\`kthvalue\`, \`topk\`, \`mode\` with NaN), it is the first in sorted order; results of \`topk\` are always sorted. |
| values | Programs do not stop at values: what PyTorch checks in data gives NaN, or what the formula gives (matrices that are singular or not positive definite, decompositions of infinite matrices, probabilities outside [0, 1] in \`bernoulli\`, \`quantile\` and \`binaryCrossEntropy\`, negative rates of \`poisson\`, pivots of \`luSolve\`, a divisor 0 of integers). |
| more gradients | Gradients flow where PyTorch has none or fails in \`backward()\`: \`cond\`, \`scatter\` with \`reduce\`, a complete QR decomposition, real operands beside complex ones. A result of integers has no gradient, and is no error (\`cumsum\` with \`dtype: 'int64'\`). |
| empty tensors | A batch of size 0 gives an empty result everywhere, also where PyTorch raises an error (\`fft\`, \`pixelShuffle\`, adaptive pooling); a tensor without dims counts as a vector of one element in \`renorm\`, \`tensorinv\` and \`normalize\`. |
| sizes | Operands of losses and layers broadcast (\`weight\`, the bias of a transposed convolution). |
| infinities | Where a formula has infinite operands, NaN and infinities of results and gradients may differ: transforms, decompositions, variances, convolutions, pools over uneven windows, norms. Zeros of gradients may have the other sign. |
${differences.map(row => `| ${code(row.name)} | ${cell(row.differs!)} |`).join('\n')}

## Accepted though PyTorch raises an error

Found by random calls of every function (\`bench/pytorch-cases.ts\`).

| kind | | functions |
| --- | --- | --- |
${acceptedKinds.map(({ title, differs, names }) => `| ${title} | ${cell(differs)} | ${names.map(code).join(' ')} |`).join('\n')}

## Names that Trenio does not have

All tensors are dense: there is nothing of \`torch.sparse\`, and no \`spmm\`. A product with a dense adjacency matrix, or \`indexAdd\`
over its edges, does the same.

Members of tensors throw an error with this advice when they are read, functions and classes of \`torch\`, \`linalg\`, \`special\`, \`distributions\`, \`nn\`,
\`nn.functional\` and \`optim\` when they are called. Missing namespaces cannot give advice: importing one is an error of TypeScript
and of Node, which do not know what is listed here. PyTorch's free functions that change a tensor in place, such as \`torch.abs_(x)\`,
are methods here: \`x.abs_()\`.

| PyTorch | instead |
| --- | --- |
${absentNames.map(({ name, instead }) => `| ${code(name)} | ${cell(instead)} |`).join('\n')}
`;
}
