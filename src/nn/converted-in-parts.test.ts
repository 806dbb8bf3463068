// Parameters on a mesh are not filled before something reads them, also those of a model that is converted: with its bits.
import { afterEach, expect, test } from 'vitest';
import { DeviceMesh, type MeshSizes } from '../hlo/sharding/device-mesh.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device } from '../tensor/device.ts';
import { forgetDevices } from '../tensor/devices.ts';
import { manualSeed, setDefaultDevice } from '../tensor/index.ts';
import { Linear } from './index.ts';

afterEach(forgetDevices);

class CountingBackend extends InterpreterBackend {
  uploads = 0;
  override upload(...content: Parameters<InterpreterBackend['upload']>) {
    this.uploads++;
    return super.upload(...content);
  }
}
function converted(sizes: MeshSizes) {
  forgetDevices();
  const backend = new CountingBackend();
  setDefaultDevice(new Device(backend, { mesh: new DeviceMesh(sizes, 0), seed: 0, log: () => {} }));
  manualSeed(1);
  const { weight } = new Linear(8, 12).to('bfloat16');
  const { uploads } = backend;
  return { uploads, weight: weight.data };
}

test('to a narrower type', () => {
  const whole = converted({ data: 1 });
  expect(whole.uploads).toBeGreaterThan(0);
  expect(converted({ dp_shard: 2 })).toEqual({ uploads: 0, weight: whole.weight });
});
