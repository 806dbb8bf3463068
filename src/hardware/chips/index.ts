import type { Chip, ChipName } from './chip.ts';
import { nvidiaChips } from './nvidia.ts';
import { inferentia2, trainium1 } from './trainium1.ts';
import { trainium2 } from './trainium2.ts';
import { trainium3 } from './trainium3.ts';

/** All chips of the catalog. */
export const chips: readonly Chip[] = [trainium1, trainium2, trainium3, inferentia2, ...nvidiaChips];

export const chipOf = (name: ChipName): Chip => chips.find(chip => chip.name === name)!;
