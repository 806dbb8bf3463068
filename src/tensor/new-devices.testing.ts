// Before each test file of a shared process: nothing that an earlier file has recorded, seeded or chosen is left.
import { forgetDevices } from './devices.ts';

forgetDevices();
