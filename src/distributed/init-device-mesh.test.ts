import { expect, test, vi } from 'vitest';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, tensor } from '../tensor/index.ts';
import { initDeviceMesh } from './init-device-mesh.ts';

const newDevice = (ranks: number, rank = 0): Device =>
  new Device(new InterpreterBackend(), { mesh: new DeviceMesh({ data: ranks }, rank), seed: 0, log: () => {} });

test('a device has all ranks on the axis data until it is given a mesh', () => {
  const dev = newDevice(8, 5);
  expect(String(dev.mesh)).toBe('{ data: 8 }');
  const mesh = initDeviceMesh({ data: -1, tensor: 4 }, dev);
  expect(dev.mesh).toBe(mesh);
  expect([mesh.size('data'), mesh.coordinate('data'), mesh.coordinate('tensor'), mesh.rank]).toEqual([2, 1, 1, 5]);
});

test('the mesh cannot be changed after something was recorded or run', () => {
  const dev = newDevice(4);
  const x = tensor([1, 2], { device: dev });
  const mesh = initDeviceMesh({ data: 2, tensor: 2 }, dev);
  const y = x.add(1);
  const change = (): unknown => initDeviceMesh({ data: 4 }, dev);
  expect(change).toThrow(
    'cannot be changed to { data: 4 }: it is { data: 2, tensor: 2 }, and programs have been recorded with it',
  );
  y.toArray();
  expect(change).toThrow(/cannot be changed to/);
  dev.markStep();
  expect(change).toThrow(/cannot be changed to/);
  // Setting the same mesh again is allowed.
  expect(initDeviceMesh({ data: 2, tensor: -1 }, dev)).toBe(mesh);
});

test('without sizes, the mesh is that of the launcher, and all ranks on data without one', () => {
  expect(String(initDeviceMesh(undefined, newDevice(4)))).toBe('{ data: 4 }');
  vi.stubEnv('TRENIO_LAYOUT', 'dp_shard=2,tp=-1');
  try {
    expect(String(initDeviceMesh(undefined, newDevice(4)))).toBe('{ dp_shard: 2, tp: 2 }');
    expect(() => initDeviceMesh(undefined, newDevice(3))).toThrow('the product of the other axes is 2, which does not');
    vi.stubEnv('TRENIO_LAYOUT', 'tp=2,tp=2');
    expect(() => initDeviceMesh(undefined, newDevice(4))).toThrow(/TRENIO_LAYOUT.*axes and their sizes/);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('errors name invalid meshes and devices', () => {
  expect(() => initDeviceMesh({ tp: 2, tensor: 2 }, newDevice(4))).toThrow(
    'invalid mesh { tp: 2, tensor: 2 }: tp and tensor are two names of one axis',
  );
  for (const sizes of [null, 4, [2, 2], 'data'])
    expect(() => initDeviceMesh(sizes as never, newDevice(4))).toThrow(/initDeviceMesh: the sizes/);
  expect(() => initDeviceMesh({ data: 4 }, 'gpu' as never)).toThrow(/initDeviceMesh: the device/);
});

test('trenio plan traces a script as one rank; the error for a larger mesh contains the fix', () => {
  vi.stubEnv('TRENIO_TRACE_ONLY', '/tmp/traces');
  try {
    const target = newDevice(1);
    expect(() => initDeviceMesh({ data: 2, tensor: 2 }, target)).toThrow(
      'fix: trenio plan traces the script as one rank: read the sizes from arguments of the script, make them 1 for the plan',
    );
  } finally {
    vi.unstubAllEnvs();
  }
});
