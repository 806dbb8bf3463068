import { expect, test } from 'vitest';
import { isSecretName, SecretMask, shownRequest } from './secrets.ts';

test('recognizes the names of secrets', () => {
  for (const name of [
    'HF_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'WANDB_API_KEY',
    'DbPassword',
    'GOOGLE_CREDENTIALS',
    'PRIVATE_KEY',
  ])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of ['COLOR', 'KEYBOARD', 'MODEL_NAME', 'TRENIO_NUM_THREADS'])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

test('values are masked everywhere, the longest first, line by line; short ones are kept', () => {
  const mask = new SecretMask(
    { TOKEN: 'abcdef', API_KEY: 'abcdefghi', PIN_TOKEN: '1234', COLOR: 'greenish' },
    { PRIVATE_KEY: '-----BEGIN\nline one\nline two' },
  );
  expect(mask.mask('abcdefghi abcdef 1234 greenish')).toBe('****** ****** 1234 greenish');
  expect(mask.mask('  line one')).toBe('  ******');
  // No pattern of anything.
  expect(new SecretMask({ TOKEN: '$&.*(a+)+$' }).mask('x$&.*(a+)+$x')).toBe('x******x');
});

test('masks environments of requests at any depth', () => {
  expect(
    shownRequest({ Containers: [{ Environment: { A_TOKEN: 'x', B: 'y' } }], Environment: { PASSWORD: '1' }, N: 1 }),
  ).toEqual({
    Containers: [{ Environment: { A_TOKEN: '******', B: 'y' } }],
    Environment: { PASSWORD: '******' },
    N: 1,
  });
});
