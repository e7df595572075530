import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describeNodeShutdownContract } from '@podwright/node-shutdown-interface/contract';
import { messageOf } from '@podwright/errors';
import type { MemoryLogger } from '@podwright/logging';
import { eventually } from '@podwright/time';
import { createContractHarness } from './fixtures/contract-harness.js';
import { startPrivateBus, type PrivateBus } from './fixtures/private-bus.js';
import { createShutdownHarness, podOf } from './fixtures/shutdown-harness.js';

const warnings = (logger: MemoryLogger): readonly string[] =>
  logger.entries.filter(({ severity }) => severity === 'warning').map(({ fields }) => messageOf(fields['error']));

describeNodeShutdownContract('GracefulNodeShutdown on a bus', async () =>
  createContractHarness(await startPrivateBus(30_000)),
);

describe('GracefulNodeShutdown', () => {
  let bus: PrivateBus;
  beforeEach(async () => {
    bus = await startPrivateBus(30_000);
  });
  afterEach(async () => {
    await bus.close();
  });

  it('ends pods by priority with the smaller grace period, and lets the lock go after the statuses are delivered', async () => {
    const pods = [podOf('critical', 2_000_000_000, 60), podOf('web', 0, 5), podOf('slow', 0, 300)];
    const { manager, steps, statuses } = createShutdownHarness(bus, pods);
    await manager.start();
    expect(bus.lockIsHeld()).toBe(true);
    bus.announce(true);
    await eventually(() => !bus.lockIsHeld());
    expect(steps).toEqual([
      'event Node Normal Shutdown Shutdown manager detected shutdown event',
      'kill web 5',
      'kill slow 20',
      'unmounted web',
      'unmounted slow',
      'kill critical 10',
      'unmounted critical',
      'delivered uid-web uid-slow uid-critical lock=true',
    ]);
    expect(statuses.get('web')).toEqual({
      phase: 'Failed',
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'TerminationByKubelet',
          message: 'Pod was terminated in response to imminent node shutdown.',
        },
      ],
    });
    await manager.stop();
  });

  it('writes when it began and ended', async () => {
    const { manager } = createShutdownHarness(bus, []);
    await manager.start();
    bus.announce(true);
    await eventually(() => !bus.lockIsHeld());
    const file = path.join(bus.directory, 'graceful_node_shutdown_state');
    const { startTime, endTime } = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    expect(Date.parse(endTime ?? '')).toBeGreaterThanOrEqual(Date.parse(startTime ?? ''));
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    await manager.stop();
  });

  it('takes the lock again when the shutdown is taken back', async () => {
    const { manager, steps } = createShutdownHarness(bus, []);
    await manager.start();
    bus.announce(true);
    await eventually(() => !bus.lockIsHeld());
    bus.announce(false);
    await eventually(() => bus.lockIsHeld());
    expect(steps.at(-1)).toBe('event Node Normal Shutdown Shutdown manager detected shutdown cancellation');
    await manager.stop();
    expect(bus.lockIsHeld()).toBe(false);
  });

  it('raises the delay of logind when it is too short', async () => {
    const { manager } = createShutdownHarness(bus, [], { shutdownGracePeriodMs: 45_000 });
    await manager.start();
    expect(await readFile(bus.logindConfFile, 'utf8')).toBe(
      '# Kubelet logind override\n[Login]\nInhibitDelayMaxSec=45\n',
    );
    expect(bus.kills).toEqual(['systemd-logind.service all 1']);
    expect(bus.lockIsHeld()).toBe(true);
    await manager.stop();
  });

  it('goes on without the lock, and says why, when logind does not take the longer delay over', async () => {
    bus.ignoreConfiguration();
    const { manager, logger } = createShutdownHarness(bus, [], { shutdownGracePeriodMs: 45_000 });
    await manager.start();
    expect(bus.lockIsHeld()).toBe(false);
    expect(warnings(logger)).toEqual([
      expect.stringContaining('unable to update logind InhibitDelayMaxSec to 45s (ShutdownGracePeriod)'),
    ]);
    expect(logger.entries.map(({ message }) => message).join()).toContain('though logind is there');
    await manager.stop();
  });

  it('says once that there is no logind, and starts nevertheless', async () => {
    const { manager, logger } = createShutdownHarness(bus, [], { busAddress: `unix:path=${bus.directory}/nobody` });
    await manager.start();
    expect(warnings(logger)).toEqual([expect.stringContaining(`no logind on unix:path=${bus.directory}/nobody`)]);
    expect(logger.entries.map(({ message }) => message).join()).toContain('has to do without logind');
    await manager.stop();
  });

  it('does not even look for logind when no period is configured', async () => {
    const { manager } = createShutdownHarness(bus, [], {
      shutdownGracePeriodMs: 0,
      shutdownGracePeriodCriticalPodsMs: 0,
    });
    await manager.start();
    expect(bus.lockIsHeld()).toBe(false);
    expect(await manager.admissionCheck().check(podOf('new'), [], 'add')).toBeUndefined();
    await manager.stop();
  });

  it('ends the pods on SIGTERM when it is told to, once', async () => {
    const { manager, steps } = createShutdownHarness(bus, [podOf('web', 0, 5)], { endPodsOnTermination: true });
    await manager.start();
    await Promise.all([manager.handleTermination(), manager.handleTermination()]);
    expect(steps.filter((step) => step.startsWith('kill'))).toEqual(['kill web 5']);
    expect(manager.isShuttingDown()).toBe(true);
    await manager.stop();
  });
});
