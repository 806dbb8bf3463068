// Rearrangements of channels and pixels.
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { wrongArgument } from '../../check-arguments.ts';
import { int, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const facts = {
  forms: ['functional', 'function'],
  dtype: 'same',
  gradient: 'smooth',
  throws: ['WRONG_ARGUMENT'],
} as const;
const factor = (call: string, argument: string, x: Value, r: number, isFine: boolean, expected: string): void => {
  if (shapeOf(x).length < 3 || r < 1 || !isFine) throw wrongArgument({ call, argument }, r, expected);
};

export const shuffleRows = group({
  pixelShuffle: row({
    ...facts,
    torch: ['torch.nn.functional.pixel_shuffle', 'torch.pixel_shuffle'],
    summary: 'Channels become pixels: each square of r² channels one of r × r pixels.',
    shape: '[.., C · r², H, W] → [.., C, H · r, W · r]',
    example: 'nn.functional.pixelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2) // [[[[1, 2], [3, 4]]]]',
    params: { input: tensor('the images'), upscaleFactor: int('r: how much larger height and width become') },
    lower: ({ b }, { input, upscaleFactor: r }) => {
      const shape = shapeOf(input);
      const [c, h, w] = shape.slice(-3) as [number, number, number];
      const expected = `an integer whose square divides the ${c} channels`;
      factor('pixelShuffle', 'upscaleFactor', input, r, c % (r * r) === 0, expected);
      const lead = shape.slice(0, -3);
      const k = lead.length;
      const split = b.reshape(input, [...lead, c / (r * r), r, r, h, w]);
      const moved = b.transpose(split, [...lead.map((_, i) => i), k, k + 3, k + 1, k + 4, k + 2]);
      return b.reshape(moved, [...lead, c / (r * r), h * r, w * r]);
    },
  }),
  pixelUnshuffle: row({
    ...facts,
    torch: ['torch.nn.functional.pixel_unshuffle', 'torch.pixel_unshuffle'],
    summary: 'The inverse of `pixelShuffle`: each square of r × r pixels becomes r² channels.',
    shape: '[.., C, H · r, W · r] → [.., C · r², H, W]',
    example: 'nn.functional.pixelUnshuffle(tensor([[[[1, 2], [3, 4]]]]), 2).flatten() // [1, 2, 3, 4]',
    params: { input: tensor('the images'), downscaleFactor: int('r: how much smaller height and width become') },
    lower: ({ b }, { input, downscaleFactor: r }) => {
      const shape = shapeOf(input);
      const [c, h, w] = shape.slice(-3) as [number, number, number];
      factor('pixelUnshuffle', 'downscaleFactor', input, r, h % r === 0 && w % r === 0, `a divisor of ${h} and ${w}`);
      const lead = shape.slice(0, -3);
      const k = lead.length;
      const split = b.reshape(input, [...lead, c, h / r, r, w / r, r]);
      const moved = b.transpose(split, [...lead.map((_, i) => i), k, k + 2, k + 4, k + 1, k + 3]);
      return b.reshape(moved, [...lead, c * r * r, h / r, w / r]);
    },
  }),
  channelShuffle: row({
    ...facts,
    torch: ['torch.nn.functional.channel_shuffle', 'torch.channel_shuffle'],
    summary: 'The channels [groups, C / groups] as [C / groups, groups].',
    shape: 'the shape of the input, [N, C, ..]',
    example: 'nn.functional.channelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).flatten() // [1, 3, 2, 4]',
    params: { input: tensor('the images'), groups: int('how many groups of channels there are') },
    lower: ({ b }, { input, groups }) => {
      const shape = shapeOf(input);
      const [n, c, ...rest] = shape as [number, number, ...number[]];
      factor('channelShuffle', 'groups', input, groups, c % groups === 0, `a divisor of the ${c} channels`);
      const split = b.reshape(input, [n, groups, c / groups, ...rest]);
      return b.reshape(b.transpose(split, [0, 2, 1, ...rest.map((_, i) => i + 3)]), shape);
    },
  }),
});
