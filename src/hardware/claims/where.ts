// The documents that printed the claims.
export const where = {
  trn1: 'Trn1 launch (2022)',
  trn1Page: 'EC2 Trn1 page',
  trn2: 'Trn2 launch (2024)',
  sageMaker: 'SageMaker article (2023)',
  cluster: 'UltraCluster article (2023)',
} as const;
