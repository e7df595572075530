import { describe, expect, it } from '@jest/globals';
import { parseBuildOptions } from './options.js';

describe('the options of npm run build', () => {
  const programs = ['kubelet', 'podwright'];
  const parse = (...args: readonly string[]) => parseBuildOptions(args, programs);

  it('builds packages and all programs, one program, single executables, or Debian packages', () => {
    expect(parse()).toMatchObject({ packages: true, executable: false, apps: programs });
    expect(parse('--kubelet-only')).toMatchObject({ packages: false, executable: false, apps: ['kubelet'] });
    const single = { packages: false, executable: true, deb: false };
    expect(parse('--executable')).toEqual({ ...single, apps: ['kubelet'], architectures: ['x64', 'arm64'] });
    const one = parse('--executable', '--arch', 'arm64', 'podwright');
    expect(one).toEqual({ ...single, apps: ['podwright'], architectures: ['arm64'] });
    const deb = { packages: false, executable: false, deb: true, architectures: ['x64'] };
    expect(parse('--deb', '--arch', 'x64')).toMatchObject(deb);
  });

  it.each([
    [['--kubelet-only', '--executable'], '--kubelet-only and --executable cannot be used together'],
    [['--deb', '--executable'], '--executable and --deb cannot be used together'],
    [['--arch', 'x64'], '--arch works only with --executable or --deb'],
    [['kubelet'], 'kubelet works only with --executable'],
    [['--executable', '--arch', 'mips'], '--arch must be x64 or arm64, not "mips"'],
    [['--executable', 'kublet'], 'there is no program "kublet"; there are kubelet, podwright'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});
