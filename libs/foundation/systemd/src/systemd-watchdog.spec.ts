import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { SystemdWatchdog, type WatchdogCheck } from './systemd-watchdog.js';

const service = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' };

function setUp(env: NodeJS.ProcessEnv = service, problems: (string | undefined)[] = []) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const calls: string[] = [];
  const run: RunProgram = async ({ file, args }) => {
    const problem = problems.shift();
    calls.push(`${clock.monotonic() / 1000}s ${file} ${args.join(' ')}`);
    return { end: { how: 'exited', code: problem === undefined ? 0 : 1 }, problem, stdout: '', stderr: 'no\n' };
  };
  const watchdog = new SystemdWatchdog({ run, env, clock, logger, pid: 7, random: createSeededRandom(1) });
  const lines = (): string[] => logger.entries.map(({ severity, message }) => `${severity} ${message}`);
  return { clock, watchdog, calls, lines, logger };
}

describe('SystemdWatchdog', () => {
  it('tells systemd at once, and then twice per timeout until it stops', async () => {
    const { clock, watchdog, calls, logger } = setUp();
    watchdog.start();
    await clock.advance(44_000);
    const told = [0, 15, 30].map((at) => `${at}s systemd-notify WATCHDOG=1`);
    expect(calls).toEqual(told);
    await watchdog.stop();
    await watchdog.stop();
    await clock.advance(60_000);
    expect(calls).toEqual(told);
    expect(logger.entries[0]).toMatchObject({
      message: 'Starting systemd watchdog with interval',
      fields: { interval: '15s' },
    });
  });

  it('tells nothing while a check fails, and names the first one that does', async () => {
    const { clock, watchdog, calls, logger } = setUp();
    let ok = false;
    const check: WatchdogCheck['check'] = () => (ok ? { ok } : { ok, reason: 'sync Loop took longer than expected' });
    watchdog.useChecks([
      { name: 'ping', check: () => ({ ok: true }) },
      { name: 'syncloop', check },
      { name: 'late', check },
    ]);
    watchdog.start();
    await clock.advance(0);
    expect(calls).toEqual([]);
    expect(logger.entries.at(-1)).toMatchObject({
      severity: 'error',
      message: 'Do not notify watchdog this iteration as the kubelet is reportedly not healthy',
      fields: { error: 'checker syncloop failed: sync Loop took longer than expected' },
    });
    ok = true;
    await clock.advance(15_000);
    expect(calls).toEqual(['15s systemd-notify WATCHDOG=1']);
    await watchdog.stop();
  });

  it('tries a second time after a second, and then waits for the next turn', async () => {
    const { clock, watchdog, calls, lines } = setUp(service, ['exit status 1', 'exit status 1', 'exit status 1']);
    watchdog.start();
    await clock.advance(2_000);
    expect(calls).toHaveLength(2);
    expect(lines().at(-1)).toBe('error Failed to notify watchdog');
    await clock.advance(16_000);
    expect(calls).toHaveLength(4);
    expect(lines().filter((line) => line.startsWith('error'))).toHaveLength(1);
    await watchdog.stop();
  });

  it('says that there is no socket, once per turn', async () => {
    const { clock, watchdog, calls, logger } = setUp({ WATCHDOG_USEC: '30000000' });
    watchdog.start();
    await clock.advance(14_000);
    expect(calls).toEqual([]);
    const errors = logger.entries.filter(({ severity }) => severity === 'error');
    expect(errors).toHaveLength(1);
    expect(String(errors[0]?.fields['error'])).toContain('NOTIFY_SOCKET is unset');
    await watchdog.stop();
  });

  it.each([{}, { ...service, WATCHDOG_USEC: '' }, { ...service, WATCHDOG_PID: '8' }])(
    'is off when systemd does not ask this process: %j',
    async (env) => {
      const { clock, watchdog, calls, lines } = setUp(env);
      watchdog.start();
      await clock.advance(60_000);
      expect([calls, lines()]).toEqual([[], ['info Systemd watchdog is not enabled']]);
    },
  );

  it.each([
    ['1000000', 'configure watchdog timeout too small: 1s'],
    ['0', 'configure watchdog: error WATCHDOG_USEC must be a positive number'],
    ['soon', 'configure watchdog: error converting WATCHDOG_USEC: strconv.Atoi: parsing "soon": invalid syntax'],
  ])('refuses a timeout of %s', (usec, problem) => {
    const { watchdog } = setUp({ ...service, WATCHDOG_USEC: usec });
    expect(() => watchdog.start()).toThrow(`create health checker: ${problem}`);
  });

  it('refuses a process id that is none', () => {
    const { watchdog } = setUp({ ...service, WATCHDOG_PID: 'x' });
    expect(() => watchdog.start()).toThrow('configure watchdog: error converting WATCHDOG_PID: strconv.Atoi');
  });
});
