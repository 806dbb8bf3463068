// Members of PyTorch's modules that do not exist here: reading one throws an error that names the replacement.
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../../tensor/index.ts';

const cores = 'leave it out: programs run on the cores of this machine; to(device) moves a module';
const absent: Readonly<Record<string, string>> = {
  cuda: cores,
  ipu: cores,
  mtia: cores,
  xpu: cores,
  compile: 'use compile(() => …) around the training step: it compiles the modules that it calls',
  registerBackwardHook: 'use registerFullBackwardHook',
  shareMemory: 'leave it out: ranks exchange data through collectives',
  type: "use to('f32'), to('bf16') …",
};
/** Adds the getters to the prototype of modules. */
export function addAbsentMembers(prototype: object): void {
  for (const [name, instead] of Object.entries(absent)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(): never {
        throw new TrenioError('ABSENT_NAME', { name: `Module.${name}`, instead }, { location: userLocation() });
      },
      // A module may have a field of this name.
      set(value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
      },
    });
  }
}
