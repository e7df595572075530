import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createSystemClock, eventually, VirtualClock, type Clock } from '@podwright/time';
import { startPrivateSystemd, type PrivateSystemd } from '../fixtures/private-systemd.js';
import { DbusSystemdUnits } from './dbus-systemd-units.js';
import { newSliceProperties, valueProperties } from './slice-properties.js';

const unit = 'kubepods-burstable.slice';
const created = newSliceProperties(unit, 'kubepods.slice', 2);
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

async function setUp(clock: Clock = createSystemClock()) {
  const systemd = await startPrivateSystemd();
  const logger = createMemoryLogger();
  const missing = { busAddress: 'unix:path=/nowhere/bus' };
  const units = new DbusSystemdUnits({ clock, logger, addresses: [missing, systemd] });
  closing.push(systemd, units);
  return { systemd, units, logger };
}

const valuesOf = ({ units }: PrivateSystemd): object => Object.fromEntries(units.get(unit) ?? []);

describe('systemd over D-Bus', () => {
  it('makes slices, changes and removes them', async () => {
    const { systemd, units } = await setUp();
    await expect(units.version()).resolves.toBe(252);
    await expect(units.startTransient(unit, created)).resolves.toBe(true);
    expect(valuesOf(systemd)).toMatchObject({ Wants: ['kubepods.slice'], MemoryAccounting: true });
    const values = { memoryLimitBytes: 2 ** 53, cpuQuotaUs: -1, cpus: '0-1,64' };
    await units.setProperties(
      unit,
      valueProperties(values, 2, 252, (shares) => shares),
    );
    expect(valuesOf(systemd)).toMatchObject({
      MemoryMax: '9007199254740992',
      CPUQuotaPerSecUSec: '18446744073709551615',
      AllowedCPUs: '030000000000000001',
    });
    await units.stop(unit);
    expect(systemd.units.size).toBe(0);
    expect(systemd.calls).toEqual([
      `StartTransientUnit ${unit} replace`,
      `SetUnitProperties ${unit} true`,
      `StopUnit ${unit} replace`,
      `ResetFailedUnit ${unit}`,
    ]);
  });

  it('takes one that is there for made, and one that is gone for removed', async () => {
    const { systemd, units, logger } = await setUp();
    systemd.units.set(unit, new Map());
    await expect(units.startTransient(unit, created)).resolves.toBe(false);
    await units.stop(unit);
    await expect(units.stop(unit)).resolves.toBeUndefined();
    expect(logger.messages('warning')).toEqual([]);
  });

  it('does not miss the end of a job that is told before the call is answered', async () => {
    const { systemd, units } = await setUp();
    systemd.jobs = 'early';
    await expect(units.startTransient(unit, created)).resolves.toBe(true);
  });

  it('makes nothing of a call with nothing to say', async () => {
    const { systemd, units } = await setUp();
    await units.setProperties(unit, []);
    expect(systemd.calls).toEqual([]);
  });

  it('says what systemd says', async () => {
    const { systemd, units, logger } = await setUp();
    await expect(units.setProperties(unit, created)).rejects.toThrow('unable to set unit properties: ');
    systemd.jobs = 'failed';
    await expect(units.startTransient(unit, created)).rejects.toThrow(
      `error creating systemd unit \`${unit}\`: got \`failed\``,
    );
    expect(systemd.calls.at(-1)).toBe(`ResetFailedUnit ${unit}`);
    await units.stop(unit);
    expect(logger.messages('warning')).toEqual([`error removing unit \`${unit}\`: got \`failed\`. Continuing...`]);
  });

  it('does not wait for ever', async () => {
    const clock = new VirtualClock();
    const { systemd, units } = await setUp(clock);
    systemd.jobs = 'never';
    const started = units.startTransient(unit, created);
    const rejected = expect(started).rejects.toThrow(`Timeout waiting for systemd to create ${unit}`);
    await eventually(() => systemd.units.has(unit) && clock.pendingTimers > 0);
    await clock.advance(31_000);
    await rejected;
  });

  it('connects again when the bus has gone', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'podwright-systemd-'));
    closing.push({ close: () => rm(directory, { recursive: true }) });
    const systemd = await startPrivateSystemd(directory);
    const units = new DbusSystemdUnits({
      clock: createSystemClock(),
      logger: createMemoryLogger(),
      addresses: [systemd],
    });
    closing.push(units);
    await units.startTransient(unit, created);
    await systemd.close();
    await expect(units.setProperties(unit, created)).rejects.toThrow('failed to connect to dbus');
    const again = await startPrivateSystemd(directory);
    closing.push(again);
    again.units.set(unit, new Map());
    await expect(units.setProperties(unit, created)).resolves.toBeUndefined();
  });

  it('asks nothing once it is closed', async () => {
    const { units } = await setUp();
    await units.close();
    await units.close();
    await expect(units.startTransient(unit, created)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
