import { describe, expect, it } from '@jest/globals';
import { cgroupMounts } from './cgroups.js';
import { mountPointsBelow } from './mounts.js';
import { renderAptConfig, transportSettings } from './packages.js';
import { mayLowerOomScores } from './support.js';

const MOUNTINFO = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
50 27 0:50 / /run/x/lab/rootfs rw - overlay overlay rw
51 50 0:51 / /run/x/lab/rootfs/a\\040b rw - tmpfs tmpfs rw
52 27 0:52 / /run/x/lab-two rw - tmpfs tmpfs rw
`;

describe('reading the mount table', () => {
  it('finds mounts below a folder, the last first, and not those of a folder that begins alike', () => {
    expect(mountPointsBelow(MOUNTINFO, ['/run/x/lab'])).toEqual(['/run/x/lab/rootfs/a b', '/run/x/lab/rootfs']);
  });

  it('finds the cgroup hierarchies of both versions', () => {
    expect(cgroupMounts(MOUNTINFO)).toEqual(['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/unified']);
  });
});

describe('mayLowerOomScores', () => {
  it('reads the effective capabilities', () => {
    expect(mayLowerOomScores('Name:\tx\nCapEff:\t000001fffeffffff\n')).toBe(false);
    expect(mayLowerOomScores('CapEff:\t000001ffffffffff\n')).toBe(true);
  });
});

describe('the private apt configuration', () => {
  it('keeps how the machine reaches its mirror, and no hooks', () => {
    const dump = [
      'Acquire::http::Proxy "http://proxy.example:3128";',
      'Acquire::Retries "3";',
      'Acquire::http "";',
      'Acquire::Languages "de";',
      'APT::Update::Post-Invoke:: "rm -rf /";',
    ].join('\n');
    expect(transportSettings(dump)).toBe('Acquire::http::Proxy "http://proxy.example:3128";\nAcquire::Retries "3";\n');
  });

  it("does not touch the machine's lists, cache and status", () => {
    expect(renderAptConfig('/private-apt')).toContain('Dir::State::lists "/private-apt/lists";');
    expect(renderAptConfig('/private-apt')).toContain('Dir::Etc::main "/dev/null";');
  });
});
