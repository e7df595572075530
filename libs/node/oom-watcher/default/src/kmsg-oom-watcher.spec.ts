import { describe, expect, it, jest } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { OomKill } from '@podwright/oom-watcher-interface';
import { describeOomWatcherContract } from '@podwright/oom-watcher-interface/contract';
import { VirtualClock } from '@podwright/time';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContractHarness } from './fixtures/contract-harness.js';
import { linesOf, setUp } from './fixtures/scripted-log.js';
import { lost, openKernelLog, parseRecord, skipped } from './kernel-log.js';
import { createOomWatcher } from './kmsg-oom-watcher.js';
import { OomMessages } from './oom-messages.js';

describeOomWatcherContract('KmsgOomWatcher', createContractHarness);

describe('KmsgOomWatcher', () => {
  const system: OomKill = { processName: 'db', pid: 7, containerCgroup: '/', limitCgroup: '/' };

  it('does not tell what happened before it ran', async () => {
    const { clock, watcher, messages, recorded } = setUp();
    messages.push(...linesOf(system));
    await watcher.start();
    await clock.advance(10_000);
    expect(recorded).toEqual([]);
    await watcher.stop();
  });

  it('puts a kill together that is told over two looks', async () => {
    const { clock, watcher, messages, recorded } = setUp();
    await watcher.start();
    await clock.advance(2000);
    const lines = linesOf(system);
    messages.push(...lines.slice(0, 2));
    await clock.advance(2000);
    messages.push(...lines.slice(2));
    await clock.advance(2000);
    expect(recorded).toEqual(['Node Warning SystemOOM: System OOM encountered, victim process: db, pid: 7']);
    await watcher.stop();
  });

  it('tells once a minute that messages are lost, and goes on', async () => {
    const { clock, watcher, messages, recorded, logger } = setUp();
    const told = (): number => logger.entries.filter(({ message }) => message.includes('overwritten')).length;
    messages.push(lost);
    await watcher.start();
    await clock.advance(2000);
    expect(told()).toBe(0); // what was lost before it ran
    messages.push(lost, skipped, lost, ...linesOf(system));
    await clock.advance(2000);
    expect([told(), recorded.length]).toEqual([1, 1]);
    await clock.advance(60_000);
    messages.push(lost);
    await clock.advance(2000);
    expect(told()).toBe(2);
    await watcher.stop();
  });

  it('reports whose process was killed, at which limit, with the numbers', async () => {
    const { clock, watcher, messages, journal } = setUp();
    await watcher.start();
    await clock.advance(2000);
    const id = 'c'.repeat(64);
    const pods = [
      '/podwright-lab/kubepods/burstable/pod9b5c7f2e-1111-2222-3333-444455556666',
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod9b5c7f2e_1111_2222_3333_444455556666.slice',
    ];
    const containers = [`${pods[0]}/${id}`, `${pods[1]}/cri-containerd-${id}.scope`, '/system.slice/cron.service'];
    for (const containerCgroup of containers) {
      const [first = '', ...rest] = linesOf({
        processName: 'db',
        pid: 7,
        containerCgroup,
        limitCgroup: containerCgroup,
      });
      const usage = ['memory: usage 65536kB, limit 65536kB, failcnt 12', 'swap: usage 0kB, limit 9kB, failcnt 0'];
      messages.push(first, ...usage, ...rest);
    }
    await clock.advance(2000);
    const numbers = { process: 'db', pid: 7, usageBytes: 2 ** 26, limitBytes: 2 ** 26 };
    const whose = { podUid: '9b5c7f2e-1111-2222-3333-444455556666', containerId: id };
    expect(journal.of('oom.killed')).toMatchObject([{ ...whose, ...numbers }, { ...whose, ...numbers }, numbers]);
    expect(journal.of('oom.killed')[2]).not.toHaveProperty('podUid');
    await watcher.stop();
  });

  it.each(['next', 'open'] as const)(
    'tells once that messages cannot be read (%s), and reads no more',
    async (where) => {
      const clock = new VirtualClock();
      const logger = createMemoryLogger();
      let reads = 0;
      const refused = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
      const watcher = createOomWatcher({
        clock,
        logger,
        events: { event: () => undefined },
        openLog: async () => {
          if (where === 'open') throw refused;
          return {
            next: () => {
              reads += 1;
              if (reads > 1) throw refused;
              return undefined;
            },
            close: async () => undefined,
          };
        },
      });
      await watcher.start();
      await clock.advance(60_000);
      expect(logger.entries.filter(({ message }) => message.startsWith('kernel log cannot be read'))).toHaveLength(1);
      expect(logger.entries).toHaveLength(1);
      expect(clock.pendingTimers).toBe(0);
      await watcher.stop();
    },
  );

  it.each([
    [true, undefined],
    [false, /running in UserNS, Hint: enable KubeletInUserNamespace .*: \/dev\/kmsg: EPERM/],
  ])('starts in a user namespace without the messages only with the gate (%s)', async (inUserNamespace, refusal) => {
    const clock = new VirtualClock();
    const logger = createMemoryLogger();
    const openLog = async (): Promise<never> => {
      throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    };
    const events = { event: () => undefined };
    const inUserNamespaceNow = async (): Promise<boolean> => true;
    const watcher = createOomWatcher({ clock, logger, events, openLog, inUserNamespaceNow }, { inUserNamespace });
    const started = watcher.start();
    await (refusal === undefined ? started : expect(started).rejects.toThrow(refusal));
    const lines = logger.entries.map(({ severity, message }) => `${severity} ${message}`);
    expect(lines).toEqual(
      refusal === undefined ? ['info Failed to create an oomWatcher (running in UserNS, ignoring)'] : [],
    );
    await watcher.stop();
  });

  it('closes what it has opened', async () => {
    const { clock, watcher, state } = setUp();
    await watcher.start();
    await clock.advance(1000);
    await watcher.stop();
    expect(state.closed).toBe(true);
  });
});

describe('OomMessages', () => {
  it('searches a long line that repeats the names of fields as often as a short one, and without wildcards', () => {
    const first = 'x invoked oom-killer: order=0';
    const lineOf = (repeats: number): string =>
      `oom-kill:constraint=${',oom_memcg=/,task_memcg=/,task=x,pid=1'.repeat(repeats)},uid=0`;
    const searchesOf = (line: string): { readonly count: number; readonly expressions: readonly string[] } => {
      const parser = new OomMessages();
      parser.next(first);
      const searched = [jest.spyOn(String.prototype, 'indexOf'), jest.spyOn(String.prototype, 'lastIndexOf')];
      const matched = jest.spyOn(RegExp.prototype, 'exec');
      const kill = parser.next(line);
      const count = searched.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      // Those that see more than the last fields.
      const whole = matched.mock.calls.flatMap(([text], index) =>
        text === line ? [matched.mock.contexts[index]] : [],
      );
      for (const spy of [...searched, matched]) spy.mockRestore();
      expect(kill).toEqual({ processName: 'x', pid: 1, containerCgroup: '/', limitCgroup: '/' });
      return { count, expressions: whole.map((expression) => (expression as RegExp).source) };
    };
    const searches = searchesOf(lineOf(10_000));
    expect(searches).toEqual(searchesOf(lineOf(1)));
    // With several wildcards an expression takes minutes for some hundred repeats.
    expect(searches.expressions.filter((source) => /[*+]/.test(source))).toEqual([]);
    expect(searches.count).toBeGreaterThan(0);
  });

  const kills = (...lines: string[]): OomKill[] => {
    const parser = new OomMessages();
    return lines.flatMap((line) => parser.next(line) ?? []);
  };
  const first = 'x invoked oom-killer: gfp_mask=0x0';

  it.each<[string, string[], OomKill[]]>([
    [
      'a kill of the system',
      [...linesOf({ processName: 'db', pid: 7, containerCgroup: '/', limitCgroup: '/' })],
      [{ processName: 'db', pid: 7, containerCgroup: '/', limitCgroup: '/' }],
    ],
    [
      'a kill in a container',
      [...linesOf({ processName: 'a b', pid: 9, containerCgroup: '/k/p/c', limitCgroup: '/k/p' })],
      [{ processName: 'a b', pid: 9, containerCgroup: '/k/p/c', limitCgroup: '/k/p' }],
    ],
    [
      'an old kernel',
      [first, 'Task in /k/p/c killed as a result of limit of /k/p', 'Killed process 5 (sh) total-vm:1kB'],
      [{ processName: 'sh', pid: 5, containerCgroup: '/k/p/c', limitCgroup: '/k/p' }],
    ],
    [
      'a name that looks like fields',
      [
        first,
        'oom-kill:constraint=C,nodemask=0,cpuset=c,mems_allowed=0,oom_memcg=/l,task_memcg=/t,task=x,pid=1,uid=0,pid=2,uid=3',
      ],
      [{ processName: 'x,pid=1,uid=0', pid: 2, containerCgroup: '/t', limitCgroup: '/l' }],
    ],
    ['a last line without a first one', ['Killed process 5 (sh) total-vm:1kB'], []],
    [
      'a first line without a last one',
      [first, 'something else', first, 'Killed process 6 (sh)'],
      [{ processName: 'sh', pid: 6, containerCgroup: '/', limitCgroup: '/' }],
    ],
  ])('understands %s', (_name, lines, expected) => {
    expect(kills(...lines)).toEqual(expected);
  });
});

describe('the kernel log', () => {
  it.each([
    ['6,1,2,-;Killed process 1 (a)\n SUBSYSTEM=x\n', 'Killed process 1 (a)'],
    ['4,1,2,-,caller=T1;with; semicolons', 'with; semicolons'],
    ['12,1,2,-;written by a process', undefined],
    ['nonsense', undefined],
  ])('record %j', (record, message) => {
    expect(parseRecord(record)).toBe(message);
  });

  it('has nothing more at the end, and refuses a file that is not there', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'podwright-kmsg-'));
    const file = path.join(dir, 'kmsg');
    await writeFile(file, '6,1,2,-;hello');
    const log = await openKernelLog(file);
    expect([log.next(), log.next()]).toEqual(['hello', undefined]);
    await log.close();
    await expect(openKernelLog(path.join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await rm(dir, { recursive: true });
  });
});
