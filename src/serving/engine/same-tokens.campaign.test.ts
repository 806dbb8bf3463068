import { test } from 'vitest';
import { budget } from '../../base/campaign.testing.ts';
import { sameTokens } from './same-tokens.testing.ts';

test('tokens are those alone: random loads on random engines', () => sameTokens(budget(3000)), 3_600_000);
