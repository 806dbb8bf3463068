// Calls that Trenio accepts though PyTorch raises an error: a section of docs/pytorch.md, and the list that
// bench/pytorch-cases.ts compares with. A call is documented where its kind names the function.

export interface AcceptedKind {
  readonly title: string;
  /** PyTorch's message. */
  readonly raises: RegExp;
  /** The difference, with the reason. */
  readonly differs: string;
  /** The rows, by name. */
  readonly names: readonly string[];
}
const words = (text: string): readonly string[] => text.split(/\s+/).filter(word => word !== '');

export const acceptedKinds: readonly AcceptedKind[] = [
  {
    title: 'data types',
    raises:
      /not implemented for|only supports? floating|xpected .*floating.point|to have floating point|can't be cast to the desired|complex (?:tensors|types)|must be (?:a )?float|common dtype|[Ii]ntegral inputs|is not supported|Unsupported input type|could not infer output dtype|does not support|for bool|Integer division|Got (?:Long|Byte|Char|Short|Int|Bool)|dtype: Bool|support complex|Complex inputs|not be a boolean|Boolean inputs|but got (?:Half|BFloat16|Bool)|requires a complex-valued|integral input tensors|tensor of torch\.int32/,
    differs:
      'PyTorch has kernels for some data types only. Here the function is computed for all: half precision in float32, rounded once; integers and booleans as float32; complex numbers by the formula.',
    names: words(`
      abs adaptiveAvgPool1d adaptiveAvgPool2d adaptiveAvgPool3d adaptiveMaxPool1d adaptiveMaxPool2d adaptiveMaxPool3d
      addbmm addcdiv addmm addmv addr amax amin aminmax argmax argmin atan2 avgPool1d avgPool2d avgPool3d baddbmm
      binaryCrossEntropy binaryCrossEntropyWithLogits binomial bmm bucketize cdist ceil celu chainMatmul conv1d conv2d
      conv3d convTranspose1d convTranspose2d convTranspose3d corrcoef cosineEmbeddingLoss cosineSimilarity cov
      crossEntropy ctcLoss cumsum cumulativeTrapezoid deg2rad dist dot einsum elu erfcx floor frac gaussianNllLoss
      gelu glu gradient groupNorm gumbelSoftmax hardshrink hardsigmoid hardswish hardtanh heaviside hingeEmbeddingLoss
      huberLoss hypot i1 i1e igamma igammac indexReduce inner instanceNorm isin isneginf isposinf istft klDiv kthvalue
      l1Loss layerNorm leakyRelu lerp linalgMatmul linalgNorm linalgVander linear logNdtr logSoftmax logaddexp
      logaddexp2 logcumsumexp logit logsigmoid luUnpack marginRankingLoss matmul matrixNorm max maxPool1d maxPool2d
      maxPool3d mean median min mish mm mseLoss multiDot multiMarginLoss multigammaln multilabelMarginLoss
      multilabelSoftMarginLoss mv nanToNum nanmean nanmedian nansum ndtri nllLoss norm normalize pairwiseDistance
      poissonNllLoss positive prelu prod rad2deg random relu relu6 renorm rmsNorm round rrelu scatterReduce
      searchsorted selectScatter selu sign silu sliceScatter smoothL1Loss softMarginLoss softmax softmin softplus
      softshrink softsign specialLogSoftmax specialRound specialSoftmax std stdMean sum tanhshrink tensordot threshold
      topk trace trapezoid trilIndices tripletMarginLoss tripletMarginWithDistanceLoss triuIndices trunc var varMean
      vdot vecdot vectorNorm xlog1py xlogy zeta
    `),
  },
  {
    title: 'operands of different data types',
    raises:
      /same (?:dtype|data type)|should be the same|xpected scalar type|have the same dtype|both .*dtype|mixed dtype|Found dtype|xpected a long tensor|m1 and m2|did not match|expected dtype/,
    differs:
      'PyTorch raises an error. Operands are promoted, and indices and classes may be whole floats: numbers are float32 by default.',
    names: words(`
      addmm batchNorm binaryCrossEntropy conv1d conv2d conv3d convTranspose1d convTranspose2d convTranspose3d cross
      huberLoss inner instanceNorm isclose layerNorm lerp linalgCross linalgMatmul lstsq matmul mm multiMarginLoss mv
      take vdot vecdot
    `),
  },
  {
    title: 'values',
    raises:
      /between 0 and 1|negative entr|entry < 0|singular|positive.definite|could not be completed|is zero|out of (?:bounds|range)|Pivots|ZeroDivision|converge|non-?finite|contain|p_in|in the range|in evaluation mode|non-positive-norm|should not contain|Poisson rate|expects std|elements of source|of DATA bounds|label range|window overlap|equal to 1|to be >= 0/,
    differs:
      'PyTorch reads the elements and raises an error. Programs do not stop at values: the result is NaN, or what the formula gives; indices out of range raise when a value is read.',
    names: words(`
      batchNorm bernoulli binaryCrossEntropy cholesky choleskyEx choleskyInverse cond ctcLoss eig eigh eigvals
      eigvalsh floorDivide fmod gaussianNllLoss indexFill indexSelect inverse istft linalgNorm linalgSvd luFactor
      luSolve maskedScatter matrixPower matrixRank multigammaln multinomial nanquantile normal pinv poisson quantile
      remainder renorm scatterReduce solve svd svdvals tensorinv tensorsolve
    `),
  },
  {
    title: 'gradients',
    raises:
      /Autograd not support|inplace operation|derivative|not differentiable|requires? grad|in backward|grad\.scalar_type/,
    differs: 'PyTorch raises an error in `backward()`. Here the gradient flows, or results of integers have none.',
    names: words(`
      bernoulli cond cumprod cumsum linalgQr logaddexp qr scatter sliceScatter
    `),
  },
  {
    title: 'sizes',
    raises:
      /DFTI|at least one axis|same dimension|must be positive|missing 1 required|smaller than kernel|no dimensions|same (?:size|shape|number)|invalid combination of arguments|non-?zero|non-?empty|must match|broadcast|xpected .*(?:dim|size|shape)|0-dim|PyTorch ends the process|[Dd]imension|at least 1 at|to be a vector|invalid slice|match the broadcast|should contain|edge_order|match the existing size/,
    differs:
      'PyTorch raises an error. Operands broadcast, `keepDim` needs no `dim`, empty tensors and dims of size 0 or 1 give what the formula gives.',
    names: words(`
      adaptiveAvgPool1d adaptiveAvgPool2d adaptiveAvgPool3d adaptiveMaxPool1d adaptiveMaxPool2d adaptiveMaxPool3d
      addbmm avgPool3d baddbmm binaryCrossEntropy binaryCrossEntropyWithLogits channelShuffle clamp conv1d conv2d
      conv3d ctcLoss cumulativeTrapezoid fft fft2 fftn hfft hfft2 hfftn ifft ifft2 ifftn indexSelect instanceNorm
      irfft irfft2 irfftn linalgNorm logsumexp luSolve marginRankingLoss maxPool2d mean rfft rfft2 rfftn
      softMarginLoss sum tensorinv tripletMarginWithDistanceLoss
    `),
  },
];

/** The kind of an accepted call, where it is documented for the row. */
export const acceptedKindOf = (row: string, raises: string): AcceptedKind | undefined =>
  acceptedKinds.find(kind => kind.raises.test(raises) && kind.names.includes(row));
