import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { eventually } from '@podwright/time';
import { noRealLogind, startRealLogind, type RealLogind } from './fixtures/real-logind.js';
import { createShutdownHarness, podOf } from './fixtures/shutdown-harness.js';

const reason = noRealLogind();
const describeWhenPossible = reason === undefined ? describe : describe.skip;

describeWhenPossible(`graceful shutdown by the real logind${reason === undefined ? '' : ` (${reason})`}`, () => {
  let logind: RealLogind;
  beforeAll(async () => {
    logind = await startRealLogind();
  });
  afterAll(async () => {
    await logind.close();
  });

  it('holds the power-off up until the pods have ended', async () => {
    let letPodEnd = (): void => undefined;
    const podEnds = new Promise<void>((resolve) => (letPodEnd = resolve));
    const { manager, steps } = createShutdownHarness({ ...logind, lockIsHeld: () => false }, [podOf('web')], {
      inhibitCommand: [
        'env',
        `DBUS_SYSTEM_BUS_ADDRESS=${logind.address}`,
        'systemd-inhibit',
        '--what=shutdown',
        '--who=kubelet',
        '--mode=delay',
        '--',
      ],
      shutdownGracePeriodMs: 40_000,
      kill: () => podEnds,
    });
    await manager.start();
    expect(await logind.inhibitors()).toEqual(['kubelet shutdown delay']);
    expect(await readFile(logind.logindConfFile, 'utf8')).toContain('InhibitDelayMaxSec=40');

    await logind.powerOff();
    await eventually(() => steps.includes('kill web 30'));
    expect(manager.isShuttingDown()).toBe(true);
    expect(logind.startedUnits).toEqual([]);

    letPodEnd();
    await eventually(() => logind.startedUnits.length > 0);
    expect(logind.startedUnits).toEqual(['poweroff.target']);
    expect(steps.at(-1)).toMatch(/^delivered uid-web /);
    await manager.stop();
  });
});
