import { describe } from 'vitest';
import { registeredBackends } from './all.ts';
import { conformance } from './conformance.testing.ts';

const found = registeredBackends().map(entry => ({ name: entry.name, availability: entry.availability() }));

for (const { name, availability } of found)
  describe.skipIf(availability.kind === 'unavailable')(name, () => conformance(name));
