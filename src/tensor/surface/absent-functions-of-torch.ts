// Functions of the namespace torch that are elsewhere or missing here, with their replacements; calling one throws an error
// that names it.
import type { AbsentName } from './absent-name.ts';

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const all = (names: string, instead: string | ((name: string) => string)): readonly AbsentName[] =>
  words(names).map(name => ({
    name: `torch.${name}`,
    instead: typeof instead === 'string' ? instead : instead(camelCase(name)),
  }));

/** Those that `nn.functional` has. */
const functional = `
  adaptive_avg_pool1d adaptive_max_pool1d alpha_dropout avg_pool1d batch_norm bilinear
  binary_cross_entropy_with_logits celu celu_ conv_tbc cosine_embedding_loss ctc_loss dropout
  embedding embedding_bag feature_alpha_dropout hinge_embedding_loss instance_norm kl_div margin_ranking_loss
  max_pool1d max_pool1d_with_indices max_pool2d max_pool3d  pdist
  poisson_nll_loss prelu relu_ rrelu rrelu_ selu selu_ threshold threshold_ triplet_margin_loss
`;
export const absentFunctionsOfTorch: readonly AbsentName[] = [
  ...all(functional, name => `use nn.functional.${name}`),
  ...all(
    'alpha_dropout_ dropout_ feature_alpha_dropout_',
    name => `use x.copy_(nn.functional.${name.slice(0, -1)}(x))`,
  ),
  ...all('feature_dropout', 'use nn.functional.dropout2d'),
  ...all('native_channel_shuffle', 'use nn.functional.channelShuffle'),
  ...all('convolution', 'use nn.functional.conv1d, conv2d or conv3d'),
  ...all('constant_pad_nd', 'use nn.functional.pad'),
  ...all('affine_grid_generator', 'use nn.functional.affineGrid'),
  ...all('grid_sampler grid_sampler_2d grid_sampler_3d', 'use nn.functional.gridSample'),
  ...all('embedding_renorm_', 'use nn.functional.embedding with maxNorm'),
  ...all('native_batch_norm', 'use nn.functional.batchNorm'),
  ...all('native_group_norm', 'use nn.functional.groupNorm'),
  ...all('native_layer_norm', 'use nn.functional.layerNorm'),
  ...all('native_dropout', 'use nn.functional.dropout'),
  ...all('norm_except_dim', 'use x.norm with dim, or nn.utils.parametrizations.weightNorm'),
  ...all('frobenius_norm', "use linalg.matrixNorm(x, 'fro')"),
  ...all('nuclear_norm', "use linalg.matrixNorm(x, 'nuc')"),
  ...all('rnn_tanh rnn_relu', 'use nn.RNN'),
  ...all('rnn_tanh_cell rnn_relu_cell', 'use nn.RNNCell'),
  ...all('gru', 'use nn.GRU'),
  ...all('gru_cell', 'use nn.GRUCell'),
  ...all('lstm', 'use nn.LSTM'),
  ...all('lstm_cell', 'use nn.LSTMCell'),
  ...all('cond', 'use control.cond'),
  ...all('while_loop', 'use control.while'),
  ...all('vmap', 'use func.vmap'),
  ...all('eig', 'use linalg.eig'),
  ...all('symeig', 'use linalg.eigh'),
  ...all('lstsq', 'use linalg.lstsq'),
  ...all('solve', 'use linalg.solve'),
  ...all('triangular_solve', 'use linalg.solveTriangular'),
  ...all('lu', 'use linalg.lu or linalg.luFactor'),
  ...all('lu_solve', 'use linalg.luSolve'),
  ...all('matrix_rank', 'use linalg.matrixRank'),
  ...all('range', 'use arange: its end is not in the result'),
  ...all('scalar_tensor', 'use tensor(number)'),
  ...all('asarray', 'use asTensor'),
  ...all('row_stack', 'use vstack'),
  ...all('randint_like', 'use randint(low, high, x.shape)'),
  ...all('frombuffer', 'use fromNumpy with a typed array over the buffer'),
  ...all('from_dlpack to_dlpack from_file', 'use fromNumpy(array), and x.data'),
  ...all('empty_strided empty_permuted', 'use empty: memory is laid out by the compiler'),
  ...all('as_strided as_strided_scatter as_strided_', 'use reshape, permute, narrow or slice'),
  ...all('unsafe_chunk', 'use chunk'),
  ...all('unsafe_split', 'use split'),
  ...all('unsafe_split_with_sizes split_with_sizes_copy', 'use splitWithSizes'),
  ...all('put', 'use x.clone().put_(index, source)'),
  ...all('typename', 'use x.dtype'),
  ...all('is_storage', 'leave it out: tensors have no storages'),
  ...all('is_conj is_neg resolve_neg', 'leave it out: numbers are conjugated and negated at once'),
  ...all('hash_tensor', 'use x.data'),
  ...all('get_default_device', 'use device()'),
  ...all('get_rng_state set_rng_state', 'use a Generator and its state'),
  ...all('seed initial_seed', 'use manualSeed'),
  ...all(
    'use_deterministic_algorithms set_deterministic_debug_mode are_deterministic_algorithms_enabled',
    'leave it out: results have the same bits in every run',
  ),
  ...all('set_printoptions', 'use setPrintOptions'),
  ...all('get_num_threads set_num_interop_threads get_num_interop_threads', 'set TRENIO_NUM_THREADS'),
  ...all('get_float32_matmul_precision', 'use autocast'),
  ...all('set_flush_denormal', 'leave it out: arithmetic follows IEEE 754'),
  ...all(
    'quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic fake_quantize_per_tensor_affine fake_quantize_per_channel_affine',
    'use x.roundTo(format)',
  ),
  ...all(
    'sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_compressed_tensor',
    'use dense tensors',
  ),
];
