import { expect, test } from 'vitest';
import { rankInfo } from './ranks.ts';

test('without variables it is a single rank', () => {
  const single = { rank: 0, worldSize: 1, localRank: 0, localWorldSize: 1, segment: undefined };
  expect(rankInfo({})).toEqual(single);
});
test('what trenio run sets', () => {
  const variables = { RANK: '1', WORLD_SIZE: '2', LOCAL_RANK: '1', LOCAL_WORLD_SIZE: '2', TRENIO_SHM: '/trenio-1-a' };
  expect(rankInfo(variables)).toEqual({
    rank: 1,
    worldSize: 2,
    localRank: 1,
    localWorldSize: 2,
    segment: '/trenio-1-a',
  });
});
test.each([
  ['a rank beyond the world', { RANK: '2', WORLD_SIZE: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['several ranks without shared memory', { RANK: '0', WORLD_SIZE: '2' }, 'BAD_ENVIRONMENT'],
  ['more local ranks than ranks', { WORLD_SIZE: '2', LOCAL_WORLD_SIZE: '3', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['a local rank beyond its world', { WORLD_SIZE: '2', LOCAL_RANK: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['several machines', { WORLD_SIZE: '4', LOCAL_WORLD_SIZE: '2', TRENIO_SHM: '/a' }, 'UNSUPPORTED'],
])('%s', (_, variables, code) => {
  expect(() => rankInfo(variables)).toThrow(expect.objectContaining({ code }));
});
