import { describe, expect, it } from '@jest/globals';
import { CgroupDriver as CriDriver } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createCriCgroupDriver } from './cri-cgroup-driver.module.js';

type Answer = CriDriver | 'nothing' | 'unimplemented' | 'unavailable';

function setUp(
  answers: readonly Answer[],
  cgroupDriver: 'cgroupfs' | 'systemd' = 'cgroupfs',
  mismatch?: (reason: string) => void,
) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const metrics = createMetricsRegistry();
  let asked = 0;
  const runtime = {
    runtimeConfig: async () => {
      const answer = answers[asked++] ?? 'nothing';
      if (answer === 'unimplemented' || answer === 'unavailable') throw new KubeletError(answer, { code: answer });
      return answer === 'nothing' ? {} : { linux: { cgroupDriver: answer } };
    },
  };
  const driver = createCriCgroupDriver(
    { runtime: runtime as never, clock, logger, metrics, ...(mismatch && { mismatch }) },
    { cgroupDriver },
  );
  return { driver, clock, logger, metrics, asked: () => asked };
}

const { SYSTEMD, CGROUPFS } = CriDriver;

describe('CriCgroupDriver', () => {
  it.each<[string, readonly Answer[], 'cgroupfs' | 'systemd', string, number]>([
    ['the answer wins over the configuration', [SYSTEMD, SYSTEMD, SYSTEMD], 'cgroupfs', 'systemd', 3],
    ['in either direction', [CGROUPFS, CGROUPFS, CGROUPFS], 'systemd', 'cgroupfs', 3],
    ['the last answer counts', [CGROUPFS, CGROUPFS, SYSTEMD], 'cgroupfs', 'systemd', 3],
    ['an error is waited out', ['unavailable', 'unavailable', SYSTEMD], 'cgroupfs', 'systemd', 3],
    ['the configuration holds where the call is not known', ['unimplemented'], 'systemd', 'systemd', 1],
    ['and where the answer says nothing of Linux', ['nothing', 'nothing', 'nothing'], 'systemd', 'systemd', 3],
  ])('%s', async (_, answers, configured, expected, questions) => {
    const { driver, clock, asked } = setUp(answers, configured);
    expect(() => driver.name()).toThrow('the cgroup driver is not known before the start');
    const started = driver.start();
    await clock.advance(6_000);
    await started;
    expect(driver.name()).toBe(expected);
    expect(asked()).toBe(questions);
    await driver.stop();
    await driver.stop();
  });

  it.each<[string, Answer, readonly string[]]>([
    ['has the assumed driver', CGROUPFS, []],
    ['cannot tell', 'unimplemented', []],
    ['says nothing of Linux', 'nothing', []],
    [
      'has another one',
      SYSTEMD,
      ['the cgroup driver of the CRI runtime is systemd, and the kubelet started with cgroupfs while it was away'],
    ],
    ['has one that nobody knows', 7 as CriDriver, ['runtime returned an unknown cgroup driver 7']],
  ])('starts with the configured one while the runtime is away, and asks on: one that %s', async (_, answer, told) => {
    const reasons: string[] = [];
    const away = Array.from({ length: 60 }, () => 'unavailable' as const);
    const { driver, clock, asked, logger } = setUp([...away, answer, answer], 'cgroupfs', (reason) =>
      reasons.push(reason),
    );
    const started = driver.start();
    await clock.advance(6_000);
    await started;
    expect(driver.name()).toBe('cgroupfs');
    expect(logger.messages('warning')).toEqual([
      'The CRI runtime is away: the configured cgroup driver holds until it can be asked',
    ]);
    expect(reasons).toEqual([]);
    await clock.advance(60_000);
    expect(reasons).toEqual(told);
    expect(asked()).toBe(61);
    await driver.stop();
  });

  it('asks no more once it is stopped', async () => {
    const { driver, clock, asked } = setUp(
      ['unavailable', 'unavailable', 'unavailable', 'unavailable'],
      'cgroupfs',
      () => undefined,
    );
    const started = driver.start();
    await clock.advance(6_000);
    await started;
    const before = asked();
    await driver.stop();
    await clock.advance(60_000);
    expect(asked()).toBe(before);
  });

  it('says in upstream words what it uses, and that an old runtime will not do for long', async () => {
    const told = setUp([SYSTEMD, SYSTEMD, SYSTEMD]);
    await told.driver.start();
    expect(told.logger.messages('info').at(-1)).toBe('Using cgroup driver setting received from the CRI runtime');
    expect(await told.metrics.render()).not.toContain('kubelet_cri_losing_support');
    const old = setUp(['unimplemented']);
    await old.driver.start();
    expect(old.logger.messages('info').at(-1)).toBe(
      'CRI implementation should be updated to support RuntimeConfig. Falling back to using cgroupDriver from kubelet config.',
    );
    expect(await old.metrics.render()).toContain('kubelet_cri_losing_support{version="1.37.0"} 1');
  });

  it('does not start when the runtime answers with errors only, or with a driver that nobody knows', async () => {
    const broken = setUp(['unavailable', 'unavailable', 'unavailable']);
    const started = broken.driver.start();
    const rejected = expect(started).rejects.toMatchObject({ code: 'unavailable' });
    await broken.clock.advance(6_000);
    await rejected;
    const strange = setUp([7 as CriDriver, 7 as CriDriver, 7 as CriDriver]);
    await expect(strange.driver.start()).rejects.toThrow('runtime returned an unknown cgroup driver 7');
  });

  it('can be stopped while it waits', async () => {
    const { driver } = setUp(['unavailable']);
    const started = driver.start();
    const rejected = expect(started).rejects.toBeDefined();
    await driver.stop();
    await rejected;
  });
});
