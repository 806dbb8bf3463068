// Functions of PyTorch's torch that Trenio does not have: calling one throws an error that names the replacement. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../absent-functions.ts';

/** @deprecated There is no `torch.SymInt` here: use numbers: a program is compiled for each shape. */
export const SymInt: never = absentFunction('SymInt', 'use numbers: a program is compiled for each shape');
/** @deprecated There is no `torch.LongTensor` here: use tensor(data, { dtype: 'long' }). */
export const LongTensor: never = absentFunction('LongTensor', "use tensor(data, { dtype: 'long' })");
/** @deprecated There is no `torch.FloatTensor` here: use tensor(data, { dtype: 'float' }). */
export const FloatTensor: never = absentFunction('FloatTensor', "use tensor(data, { dtype: 'float' })");
/** @deprecated There is no `torch.set_num_threads` here: set TRENIO_NUM_THREADS. */
export const setNumThreads: never = absentFunction('setNumThreads', 'set TRENIO_NUM_THREADS');
/** @deprecated There is no `torch.set_default_dtype` here: give dtype where tensors are made. */
export const setDefaultDtype: never = absentFunction('setDefaultDtype', 'give dtype where tensors are made');
/** @deprecated There is no `torch.set_default_tensor_type` here: give dtype where tensors are made. */
export const setDefaultTensorType: never = absentFunction('setDefaultTensorType', 'give dtype where tensors are made');
/** @deprecated There is no `torch.sparse_coo_tensor` here: use dense tensors. */
export const sparseCooTensor: never = absentFunction('sparseCooTensor', 'use dense tensors');
/** @deprecated There is no `torch.save` here: use saveTorchFile('model.pt', model.stateDict()), writeSafetensors, or a Checkpointer to resume training. */
export const save: never = absentFunction(
  'save',
  "use saveTorchFile('model.pt', model.stateDict()), writeSafetensors, or a Checkpointer to resume training",
);
/** @deprecated There is no `torch.load` here: use model.loadStateDict(await loadTorchFile('model.pt')), readSafetensors, or a Checkpointer. */
export const load: never = absentFunction(
  'load',
  "use model.loadStateDict(await loadTorchFile('model.pt')), readSafetensors, or a Checkpointer",
);
/** @deprecated There is no `torch.is_autocast_enabled` here: leave it out: autocast takes the function that it applies to. */
export const isAutocastEnabled: never = absentFunction(
  'isAutocastEnabled',
  'leave it out: autocast takes the function that it applies to',
);
/** @deprecated There is no `torch.set_float32_matmul_precision` here: use autocast. */
export const setFloat32MatmulPrecision: never = absentFunction('setFloat32MatmulPrecision', 'use autocast');
/** @deprecated There is no `torch.get_default_dtype` here: leave it out: the default is 'float32'. */
export const getDefaultDtype: never = absentFunction('getDefaultDtype', "leave it out: the default is 'float32'");
/** @deprecated There is no `torch.adaptive_avg_pool1d` here: use nn.functional.adaptiveAvgPool1d. */
export const adaptiveAvgPool1d: never = absentFunction('adaptiveAvgPool1d', 'use nn.functional.adaptiveAvgPool1d');
/** @deprecated There is no `torch.adaptive_max_pool1d` here: use nn.functional.adaptiveMaxPool1d. */
export const adaptiveMaxPool1d: never = absentFunction('adaptiveMaxPool1d', 'use nn.functional.adaptiveMaxPool1d');
/** @deprecated There is no `torch.alpha_dropout` here: use nn.functional.alphaDropout. */
export const alphaDropout: never = absentFunction('alphaDropout', 'use nn.functional.alphaDropout');
/** @deprecated There is no `torch.avg_pool1d` here: use nn.functional.avgPool1d. */
export const avgPool1d: never = absentFunction('avgPool1d', 'use nn.functional.avgPool1d');
/** @deprecated There is no `torch.batch_norm` here: use nn.functional.batchNorm. */
export const batchNorm: never = absentFunction('batchNorm', 'use nn.functional.batchNorm');
/** @deprecated There is no `torch.bilinear` here: use nn.functional.bilinear. */
export const bilinear: never = absentFunction('bilinear', 'use nn.functional.bilinear');
/** @deprecated There is no `torch.binary_cross_entropy_with_logits` here: use nn.functional.binaryCrossEntropyWithLogits. */
export const binaryCrossEntropyWithLogits: never = absentFunction(
  'binaryCrossEntropyWithLogits',
  'use nn.functional.binaryCrossEntropyWithLogits',
);
/** @deprecated There is no `torch.celu` here: use nn.functional.celu. */
export const celu: never = absentFunction('celu', 'use nn.functional.celu');
/** @deprecated There is no `torch.celu_` here: use nn.functional.celu_. */
export const celu_: never = absentFunction('celu_', 'use nn.functional.celu_');
/** @deprecated There is no `torch.conv_tbc` here: use nn.functional.convTbc. */
export const convTbc: never = absentFunction('convTbc', 'use nn.functional.convTbc');
/** @deprecated There is no `torch.cosine_embedding_loss` here: use nn.functional.cosineEmbeddingLoss. */
export const cosineEmbeddingLoss: never = absentFunction(
  'cosineEmbeddingLoss',
  'use nn.functional.cosineEmbeddingLoss',
);
/** @deprecated There is no `torch.ctc_loss` here: use nn.functional.ctcLoss. */
export const ctcLoss: never = absentFunction('ctcLoss', 'use nn.functional.ctcLoss');
/** @deprecated There is no `torch.dropout` here: use nn.functional.dropout. */
export const dropout: never = absentFunction('dropout', 'use nn.functional.dropout');
/** @deprecated There is no `torch.embedding` here: use nn.functional.embedding. */
export const embedding: never = absentFunction('embedding', 'use nn.functional.embedding');
/** @deprecated There is no `torch.embedding_bag` here: use nn.functional.embeddingBag. */
export const embeddingBag: never = absentFunction('embeddingBag', 'use nn.functional.embeddingBag');
/** @deprecated There is no `torch.feature_alpha_dropout` here: use nn.functional.featureAlphaDropout. */
export const featureAlphaDropout: never = absentFunction(
  'featureAlphaDropout',
  'use nn.functional.featureAlphaDropout',
);
/** @deprecated There is no `torch.hinge_embedding_loss` here: use nn.functional.hingeEmbeddingLoss. */
export const hingeEmbeddingLoss: never = absentFunction('hingeEmbeddingLoss', 'use nn.functional.hingeEmbeddingLoss');
/** @deprecated There is no `torch.instance_norm` here: use nn.functional.instanceNorm. */
export const instanceNorm: never = absentFunction('instanceNorm', 'use nn.functional.instanceNorm');
/** @deprecated There is no `torch.kl_div` here: use nn.functional.klDiv. */
export const klDiv: never = absentFunction('klDiv', 'use nn.functional.klDiv');
/** @deprecated There is no `torch.margin_ranking_loss` here: use nn.functional.marginRankingLoss. */
export const marginRankingLoss: never = absentFunction('marginRankingLoss', 'use nn.functional.marginRankingLoss');
/** @deprecated There is no `torch.max_pool1d` here: use nn.functional.maxPool1d. */
export const maxPool1d: never = absentFunction('maxPool1d', 'use nn.functional.maxPool1d');
/** @deprecated There is no `torch.max_pool1d_with_indices` here: use nn.functional.maxPool1dWithIndices. */
export const maxPool1dWithIndices: never = absentFunction(
  'maxPool1dWithIndices',
  'use nn.functional.maxPool1dWithIndices',
);
/** @deprecated There is no `torch.max_pool2d` here: use nn.functional.maxPool2d. */
export const maxPool2d: never = absentFunction('maxPool2d', 'use nn.functional.maxPool2d');
/** @deprecated There is no `torch.max_pool3d` here: use nn.functional.maxPool3d. */
export const maxPool3d: never = absentFunction('maxPool3d', 'use nn.functional.maxPool3d');
/** @deprecated There is no `torch.pdist` here: use nn.functional.pdist. */
export const pdist: never = absentFunction('pdist', 'use nn.functional.pdist');
/** @deprecated There is no `torch.poisson_nll_loss` here: use nn.functional.poissonNllLoss. */
export const poissonNllLoss: never = absentFunction('poissonNllLoss', 'use nn.functional.poissonNllLoss');
/** @deprecated There is no `torch.prelu` here: use nn.functional.prelu. */
export const prelu: never = absentFunction('prelu', 'use nn.functional.prelu');
/** @deprecated There is no `torch.relu_` here: use nn.functional.relu_. */
export const relu_: never = absentFunction('relu_', 'use nn.functional.relu_');
/** @deprecated There is no `torch.rrelu` here: use nn.functional.rrelu. */
export const rrelu: never = absentFunction('rrelu', 'use nn.functional.rrelu');
/** @deprecated There is no `torch.rrelu_` here: use nn.functional.rrelu_. */
export const rrelu_: never = absentFunction('rrelu_', 'use nn.functional.rrelu_');
/** @deprecated There is no `torch.selu` here: use nn.functional.selu. */
export const selu: never = absentFunction('selu', 'use nn.functional.selu');
/** @deprecated There is no `torch.selu_` here: use nn.functional.selu_. */
export const selu_: never = absentFunction('selu_', 'use nn.functional.selu_');
/** @deprecated There is no `torch.threshold` here: use nn.functional.threshold. */
export const threshold: never = absentFunction('threshold', 'use nn.functional.threshold');
/** @deprecated There is no `torch.threshold_` here: use nn.functional.threshold_. */
export const threshold_: never = absentFunction('threshold_', 'use nn.functional.threshold_');
/** @deprecated There is no `torch.triplet_margin_loss` here: use nn.functional.tripletMarginLoss. */
export const tripletMarginLoss: never = absentFunction('tripletMarginLoss', 'use nn.functional.tripletMarginLoss');
/** @deprecated There is no `torch.alpha_dropout_` here: use x.copy_(nn.functional.alphaDropout(x)). */
export const alphaDropout_: never = absentFunction('alphaDropout_', 'use x.copy_(nn.functional.alphaDropout(x))');
/** @deprecated There is no `torch.dropout_` here: use x.copy_(nn.functional.dropout(x)). */
export const dropout_: never = absentFunction('dropout_', 'use x.copy_(nn.functional.dropout(x))');
/** @deprecated There is no `torch.feature_alpha_dropout_` here: use x.copy_(nn.functional.featureAlphaDropout(x)). */
export const featureAlphaDropout_: never = absentFunction(
  'featureAlphaDropout_',
  'use x.copy_(nn.functional.featureAlphaDropout(x))',
);
/** @deprecated There is no `torch.feature_dropout` here: use nn.functional.dropout2d. */
export const featureDropout: never = absentFunction('featureDropout', 'use nn.functional.dropout2d');
/** @deprecated There is no `torch.native_channel_shuffle` here: use nn.functional.channelShuffle. */
export const nativeChannelShuffle: never = absentFunction('nativeChannelShuffle', 'use nn.functional.channelShuffle');
/** @deprecated There is no `torch.convolution` here: use nn.functional.conv1d, conv2d or conv3d. */
export const convolution: never = absentFunction('convolution', 'use nn.functional.conv1d, conv2d or conv3d');
/** @deprecated There is no `torch.constant_pad_nd` here: use nn.functional.pad. */
export const constantPadNd: never = absentFunction('constantPadNd', 'use nn.functional.pad');
/** @deprecated There is no `torch.affine_grid_generator` here: use nn.functional.affineGrid. */
export const affineGridGenerator: never = absentFunction('affineGridGenerator', 'use nn.functional.affineGrid');
/** @deprecated There is no `torch.grid_sampler` here: use nn.functional.gridSample. */
export const gridSampler: never = absentFunction('gridSampler', 'use nn.functional.gridSample');
/** @deprecated There is no `torch.grid_sampler_2d` here: use nn.functional.gridSample. */
export const gridSampler2d: never = absentFunction('gridSampler2d', 'use nn.functional.gridSample');
/** @deprecated There is no `torch.grid_sampler_3d` here: use nn.functional.gridSample. */
export const gridSampler3d: never = absentFunction('gridSampler3d', 'use nn.functional.gridSample');
/** @deprecated There is no `torch.embedding_renorm_` here: use nn.functional.embedding with maxNorm. */
export const embeddingRenorm_: never = absentFunction('embeddingRenorm_', 'use nn.functional.embedding with maxNorm');
/** @deprecated There is no `torch.native_batch_norm` here: use nn.functional.batchNorm. */
export const nativeBatchNorm: never = absentFunction('nativeBatchNorm', 'use nn.functional.batchNorm');
/** @deprecated There is no `torch.native_group_norm` here: use nn.functional.groupNorm. */
export const nativeGroupNorm: never = absentFunction('nativeGroupNorm', 'use nn.functional.groupNorm');
/** @deprecated There is no `torch.native_layer_norm` here: use nn.functional.layerNorm. */
export const nativeLayerNorm: never = absentFunction('nativeLayerNorm', 'use nn.functional.layerNorm');
/** @deprecated There is no `torch.native_dropout` here: use nn.functional.dropout. */
export const nativeDropout: never = absentFunction('nativeDropout', 'use nn.functional.dropout');
/** @deprecated There is no `torch.norm_except_dim` here: use x.norm with dim, or nn.utils.parametrizations.weightNorm. */
export const normExceptDim: never = absentFunction(
  'normExceptDim',
  'use x.norm with dim, or nn.utils.parametrizations.weightNorm',
);
/** @deprecated There is no `torch.frobenius_norm` here: use linalg.matrixNorm(x, 'fro'). */
export const frobeniusNorm: never = absentFunction('frobeniusNorm', "use linalg.matrixNorm(x, 'fro')");
/** @deprecated There is no `torch.nuclear_norm` here: use linalg.matrixNorm(x, 'nuc'). */
export const nuclearNorm: never = absentFunction('nuclearNorm', "use linalg.matrixNorm(x, 'nuc')");
/** @deprecated There is no `torch.rnn_tanh` here: use nn.RNN. */
export const rnnTanh: never = absentFunction('rnnTanh', 'use nn.RNN');
/** @deprecated There is no `torch.rnn_relu` here: use nn.RNN. */
export const rnnRelu: never = absentFunction('rnnRelu', 'use nn.RNN');
/** @deprecated There is no `torch.rnn_tanh_cell` here: use nn.RNNCell. */
export const rnnTanhCell: never = absentFunction('rnnTanhCell', 'use nn.RNNCell');
/** @deprecated There is no `torch.rnn_relu_cell` here: use nn.RNNCell. */
export const rnnReluCell: never = absentFunction('rnnReluCell', 'use nn.RNNCell');
/** @deprecated There is no `torch.gru` here: use nn.GRU. */
export const gru: never = absentFunction('gru', 'use nn.GRU');
/** @deprecated There is no `torch.gru_cell` here: use nn.GRUCell. */
export const gruCell: never = absentFunction('gruCell', 'use nn.GRUCell');
/** @deprecated There is no `torch.lstm` here: use nn.LSTM. */
export const lstm: never = absentFunction('lstm', 'use nn.LSTM');
/** @deprecated There is no `torch.lstm_cell` here: use nn.LSTMCell. */
export const lstmCell: never = absentFunction('lstmCell', 'use nn.LSTMCell');
/** @deprecated There is no `torch.cond` here: use control.cond. */
export const cond: never = absentFunction('cond', 'use control.cond');
/** @deprecated There is no `torch.while_loop` here: use control.while. */
export const whileLoop: never = absentFunction('whileLoop', 'use control.while');
/** @deprecated There is no `torch.vmap` here: use func.vmap. */
export const vmap: never = absentFunction('vmap', 'use func.vmap');
/** @deprecated There is no `torch.eig` here: use linalg.eig. */
export const eig: never = absentFunction('eig', 'use linalg.eig');
/** @deprecated There is no `torch.symeig` here: use linalg.eigh. */
export const symeig: never = absentFunction('symeig', 'use linalg.eigh');
/** @deprecated There is no `torch.lstsq` here: use linalg.lstsq. */
export const lstsq: never = absentFunction('lstsq', 'use linalg.lstsq');
/** @deprecated There is no `torch.solve` here: use linalg.solve. */
export const solve: never = absentFunction('solve', 'use linalg.solve');
/** @deprecated There is no `torch.triangular_solve` here: use linalg.solveTriangular. */
export const triangularSolve: never = absentFunction('triangularSolve', 'use linalg.solveTriangular');
/** @deprecated There is no `torch.lu` here: use linalg.lu or linalg.luFactor. */
export const lu: never = absentFunction('lu', 'use linalg.lu or linalg.luFactor');
/** @deprecated There is no `torch.lu_solve` here: use linalg.luSolve. */
export const luSolve: never = absentFunction('luSolve', 'use linalg.luSolve');
/** @deprecated There is no `torch.matrix_rank` here: use linalg.matrixRank. */
export const matrixRank: never = absentFunction('matrixRank', 'use linalg.matrixRank');
/** @deprecated There is no `torch.range` here: use arange: its end is not in the result. */
export const range: never = absentFunction('range', 'use arange: its end is not in the result');
/** @deprecated There is no `torch.scalar_tensor` here: use tensor(number). */
export const scalarTensor: never = absentFunction('scalarTensor', 'use tensor(number)');
/** @deprecated There is no `torch.asarray` here: use asTensor. */
export const asarray: never = absentFunction('asarray', 'use asTensor');
/** @deprecated There is no `torch.row_stack` here: use vstack. */
export const rowStack: never = absentFunction('rowStack', 'use vstack');
/** @deprecated There is no `torch.randint_like` here: use randint(low, high, x.shape). */
export const randintLike: never = absentFunction('randintLike', 'use randint(low, high, x.shape)');
/** @deprecated There is no `torch.frombuffer` here: use fromNumpy with a typed array over the buffer. */
export const frombuffer: never = absentFunction('frombuffer', 'use fromNumpy with a typed array over the buffer');
/** @deprecated There is no `torch.from_dlpack` here: use fromNumpy(array), and x.data. */
export const fromDlpack: never = absentFunction('fromDlpack', 'use fromNumpy(array), and x.data');
/** @deprecated There is no `torch.to_dlpack` here: use fromNumpy(array), and x.data. */
export const toDlpack: never = absentFunction('toDlpack', 'use fromNumpy(array), and x.data');
/** @deprecated There is no `torch.from_file` here: use fromNumpy(array), and x.data. */
export const fromFile: never = absentFunction('fromFile', 'use fromNumpy(array), and x.data');
/** @deprecated There is no `torch.empty_strided` here: use empty: memory is laid out by the compiler. */
export const emptyStrided: never = absentFunction('emptyStrided', 'use empty: memory is laid out by the compiler');
/** @deprecated There is no `torch.empty_permuted` here: use empty: memory is laid out by the compiler. */
export const emptyPermuted: never = absentFunction('emptyPermuted', 'use empty: memory is laid out by the compiler');
/** @deprecated There is no `torch.as_strided` here: use reshape, permute, narrow or slice. */
export const asStrided: never = absentFunction('asStrided', 'use reshape, permute, narrow or slice');
/** @deprecated There is no `torch.as_strided_scatter` here: use reshape, permute, narrow or slice. */
export const asStridedScatter: never = absentFunction('asStridedScatter', 'use reshape, permute, narrow or slice');
/** @deprecated There is no `torch.as_strided_` here: use reshape, permute, narrow or slice. */
export const asStrided_: never = absentFunction('asStrided_', 'use reshape, permute, narrow or slice');
/** @deprecated There is no `torch.unsafe_chunk` here: use chunk. */
export const unsafeChunk: never = absentFunction('unsafeChunk', 'use chunk');
/** @deprecated There is no `torch.unsafe_split` here: use split. */
export const unsafeSplit: never = absentFunction('unsafeSplit', 'use split');
/** @deprecated There is no `torch.unsafe_split_with_sizes` here: use splitWithSizes. */
export const unsafeSplitWithSizes: never = absentFunction('unsafeSplitWithSizes', 'use splitWithSizes');
/** @deprecated There is no `torch.split_with_sizes_copy` here: use splitWithSizes. */
export const splitWithSizesCopy: never = absentFunction('splitWithSizesCopy', 'use splitWithSizes');
/** @deprecated There is no `torch.put` here: use x.clone().put_(index, source). */
export const put: never = absentFunction('put', 'use x.clone().put_(index, source)');
/** @deprecated There is no `torch.typename` here: use x.dtype. */
export const typename: never = absentFunction('typename', 'use x.dtype');
/** @deprecated There is no `torch.is_storage` here: leave it out: tensors have no storages. */
export const isStorage: never = absentFunction('isStorage', 'leave it out: tensors have no storages');
/** @deprecated There is no `torch.is_conj` here: leave it out: numbers are conjugated and negated at once. */
export const isConj: never = absentFunction('isConj', 'leave it out: numbers are conjugated and negated at once');
/** @deprecated There is no `torch.is_neg` here: leave it out: numbers are conjugated and negated at once. */
export const isNeg: never = absentFunction('isNeg', 'leave it out: numbers are conjugated and negated at once');
/** @deprecated There is no `torch.resolve_neg` here: leave it out: numbers are conjugated and negated at once. */
export const resolveNeg: never = absentFunction(
  'resolveNeg',
  'leave it out: numbers are conjugated and negated at once',
);
/** @deprecated There is no `torch.hash_tensor` here: use x.data. */
export const hashTensor: never = absentFunction('hashTensor', 'use x.data');
/** @deprecated There is no `torch.get_default_device` here: use device(). */
export const getDefaultDevice: never = absentFunction('getDefaultDevice', 'use device()');
/** @deprecated There is no `torch.get_rng_state` here: use a Generator and its state. */
export const getRngState: never = absentFunction('getRngState', 'use a Generator and its state');
/** @deprecated There is no `torch.set_rng_state` here: use a Generator and its state. */
export const setRngState: never = absentFunction('setRngState', 'use a Generator and its state');
/** @deprecated There is no `torch.seed` here: use manualSeed. */
export const seed: never = absentFunction('seed', 'use manualSeed');
/** @deprecated There is no `torch.initial_seed` here: use manualSeed. */
export const initialSeed: never = absentFunction('initialSeed', 'use manualSeed');
/** @deprecated There is no `torch.use_deterministic_algorithms` here: leave it out: results have the same bits in every run. */
export const useDeterministicAlgorithms: never = absentFunction(
  'useDeterministicAlgorithms',
  'leave it out: results have the same bits in every run',
);
/** @deprecated There is no `torch.set_deterministic_debug_mode` here: leave it out: results have the same bits in every run. */
export const setDeterministicDebugMode: never = absentFunction(
  'setDeterministicDebugMode',
  'leave it out: results have the same bits in every run',
);
/** @deprecated There is no `torch.are_deterministic_algorithms_enabled` here: leave it out: results have the same bits in every run. */
export const areDeterministicAlgorithmsEnabled: never = absentFunction(
  'areDeterministicAlgorithmsEnabled',
  'leave it out: results have the same bits in every run',
);
/** @deprecated There is no `torch.set_printoptions` here: use setPrintOptions. */
export const setPrintoptions: never = absentFunction('setPrintoptions', 'use setPrintOptions');
/** @deprecated There is no `torch.get_num_threads` here: set TRENIO_NUM_THREADS. */
export const getNumThreads: never = absentFunction('getNumThreads', 'set TRENIO_NUM_THREADS');
/** @deprecated There is no `torch.set_num_interop_threads` here: set TRENIO_NUM_THREADS. */
export const setNumInteropThreads: never = absentFunction('setNumInteropThreads', 'set TRENIO_NUM_THREADS');
/** @deprecated There is no `torch.get_num_interop_threads` here: set TRENIO_NUM_THREADS. */
export const getNumInteropThreads: never = absentFunction('getNumInteropThreads', 'set TRENIO_NUM_THREADS');
/** @deprecated There is no `torch.get_float32_matmul_precision` here: use autocast. */
export const getFloat32MatmulPrecision: never = absentFunction('getFloat32MatmulPrecision', 'use autocast');
/** @deprecated There is no `torch.set_flush_denormal` here: leave it out: arithmetic follows IEEE 754. */
export const setFlushDenormal: never = absentFunction('setFlushDenormal', 'leave it out: arithmetic follows IEEE 754');
/** @deprecated There is no `torch.quantize_per_tensor` here: use x.roundTo(format). */
export const quantizePerTensor: never = absentFunction('quantizePerTensor', 'use x.roundTo(format)');
/** @deprecated There is no `torch.quantize_per_channel` here: use x.roundTo(format). */
export const quantizePerChannel: never = absentFunction('quantizePerChannel', 'use x.roundTo(format)');
/** @deprecated There is no `torch.quantize_per_tensor_dynamic` here: use x.roundTo(format). */
export const quantizePerTensorDynamic: never = absentFunction('quantizePerTensorDynamic', 'use x.roundTo(format)');
/** @deprecated There is no `torch.fake_quantize_per_tensor_affine` here: use x.roundTo(format). */
export const fakeQuantizePerTensorAffine: never = absentFunction(
  'fakeQuantizePerTensorAffine',
  'use x.roundTo(format)',
);
/** @deprecated There is no `torch.fake_quantize_per_channel_affine` here: use x.roundTo(format). */
export const fakeQuantizePerChannelAffine: never = absentFunction(
  'fakeQuantizePerChannelAffine',
  'use x.roundTo(format)',
);
/** @deprecated There is no `torch.sparse_csr_tensor` here: use dense tensors. */
export const sparseCsrTensor: never = absentFunction('sparseCsrTensor', 'use dense tensors');
/** @deprecated There is no `torch.sparse_csc_tensor` here: use dense tensors. */
export const sparseCscTensor: never = absentFunction('sparseCscTensor', 'use dense tensors');
/** @deprecated There is no `torch.sparse_bsr_tensor` here: use dense tensors. */
export const sparseBsrTensor: never = absentFunction('sparseBsrTensor', 'use dense tensors');
/** @deprecated There is no `torch.sparse_bsc_tensor` here: use dense tensors. */
export const sparseBscTensor: never = absentFunction('sparseBscTensor', 'use dense tensors');
/** @deprecated There is no `torch.sparse_compressed_tensor` here: use dense tensors. */
export const sparseCompressedTensor: never = absentFunction('sparseCompressedTensor', 'use dense tensors');
/** @deprecated There is no `torch.lobpcg` here: use linalg.eigh. */
export const lobpcg: never = absentFunction('lobpcg', 'use linalg.eigh');
/** @deprecated There is no `torch.svd_lowrank` here: use linalg.svd, and keep the first columns. */
export const svdLowrank: never = absentFunction('svdLowrank', 'use linalg.svd, and keep the first columns');
/** @deprecated There is no `torch.pca_lowrank` here: subtract the mean, then use linalg.svd, and keep the first columns. */
export const pcaLowrank: never = absentFunction(
  'pcaLowrank',
  'subtract the mean, then use linalg.svd, and keep the first columns',
);
/** @deprecated There is no `torch.segment_reduce` here: use scatterReduce. */
export const segmentReduce: never = absentFunction('segmentReduce', 'use scatterReduce');
/** @deprecated There is no `torch.histogram` here: use histc, or bucketize and bincount. */
export const histogram: never = absentFunction('histogram', 'use histc, or bucketize and bincount');
/** @deprecated There is no `torch.histogramdd` here: use bucketize of each column, and bincount. */
export const histogramdd: never = absentFunction('histogramdd', 'use bucketize of each column, and bincount');
