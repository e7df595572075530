import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CgroupHierarchy } from '@podwright/cgroup-files';
import { createMemoryLogger } from '@podwright/logging';
import { settleEventLoop, VirtualClock } from '@podwright/time';
import { kernelCgroupFiles } from '../cgroup-files.js';
import { checkCgroupVersion } from './cgroup-version-check.js';
import { setUpKernelTunables } from './kernel-tunables.js';
import { ProcessPlacement, type ProcessPlacementOptions } from './process-placement.js';
import { checkSwap } from './swap-check.js';

let hostRoot = '';
beforeEach(async () => {
  hostRoot = await mkdtemp(path.join(tmpdir(), 'node-setup-'));
});
afterEach(() => rm(hostRoot, { recursive: true }));

const put = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(hostRoot, file)), { recursive: true });
    await writeFile(path.join(hostRoot, file), text);
  }
};
const get = async (file: string): Promise<string> => (await readFile(path.join(hostRoot, file), 'utf8')).trim();

const wanted: Readonly<Record<string, string>> = {
  'proc/sys/vm/overcommit_memory': '1',
  'proc/sys/vm/panic_on_oom': '0',
  'proc/sys/kernel/panic': '10',
  'proc/sys/kernel/panic_on_oops': '1',
  'proc/sys/kernel/keys/root_maxkeys': '1000000',
  'proc/sys/kernel/keys/root_maxbytes': '25000000',
};

describe('the version of cgroups', () => {
  it.each([
    ['v1', 1, true, ['Warning CgroupV1 cgroup v1 detected. cgroup v1 support is deprecated'], 1],
    ['v2', 2, true, [], 0],
    ['v2 of a kernel before 5.8', 2, false, [], 1],
  ] as const)('is warned about where it will stop working: %s', async (_, version, hasCpuStat, told, logged) => {
    const events: string[] = [];
    const logger = createMemoryLogger();
    await checkCgroupVersion([{ mountPoint: '/cg', version, controllers: version === 1 ? ['cpu'] : [] }], {
      files: { ...kernelCgroupFiles, exists: async () => hasCpuStat },
      events: { event: (_object, type, reason, message) => void events.push(`${type} ${reason} ${message}`) },
      logger,
    });
    expect(events.map((event) => event.slice(0, told[0]?.length))).toEqual(told);
    expect(logger.messages().filter((message) => message === 'Warning: cgroup check')).toHaveLength(logged);
  });
});

describe('kernel flags', () => {
  it('are set as the kubelet needs them', async () => {
    await put(Object.fromEntries(Object.keys(wanted).map((file) => [file, '7\n'])));
    await setUpKernelTunables('modify', { hostRoot, logger: createMemoryLogger(), inUserNamespace: false });
    for (const [file, value] of Object.entries(wanted)) expect(await get(file)).toBe(value);
  });

  it('are all told when they are protected and differ', async () => {
    await put({ ...wanted, 'proc/sys/vm/overcommit_memory': '0', 'proc/sys/kernel/panic': '1' });
    await expect(
      setUpKernelTunables('error', { hostRoot, logger: createMemoryLogger(), inUserNamespace: false }),
    ).rejects.toThrow(
      '[invalid kernel flag: vm/overcommit_memory, expected value: 1, actual value: 0, invalid kernel flag: kernel/panic, expected value: 10, actual value: 1]',
    );
    expect(await get('proc/sys/kernel/panic')).toBe('1');
  });

  it.each(['error', 'modify'] as const)('that are right are nothing to talk about: %s', async (behavior) => {
    await put(wanted);
    const logger = createMemoryLogger();
    await setUpKernelTunables(behavior, { hostRoot, logger, inUserNamespace: false });
    expect(logger.messages('warning')).toEqual([]);
  });

  describe('that the kernel refuses to set', () => {
    const attempt = async (uidMap: string, inUserNamespace: boolean): Promise<readonly string[]> => {
      await put({ ...wanted, 'proc/sys/vm/overcommit_memory': '0', 'proc/self/uid_map': uidMap });
      const logger = createMemoryLogger();
      const write = async (file: string): Promise<void> => {
        throw Object.assign(new Error(`EACCES: permission denied, open '${file}'`), { code: 'EACCES' });
      };
      const words = ({ message }: Error): void => logger.info(message.replace(hostRoot, ''));
      await setUpKernelTunables('modify', { hostRoot, logger, inUserNamespace, write }).catch(words);
      return logger.entries.filter(({ level }) => level === 0 || level === 2).map(({ message }) => message);
    };
    const own = '0 100000 65536\n';
    const machines = '0 0 4294967295\n';
    const updating = 'Updating kernel flag';
    const skipped = 'The kernel refuses to set its flags, continuing without them: set them with sysctl';

    it('are left as they are in a user namespace, with the gate', async () => {
      expect(await attempt(own, true)).toEqual([updating, 'Updating kernel flag failed (running in UserNS, ignoring)']);
    });

    it('keep the node from starting in a user namespace without the gate, which the log names', async () => {
      expect(await attempt(own, false)).toEqual([
        updating,
        'Updating kernel flag failed (Hint: enable KubeletInUserNamespace feature flag to ignore the error)',
        "EACCES: permission denied, open '/proc/sys/vm/overcommit_memory'",
      ]);
    });

    it.each([true, false])('are told elsewhere, whatever the gate says (%s)', async (gate) => {
      expect(await attempt(machines, gate)).toEqual([updating, skipped]);
    });
  });

  it('that are missing stop the node, unless one only wants to know', async () => {
    const logger = createMemoryLogger();
    await expect(setUpKernelTunables('modify', { hostRoot, logger, inUserNamespace: false })).rejects.toThrow('ENOENT');
    await setUpKernelTunables('warn', { hostRoot, logger, inUserNamespace: false });
  });
});

describe('swap', () => {
  const header = 'Filename\tType\tSize\tUsed\tPriority\n';
  const check = async (failSwapOn: boolean, kernelRelease = '6.1.0-18-amd64'): Promise<readonly string[]> => {
    const events: string[] = [];
    const recorder = { event: (...[, type, reason]: readonly unknown[]) => void events.push(`${type} ${reason}`) };
    await checkSwap(failSwapOn, { hostRoot, kernelRelease, logger: createMemoryLogger(), events: recorder });
    return events;
  };

  it('that is off, or unknown to the kernel, is fine', async () => {
    await expect(check(true)).resolves.toEqual([]);
    await put({ 'proc/swaps': header });
    await expect(check(true)).resolves.toEqual([]);
  });

  it('that is on keeps a node from starting that must have none', async () => {
    await put({ 'proc/swaps': `${header}/dev/sda2 partition 1000 0 -2\n` });
    await expect(check(true)).rejects.toThrow(
      'running with swap on is not supported, please disable swap or set --fail-swap-on flag to false',
    );
  });

  it.each([
    ['6.1.0-18-amd64', ['Warning PossibleMemoryBackedVolumesOnDisk']],
    ['5.15.0', ['Warning PossibleMemoryBackedVolumesOnDisk']],
    ['6.4.0', []],
    ['7.0.1', []],
  ])('may take volumes in memory on kernel %s', async (kernelRelease, expected) => {
    await put({ 'proc/swaps': `${header}/dev/sda2 partition 1000 0 -2\n` });
    await expect(check(false, kernelRelease)).resolves.toEqual(expected);
  });

  it('may take volumes in memory in a user namespace on any kernel', async () => {
    await put({ 'proc/swaps': `${header}/dev/sda2 partition 1000 0 -2\n`, 'proc/self/uid_map': '0 1000 1\n' });
    await expect(check(false, '7.0.1')).resolves.toEqual(['Warning PossibleMemoryBackedVolumesOnDisk']);
  });
});

describe('placement of processes', () => {
  const pid = 4711;
  const cgroups = (): string => path.join(hostRoot, 'cgroup');

  // The kernel would move the process by itself; here the file shows who was to be moved last.
  async function setUp(options: Partial<ProcessPlacementOptions>) {
    await put({
      'proc/1/ns/other': '',
      [`proc/${pid}/cgroup`]: '0::/somewhere\n',
      [`proc/${pid}/oom_score_adj`]: '0\n',
      'cgroup/cgroup.procs': '1\n2\n33\n',
    });
    for (const each of [1, pid]) {
      await mkdir(path.join(hostRoot, `proc/${each}/ns`), { recursive: true });
      await symlink('pid:[1]', path.join(hostRoot, `proc/${each}/ns/pid`));
    }
    await mkdir(path.join(hostRoot, 'proc/33'), { recursive: true });
    await symlink('/bin/true', path.join(hostRoot, 'proc/33/exe'));
    const hierarchies: readonly CgroupHierarchy[] = [{ mountPoint: cgroups(), version: 2, controllers: [] }];
    const clock = new VirtualClock();
    const logger = createMemoryLogger();
    const moved: string[] = [];
    const files = {
      ...kernelCgroupFiles,
      write: async (file: string, content: string): Promise<void> => {
        moved.push(`${content} to ${path.relative(cgroups(), path.dirname(file))}`);
        if (content === '33') await writeFile(path.join(cgroups(), 'cgroup.procs'), '1\n2\n');
      },
    };
    const all = { hostRoot, kubeletCgroups: '', systemCgroups: '', oomScoreAdj: undefined, ...options };
    const placement = new ProcessPlacement({ files, hierarchies, clock, logger, pid }, all);
    return { placement, clock, logger, moved, settle: settleEventLoop };
  }

  it('moves the kubelet, and saves it from the OOM killer', async () => {
    const { placement, moved, settle } = await setUp({ kubeletCgroups: '/a/kubelet', oomScoreAdj: -999 });
    await placement.start();
    await settle();
    await placement.stop();
    expect(moved).toEqual([`${pid} to a/kubelet`]);
    expect(await get(`proc/${pid}/oom_score_adj`)).toBe('-999');
  });

  it('leaves it where it is when it is there', async () => {
    const { placement, moved, settle } = await setUp({ kubeletCgroups: '/somewhere' });
    await placement.start();
    await settle();
    await placement.stop();
    expect(moved).toEqual([]);
  });

  it('leaves a kubelet alone that runs in a container', async () => {
    const { placement, moved, settle } = await setUp({ kubeletCgroups: '/a', oomScoreAdj: 5 });
    await rm(path.join(hostRoot, 'proc/1/ns/pid'));
    await symlink('pid:[2]', path.join(hostRoot, 'proc/1/ns/pid'));
    await placement.start();
    await settle();
    await placement.stop();
    expect(moved).toEqual([]);
    expect(await get(`proc/${pid}/oom_score_adj`)).toBe('0');
  });

  it('moves what is in the root cgroup, without init and threads of the kernel', async () => {
    const { placement, moved, settle, logger } = await setUp({ systemCgroups: '/system' });
    await placement.start();
    await settle();
    await placement.stop();
    expect(moved).toEqual(['33 to system']);
    expect(logger.messages('warning')).toEqual([]);
  });

  it('refuses the root for what is in the root', async () => {
    const { placement } = await setUp({ systemCgroups: '/' });
    await expect(placement.start()).rejects.toThrow('system container cannot be root ("/")');
    await placement.stop();
  });

  it('complains once, and goes on trying', async () => {
    const { placement, clock, logger, settle } = await setUp({ oomScoreAdj: -999 });
    await rm(path.join(hostRoot, `proc/${pid}/oom_score_adj`));
    await placement.start();
    await settle();
    await clock.advance(301_000);
    await settle();
    expect(logger.messages('warning')).toHaveLength(1);
    await put({ [`proc/${pid}/oom_score_adj`]: '0' });
    await clock.advance(301_000);
    await settle();
    expect(await get(`proc/${pid}/oom_score_adj`)).toBe('-999');
    await placement.stop();
  });
});
