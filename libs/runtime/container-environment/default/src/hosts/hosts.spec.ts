import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { nodeHostsFile, podHostsFile, writeHostsFile } from './hosts-file.js';
import { kernelHostname, podHostname } from './pod-hostname.js';

const pod = (spec: Partial<Pod['spec']>, name = 'web'): Pod => ({
  metadata: { name, namespace: 'prod' },
  spec: { containers: [], ...spec },
});

describe('podHostname', () => {
  it('takes the name, the spec, the subdomain', () => {
    expect(podHostname(pod({}), 'cluster.local')).toEqual({ hostname: 'web', hostDomain: '' });
    expect(podHostname(pod({ hostname: 'h', subdomain: 's' }), 'cluster.local')).toEqual({
      hostname: 'h',
      hostDomain: 's.prod.svc.cluster.local',
    });
  });

  it('cuts long names and what is left at the end', () => {
    expect(podHostname(pod({}, `${'a'.repeat(60)}.-.bcd`), '').hostname).toBe('a'.repeat(60));
    expect(() => podHostname(pod({}, '-'.repeat(70)), '')).toThrow('hostname for pod');
  });

  it('refuses what is no DNS label', () => {
    expect(() => podHostname(pod({ hostname: 'A b' }), '')).toThrow('pod Hostname "A b" is not a valid DNS label: ');
    expect(() => podHostname(pod({ subdomain: 'a.b' }), '')).toThrow('pod Subdomain "a.b" is not a valid DNS label: ');
  });

  it('gives the kernel the full name when asked to, if it fits', () => {
    const name = { hostname: 'h', hostDomain: 's.prod.svc.cluster.local' };
    expect(kernelHostname(name, false)).toBe('h');
    expect(kernelHostname(name, true)).toBe('h.s.prod.svc.cluster.local');
    expect(kernelHostname({ hostname: 'h', hostDomain: '' }, true)).toBe('h');
    expect(() => kernelHostname({ hostname: 'h'.repeat(60), hostDomain: 'd.svc' }, true)).toThrow(
      'is too long (64 characters is the max, 66 characters requested)',
    );
  });
});

describe('hosts file', () => {
  const aliases = [{ ip: '1.2.3.4', hostnames: ['foo', 'bar'] }, { ip: '5.6.7.8' }];

  it('is that of upstream, byte by byte', () => {
    const fixed =
      '# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n' +
      'fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n';
    expect(podHostsFile(['10.0.0.1'], { hostname: 'web', hostDomain: '' }, undefined)).toBe(`${fixed}10.0.0.1\tweb\n`);
    expect(podHostsFile(['10.0.0.1', 'fd00::1'], { hostname: 'web', hostDomain: 's.d' }, aliases)).toBe(
      `${fixed}10.0.0.1\tweb.s.d\tweb\nfd00::1\tweb.s.d\tweb\n` +
        '\n# Entries added by HostAliases.\n1.2.3.4\tfoo\tbar\n5.6.7.8\n',
    );
    expect(nodeHostsFile('127.0.0.1 localhost\n', aliases)).toBe(
      '# Kubernetes-managed hosts file (host network).\n127.0.0.1 localhost\n' +
        '\n# Entries added by HostAliases.\n1.2.3.4\tfoo\tbar\n5.6.7.8\n',
    );
  });

  let dir = '';
  beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'hosts-'))));
  afterEach(() => rm(dir, { recursive: true }));

  it('is replaced when it differs and left alone when it does not', async () => {
    const path = join(dir, 'etc-hosts');
    await writeFile(`${path}.tmp`, 'left behind', { mode: 0o600 });
    await writeHostsFile(path, 'a\n');
    const first = await stat(path);
    expect(first.mode & 0o777).toBe(0o644);
    await writeHostsFile(path, 'a\n');
    expect((await stat(path)).ino).toBe(first.ino);
    await writeHostsFile(path, 'b\n');
    expect(await readFile(path, 'utf8')).toBe('b\n');
    await expect(writeHostsFile(join(dir, 'missing', 'etc-hosts'), 'x')).rejects.toThrow('ENOENT');
  });
});
