// The sources of the catalog's values, by short names. Dates and versions are part of the source: values change.
const neuronDocs = 'AWS Neuron documentation 2.32 (2026-08)';

export const sources = {
  trainium1: `${neuronDocs}, trainium.rst`,
  trainium2: `${neuronDocs}, trainium2.rst`,
  trainium3: `${neuronDocs}, trainium3.rst`,
  inferentia2: `${neuronDocs}, inferentia2.rst`,
  coreV2: `${neuronDocs}, NKI guide trainium_inferentia2_arch.rst`,
  coreV3: `${neuronDocs}, NKI guide trainium2_arch.rst`,
  coreV4: `${neuronDocs}, NKI guide trainium3_arch.rst`,
  coreV3Page: `${neuronDocs}, neuron-core-v3.rst`,
  coreV4Page: `${neuronDocs}, neuron-core-v4.rst`,
  dmaOverview: `${neuronDocs}, nki-dma-overview.rst`,
  dataTypes: `${neuronDocs}, data types and rounding modes`,
  logicalCores: `${neuronDocs}, logical NeuronCore configuration`,
  trn1: `${neuronDocs}, trn1-arch.rst`,
  trn2: `${neuronDocs}, trn2-arch.rst`,
  trn3: `${neuronDocs}, trn3-arch.rst`,
  inf2: `${neuronDocs}, inf2-arch.rst`,
  neuronCollectives: `${neuronDocs}, collectives pages of the Neuron runtime`,
  karpenter: 'Karpenter documentation, instance types (2026-07)',
  cpuOptions: 'Amazon EC2 User Guide, supported CPU options for instance types (2026)',
  karpenterPrices: 'Karpenter pricing table, us-east-1 (2026-07-20)',
  skyPilot: 'SkyPilot catalog',
  a100: 'NVIDIA A100 data sheet',
  ampereWhitePaper: 'NVIDIA A100 Tensor Core GPU architecture white paper',
  h100: 'NVIDIA H100 SXM data sheet',
  hopperWhitePaper: 'NVIDIA H100 Tensor Core GPU architecture white paper',
  h200: 'NVIDIA H200 data sheet',
  a10g: 'NVIDIA A10G data sheet',
  trn1Launch: 'AWS News Blog, Amazon EC2 Trn1 instances generally available (2022-10)',
  trn2Launch: 'AWS News Blog, Amazon EC2 Trn2 instances and Trn2 UltraServers (2024-12)',
  sageMakerTrn1:
    "AWS Machine Learning Blog, 'Maximize performance and reduce your deep learning training cost with AWS Trainium and Amazon SageMaker' (2023)",
  ultraCluster:
    "AWS Machine Learning Blog, 'Scaling Large Language Model (LLM) training with Amazon EC2 Trn1 UltraClusters' (2023)",
} as const;
