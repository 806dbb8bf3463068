// Every machine of the catalog: its parts sum to the published totals.
import { describe, expect, test } from 'vitest';
import { chipOf, chips } from './chips/index.ts';
import { listFacts, valueUnder } from './fact.ts';
import { instances, machineNames } from './instances/index.ts';
import type { FactProfile, MultiplyType } from './machine.ts';
import { machineOf } from './machine-of.ts';

const profiles: readonly FactProfile[] = ['docs', 'launch'];
const GIB = 2 ** 30;

describe('facts', () => {
  const owners = [...chips, ...instances];

  test.each(owners.map(owner => [owner.name, owner] as const))(
    'of %s have sources, and figures above 0',
    (_, owner) => {
      const facts = listFacts(owner);
      expect(facts.length).toBeGreaterThan(8);
      for (const { path, fact } of facts) {
        const at = path.join(' ');
        expect(fact.source.length, at).toBeGreaterThan(10);
        if (typeof fact.value === 'number') expect(fact.value, at).toBeGreaterThan(0);
        for (const alternative of fact.alternatives ?? []) {
          expect(alternative.note.length, at).toBeGreaterThan(5);
          expect(typeof alternative.value, at).toBe(typeof fact.value);
        }
      }
    },
  );

  test('names are unique', () => {
    expect(new Set(owners.map(o => o.name)).size).toBe(owners.length);
    expect(new Set(machineNames).size).toBe(machineNames.length);
  });

  test('a missing figure is undefined, neither 0 nor NaN', () => {
    for (const { fact } of owners.flatMap(owner => listFacts(owner))) {
      expect(fact.value).not.toBeNaN();
      expect(fact.value).not.toBe(0);
      expect(fact.value).not.toBeNull();
    }
  });
});

describe.each(profiles)('machines under the profile %s', profile => {
  test.each(machineNames)('%s', name => {
    const machine = machineOf(name, { profile });
    expect(machine.name).toBe(name);
    expect(machine.devices).toBe(machine.chips * machine.devicesPerChip);
    expect(machine.fabric.latency).toBeGreaterThan(0);
    expect(machine.hostMemoryBytes).toBeGreaterThan(GIB);
    if (machine.fabric.kind === 'torus') {
      expect(machine.fabric.shape.reduce((a, b) => a * b, 1)).toBe(machine.chips);
      expect(machine.fabric.linkBandwidth.length).toBe(machine.fabric.shape.length);
    } else if (machine.fabric.kind === 'none') expect(machine.chips).toBe(1);
    for (const price of machine.prices) {
      expect(Number.isInteger(price.perHour) && price.perHour > 0).toBe(true);
      expect(price.date).toMatch(/^\d{4}(-\d\d){0,2}$/);
      expect(price.source.length).toBeGreaterThan(10);
    }
  });

  test.each(instances.map(i => [i.name, i] as const))(
    '%s: devices sum to what is published of it',
    (name, instance) => {
      const { device, devices } = machineOf(name, { profile });
      expect(device.memoryBytes * devices).toBe(valueUnder(instance.acceleratorMemoryGib, profile) * GIB);
      if (instance.acceleratorMemoryGBs)
        expect(device.memoryBandwidth * devices).toBeCloseTo(
          valueUnder(instance.acceleratorMemoryGBs, profile) * 1e9,
          -6,
        );
      for (const [format, fact] of Object.entries(instance.peakPflops ?? {})) {
        const published = valueUnder(fact, profile);
        // Published figures are rounded to one or two decimal places.
        const tolerance = Math.max(0.06, published * 0.005);
        const ofOne =
          format === 'int8' || format === 'sparse' || format === 'f4'
            ? (valueUnder(chipOf(instance.chip).peakTflops[format]!, profile) *
                1e12 *
                valueUnder(instance.chips, profile)) /
              devices
            : device.peakFlops[format as MultiplyType]!;
        // There is no published figure of a whole instance for integers.
        if (profile === 'docs' || fact.alternatives)
          expect(Math.abs((ofOne * devices) / 1e15 - published), format).toBeLessThan(tolerance);
      }
    },
  );
});

describe('devices', () => {
  test('one NeuronCore each, or two as one logical core', () => {
    expect(machineOf('trn1.32xlarge').devices).toBe(32);
    const single = machineOf('trn2.48xlarge', { lnc: 1 });
    const paired = machineOf('trn2.48xlarge'); // the runtime's default
    expect([single.devices, paired.devices]).toEqual([128, 64]);
    expect(paired.device.peakFlops.bf16! * paired.devices).toBe(single.device.peakFlops.bf16! * single.devices);
    expect(paired.device.memoryBytes).toBe(24 * GIB);
    if (single.device.kind !== 'neuron-core' || paired.device.kind !== 'neuron-core') throw new Error('no NeuronCores');
    expect(paired.device.sbufBytes).toBe(2 * single.device.sbufBytes);
    expect(paired.device.tensor.columns).toBe(256);
  });

  test('profiles differ where documents differ', () => {
    const bf16 = (profile: FactProfile) => machineOf('trn1.32xlarge', { profile }).device.peakFlops.bf16;
    expect([bf16('docs'), bf16('launch')]).toEqual([95e12, 105e12]);
  });

  test('the peaks of the engines follow from array and clock, those of GPUs from multiprocessors and clock', () => {
    for (const chip of chips) {
      if (chip.kind === 'neuron') {
        const { rows, columns, clockGhz, peakTflops } = chip.tensorPerCore;
        if (peakTflops.bf16)
          expect(rows.value * columns.value * 2 * clockGhz.value * 1e-3).toBeCloseTo(peakTflops.bf16.value, -0.5);
        expect((peakTflops.bf16?.value ?? 0) * chip.cores.value).toBeLessThanOrEqual(chip.peakTflops.bf16!.value);
      }
    }
    const perCycle = { 'a100-40gb': 2048, 'a100-80gb': 2048, h100: 4096, h200: 4096 } as const;
    for (const [name, operations] of Object.entries(perCycle)) {
      const chip = chips.find(c => c.name === name);
      if (chip?.kind !== 'gpu') throw new Error(`${name} is no GPU`);
      const tflops = chip.multiprocessors.value * chip.clockGhz.value * operations * 1e-3;
      expect(Math.abs(tflops / chip.peakTflops.bf16!.value - 1)).toBeLessThan(0.001);
    }
  });
});

describe('invalid machines', () => {
  test('unknown names are reported with the nearest', () => {
    expect(() => machineOf('trn1.32xl')).toThrow("unknown machine 'trn1.32xl'");
    expect(() => machineOf('trn1.32xl')).toThrow('did you mean trn1.32xlarge');
    expect(() => machineOf('ml.g6.xlarge')).toThrow('did you mean');
  });

  test('logical cores that a chip does not support', () => {
    expect(() => machineOf('trn1.32xlarge', { lnc: 2 })).toThrow(
      'a logical core of AWS Trainium1 cannot have 2 physical cores',
    );
    expect(() => machineOf('p4d.24xlarge', { lnc: 2 })).toThrow('set lnc to 1');
  });
});
