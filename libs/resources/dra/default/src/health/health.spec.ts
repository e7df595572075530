import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { allocatedClaim, podOf, podWithClaims } from '@podwright/dra-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { cleanHarnesses, createDraHarness, type DraHarness } from '../fixtures/dra-harness.js';
import type { InProcessDriver } from '../fixtures/in-process-driver.js';
import { decodeHealthFile } from './health-file.js';

afterEach(cleanHarnesses);

const gpu = 'gpu.example.com';
const healthy = [{ device: 'd0', health: 'Healthy' }] as const;
const healthOf = ({ health }: DraHarness, pod: Pod): unknown => health.of(pod, 'main')[0]?.resources[0];

async function prepared(
  ...options: Parameters<typeof createDraHarness>
): Promise<{ harness: DraHarness; driver: InProcessDriver; pod: Pod }> {
  const harness = await createDraHarness(...options);
  const driver = await harness.driver(gpu);
  harness.setClaim('a', allocatedClaim('a'));
  const pod = podOf('p', 'a');
  harness.setActive(pod);
  await harness.manager.prepare(pod);
  return { harness, driver, pod };
}
const file = async ({ around, manager }: DraHarness): Promise<unknown> => {
  await manager.stop();
  return JSON.parse(await readFile(path.join(around.rootDir, 'dra_health_state'), 'utf8'));
};
const resourceId = `${gpu}/device=a`;

describe('health of devices', () => {
  it('is Unknown when nothing was heard for the time that the driver gives, 30 s by default', async () => {
    const { harness, driver, pod } = await prepared();
    await driver.report(healthy);
    await harness.around.clock.advance(30_000);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
    await harness.around.clock.advance(1);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Unknown' });
    await driver.report(healthy, { healthCheckTimeoutSeconds: 90n });
    await harness.around.clock.advance(90_000);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
  });

  it('is Unknown when the driver leaves it out for as long, which others hear of', async () => {
    const { harness, driver } = await prepared();
    const told: unknown[] = [];
    harness.health.watch((podUids) => told.push(podUids));
    await driver.report(healthy);
    await driver.report([]);
    expect(told).toHaveLength(1);
    await harness.around.clock.advance(30_001);
    await driver.report([]);
    await driver.report([]);
    expect(told).toHaveLength(2);
  });

  it('is kept of no device that the driver has left out for as long, also by the file', async () => {
    const { harness, driver } = await prepared();
    for (let round = 0; round < 5; round++) {
      await driver.report([{ device: `d${round}`, health: 'Healthy' }]);
      await harness.around.clock.advance(30_001);
    }
    await driver.report([{ device: 'last', health: 'Healthy' }]);
    await harness.restart();
    const text = await readFile(path.join(harness.around.rootDir, 'dra_health_state'), 'utf8');
    expect(Object.keys(JSON.parse(text)[gpu].Devices)).toEqual(['n1/last']);
  });

  it('is kept of so many devices of a driver, of those that were reported last, and the log says so once', async () => {
    const { harness, driver, pod } = await prepared({ maxDriverHealthDevices: 2 });
    const told: unknown[] = [];
    harness.health.watch((podUids) => told.push(podUids));
    await driver.report(healthy);
    await driver.report(['a', 'b'].map((device) => ({ device, health: 'Healthy' })));
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Unknown' });
    expect(told).toHaveLength(2);
    expect(harness.logger.messages('warning')).toEqual([]);
    const three = ['a', 'b', 'd0'].map((device) => ({ device, health: 'Healthy' }) as const);
    await driver.report(three);
    await driver.report(three);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
    const [warning, ...others] = harness.logger.entries.filter(({ severity }) => severity === 'warning');
    expect([warning?.message, others]).toEqual([expect.stringContaining('Raise maxDriverHealthDevices'), []]);
    expect(warning?.fields).toMatchObject({ pluginName: gpu, omitted: 1 });
    const next = await harness.restart({ maxDriverHealthDevices: 1 });
    expect(healthOf(next, pod)).toEqual({ resourceId, health: 'Healthy' });
    expect(next.logger.entries.find(({ severity }) => severity === 'warning')?.fields).toMatchObject({ omitted: 1 });
  });

  it('is kept of so many devices in all, and of none whose name no claim can have', async () => {
    const { harness, driver, pod } = await prepared({ maxHealthDevices: 2 });
    const other = await harness.driver('nic.example.com');
    await other.report(['a', 'b'].map((device) => ({ device, health: 'Healthy' })));
    await driver.report(healthy);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Unknown' });
    await other.report([{ device: 'x'.repeat(400), health: 'Healthy' }]);
    await harness.around.clock.advance(30_001);
    await other.report([{ device: 'x'.repeat(400), health: 'Healthy' }]);
    await driver.report(healthy);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
  });

  it('comes with the message, which is cut, unless the option is off', async () => {
    const { harness, driver, pod } = await prepared();
    await driver.report([{ device: 'd0', health: 'Unhealthy' }], { message: 'x'.repeat(1025) });
    expect(healthOf(harness, pod)).toEqual({
      ...{ resourceId, health: 'Unhealthy' },
      message: `${'x'.repeat(1021)}...`,
    });
    await driver.report([{ device: 'd0', health: 'Unhealthy' }], { message: `${'x'.repeat(1020)}\u{1f525}` });
    expect(healthOf(harness, pod)).toMatchObject({ message: `${'x'.repeat(1020)}\u{1f525}` });
    await driver.report([{ device: 'd0', health: 'Unhealthy' }], { message: `${'x'.repeat(1020)}\u{1f525}x` });
    expect(healthOf(harness, pod)).toMatchObject({ message: `${'x'.repeat(1020)}...` });
    const quiet = await prepared({ resourceHealthMessage: false });
    await quiet.driver.report(healthy, { message: 'fine' });
    expect(healthOf(quiet.harness, quiet.pod)).toEqual({ resourceId, health: 'Healthy' });
  });

  it('is not asked for when the option is off', async () => {
    const { harness, pod } = await prepared({ resourceHealthStatus: false });
    expect(harness.health.of(pod, 'main')).toEqual([]);
  });

  it('is forgotten when the last stream of the driver ends, and asked for again after 5 s', async () => {
    const { harness, driver, pod } = await prepared();
    await driver.report(healthy);
    driver.endHealth();
    await harness.around.clock.advance(4_999);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Unknown' });
    await harness.around.clock.advance(1);
    await driver.report(healthy);
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
    // The plugin of an update takes over.
    const newer = await harness.driver(gpu);
    await newer.report(healthy);
    await driver.leave();
    expect(healthOf(harness, pod)).toEqual({ resourceId, health: 'Healthy' });
  });

  it('has a file once a stream has ended, also of a driver that reports nothing', async () => {
    const { harness, driver } = await prepared();
    driver.endHealth();
    await harness.around.clock.advance(1);
    await driver.leave();
    expect(await file(harness)).toEqual({});
  });

  it("has a file in upstream's format, which the next process believes until the time is over", async () => {
    const { harness, driver, pod } = await prepared();
    await driver.report(healthy, { message: 'fine' });
    const next = await harness.restart();
    expect(healthOf(next, pod)).toEqual({ resourceId, health: 'Healthy', message: 'fine' });
    await next.around.clock.advance(30_001);
    expect(healthOf(next, pod)).toEqual({ resourceId, health: 'Unknown' });
    const device = { PoolName: 'n1', DeviceName: 'd0', Health: 'Healthy', HealthCheckTimeout: 30e9, Message: 'fine' };
    const text = await readFile(path.join(harness.around.rootDir, 'dra_health_state'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      [gpu]: { Devices: { 'n1/d0': { ...device, LastUpdated: '2030-01-01T00:00:00.000000000Z' } } },
    });
    expect(await file(harness)).toEqual({});
  });

  it('has a file that upstream can read also when the driver wants to be believed for ever', async () => {
    const { harness, driver } = await prepared();
    await driver.report(healthy, { healthCheckTimeoutSeconds: 2n ** 63n - 1n });
    await harness.restart();
    const text = await readFile(path.join(harness.around.rootDir, 'dra_health_state'), 'utf8');
    expect(/"HealthCheckTimeout":([^,]+),/.exec(text)?.[1]).toMatch(/^92233720360{8,}$/);
  });

  it.each([
    ['{', ''],
    ['[]', 'it is no object'],
    ['{"d":{"Devices":[]}}', 'd.Devices is no object'],
    ['{"d":{"Devices":{"p/a":{"PoolName":7}}}}', 'p/a.PoolName is no text'],
    ['{"d":null,"e":{"Devices":{"p/a":{"HealthCheckTimeout":"1"}}}}', 'p/a.HealthCheckTimeout is no number'],
  ])('starts with nothing when the file is not readable, and logs it: %s', async (content, problem) => {
    expect(() => decodeHealthFile(content)).toThrow(`dra_health_state is malformed: ${problem}`);
    const { harness, pod } = await prepared();
    await writeFile(path.join(harness.around.rootDir, 'dra_health_state'), content);
    const next = await harness.restart();
    expect(healthOf(next, pod)).toEqual({ resourceId, health: 'Unknown' });
    expect(next.logger.messages('error')).toEqual(['Failed to load health checkpoint']);
  });

  it('names the request, without its subrequest for the devices, and shows each device once', async () => {
    const harness = await createDraHarness();
    const devices = [['r'], ['s'], []].map((requestNames, index) => ({
      ...{ requestNames, poolName: 'n1', deviceName: `d${index}`, cdiDeviceIds: index === 2 ? [] : ['same'] },
    }));
    await harness.driver(gpu, { prepare: async () => ({ claims: { 'uid-a': { error: '', devices } } }) });
    harness.setClaim('a', allocatedClaim('a'));
    const pod = podWithClaims('p', {
      claims: [{ name: 'x', resourceClaimName: 'a' }],
      containers: { main: [{ name: 'x', request: 's/large' }, { name: 'x' }] },
    });
    await harness.manager.prepare(pod);
    const [same, other] = ['same', `${gpu}/n1/d2`].map((id) => ({ resourceId: id, health: 'Unknown' }));
    expect(harness.health.of(pod, 'main')).toEqual([
      { name: 'claim:x', resources: [same, other] },
      { name: 'claim:x/s/large', resources: [same, other] },
    ]);
  });
});
