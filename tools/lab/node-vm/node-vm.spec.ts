import { describe, expect, it } from '@jest/globals';
import { guestFiles, guestLinks } from './guest-files.js';
import { guestRecipe, recipeKey } from './guest-recipe.js';
import { parseLibraries } from './programs-disk.js';
import { qemuArguments, type MachineShape } from './qemu-argv.js';
import { renderReportLine, ReportReader } from './report-lines.js';
import { nodeVmSupport } from './support.js';

describe('the recipe of the guest', () => {
  it('has the same key each time, and another one when any part of it changes', () => {
    const key = recipeKey(guestRecipe);
    expect(key).toMatch(/^[0-9a-f]{12}$/);
    expect(recipeKey({ ...guestRecipe })).toBe(key);
    const [first, ...rest] = guestRecipe.files;
    const others = [
      { steps: guestRecipe.steps + 1 },
      { packages: [...guestRecipe.packages, 'strace'] },
      { files: [{ path: first?.path ?? '', text: 'other' }, ...rest] },
      { links: guestRecipe.links.slice(1) },
      { diskMib: guestRecipe.diskMib + 1 },
      { keepsKernelConfiguration: true as const },
    ].map((change) => recipeKey({ ...guestRecipe, ...change }));
    expect(new Set([key, ...others]).size).toBe(others.length + 1);
  });

  it('names each file and link once, by an absolute path', () => {
    const paths = [...guestFiles.map(({ path }) => path), ...guestLinks.map(([link]) => link)];
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => !path.startsWith('/') || path.includes('..'))).toEqual([]);
  });
});

const shape: MachineShape = {
  kernel: '/c/vmlinuz',
  systemDisk: '/c/a,b.ext4',
  programsDisk: '/w/programs.ext4',
  memoryMib: 900,
  cpus: 2,
  acceleration: 'tcg',
  console: { file: '/w/console.log' },
};

describe('the arguments of QEMU', () => {
  it('keep the system disk as it is, protect the programs, and give no network', () => {
    const argv = qemuArguments(shape);
    expect(argv).toContain('if=none,id=system,file=/c/a,,b.ext4,format=raw,snapshot=on');
    expect(argv).toContain('if=none,id=programs,file=/w/programs.ext4,format=raw,read-only=on');
    expect(argv.slice(argv.indexOf('-nic'))[1]).toBe('none');
    expect(argv.slice(argv.indexOf('-m'))[1]).toBe('900');
  });

  it('put the console into a file and reports on standard output, or the console on the terminal and reports nowhere', () => {
    const ports = (argv: readonly string[]): readonly string[] =>
      argv.filter((_, index) => ['-serial', '-chardev'].includes(argv[index - 1] ?? ''));
    expect(ports(qemuArguments(shape))).toEqual([
      'file:/w/console.log',
      'stdio,id=report,signal=off',
      'chardev:report',
    ]);
    expect(ports(qemuArguments({ ...shape, console: 'terminal' }))).toEqual([
      'mon:stdio',
      'null,id=report',
      'chardev:report',
    ]);
  });

  it('end a cable in a socket, where one machine listens and the other one connects', () => {
    const cable = (role: 'listens' | 'connects'): readonly string[] => {
      const argv = qemuArguments({ ...shape, link: { socket: '/w/a,b', role } });
      expect(argv).not.toContain('-nic');
      return argv.slice(argv.indexOf('-netdev') + 1).slice(0, 3);
    };
    expect(cable('listens')).toEqual([
      'stream,id=link,addr.type=unix,addr.path=/w/a,,b,server=on',
      '-device',
      'virtio-net-pci,netdev=link,mac=52:54:00:00:00:01,romfile=',
    ]);
    expect(cable('connects')[0]).toContain('server=off,reconnect-ms=500');
    expect(cable('connects')[2]).toContain('52:54:00:00:00:02');
  });

  it('take the processor as it is only where the kernel virtualises', () => {
    const cpu = (acceleration: 'kvm' | 'tcg'): string | undefined => {
      const argv = qemuArguments({ ...shape, acceleration });
      return argv[argv.indexOf('-cpu') + 1];
    };
    expect([cpu('kvm'), cpu('tcg')]).toEqual(['host', 'max']);
  });

  it('hand further arguments to the kernel, after its own', () => {
    const argv = qemuArguments({ ...shape, kernelArguments: ['podwright.shell'] });
    expect(argv[argv.indexOf('-append') + 1]).toMatch(/^root=\/dev\/nvme0n1 rw .* podwright\.shell$/);
  });
});

describe('reports', () => {
  it('are read whatever the pieces they arrive in', () => {
    const lines = [
      { type: 'begin', name: 'a "b" ü' },
      { type: 'end', name: 'a "b" ü', seconds: 1.5, error: 'one\ntwo' },
      { type: 'done' },
    ] as const;
    const text = lines.map(renderReportLine).join('').replaceAll('\n', '\r\n');
    const reader = new ReportReader();
    expect([...text].flatMap((piece) => reader.read(piece))).toEqual(lines);
  });

  it.each(['not json', '{"type":"other"}', '"text"', 'null', '{"type":"en'])('leave out %s', (line) => {
    expect(new ReportReader().read(`${line}\n${renderReportLine({ type: 'done' })}`)).toEqual([{ type: 'done' }]);
  });
});

describe('libraries of Node', () => {
  it('are those that not every Debian has', () => {
    const ldd = `	linux-vdso.so.1 (0x00007ffd)
	libnode.so.115 => /lib/x86_64-linux-gnu/libnode.so.115 (0x00007f1)
	libstdc++.so.6 => /lib/x86_64-linux-gnu/libstdc++.so.6 (0x00007f2)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f3)
	libmissing.so.1 => not found
	/lib64/ld-linux-x86-64.so.2 (0x00007f4)`;
    expect(parseLibraries(ldd)).toEqual(['/lib/x86_64-linux-gnu/libnode.so.115']);
  });
});

describe('where a machine can be made', () => {
  it.each([
    ['linux', 'x64', 0, true],
    ['darwin', 'x64', 0, false],
    ['linux', 'arm64', 0, false],
    ['linux', 'x64', 1000, false],
  ] as const)('%s on %s as user %d: %s', (platform, arch, uid, ok) => {
    expect(nodeVmSupport(platform, arch, uid).ok).toBe(ok);
  });
});
