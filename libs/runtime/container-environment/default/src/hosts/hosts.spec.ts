import { chmod, mkdtemp, readFile, rm, stat, symlink, utimes } from 'node:fs/promises';
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
  const options = { clusterDomain: 'cluster.local', hostnameOverride: true };
  const long = 'a'.repeat(60);
  const domain = 's.prod.svc.cluster.local';

  it.each<[string, Partial<Pod['spec']>, string, string, string]>([
    ['its name', {}, 'web', 'web', ''],
    ['a name with dots', {}, 'web.2', 'web.2', ''],
    ['spec.hostname', { hostname: 'h' }, 'web', 'h', ''],
    ['a subdomain', { subdomain: 's' }, 'web', 'web', domain],
    ['both', { hostname: 'h', subdomain: 's' }, 'web', 'h', domain],
    ['an override, without a domain', { hostnameOverride: 'x.y', hostname: 'h', subdomain: 's' }, 'web', 'x.y', ''],
    ['a name of 63', {}, 'a'.repeat(63), 'a'.repeat(63), ''],
    ['a longer name, cut', {}, 'a'.repeat(80), 'a'.repeat(63), ''],
    ['a longer name, cut without dots and hyphens at its end', {}, `${long}.-.bcd`, long, ''],
    ['a longer override, cut the same way', { hostnameOverride: `${long}.ab.cd` }, 'web', `${long}.ab`, ''],
  ])('takes %s', (_, spec, name, hostname, hostDomain) => {
    expect(podHostname(pod(spec, name), options)).toEqual({ hostname, hostDomain });
  });

  it('ends with "svc." where the cluster has no domain', () => {
    expect(podHostname(pod({ subdomain: 's' }), { ...options, clusterDomain: '' }).hostDomain).toBe('s.prod.svc.');
  });

  it('does without the override when its gate is off', () => {
    const off = { ...options, hostnameOverride: false };
    expect(podHostname(pod({ hostnameOverride: 'x.y' }), off).hostname).toBe('web');
  });

  it.each<[Partial<Pod['spec']>, string]>([
    [{ hostname: 'A b' }, 'pod Hostname "A b" is not a valid DNS label: '],
    [{ hostname: 'a.b' }, 'pod Hostname "a.b" is not a valid DNS label: '],
    [{ subdomain: 'a.b' }, 'pod Subdomain "a.b" is not a valid DNS label: '],
    [{ hostnameOverride: 'A_b' }, 'pod HostnameOverride "A_b" is not a valid DNS subdomain: '],
    [{ hostnameOverride: '' }, 'pod HostnameOverride "" is not a valid DNS subdomain: '],
  ])('refuses %j', (spec, message) => {
    expect(() => podHostname(pod(spec), options)).toThrow(message);
  });

  it('refuses a name of which nothing is left', () => {
    expect(() => podHostname(pod({}, '-'.repeat(70)), options)).toThrow(
      `hostname for pod "${'-'.repeat(70)}" was invalid: "${'-'.repeat(70)}"`,
    );
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
        '\n# Entries added by HostAliases.\n1.2.3.4\tfoo\tbar\n5.6.7.8\t\n',
    );
    expect(nodeHostsFile('127.0.0.1 localhost\n', aliases)).toBe(
      '# Kubernetes-managed hosts file (host network).\n127.0.0.1 localhost\n' +
        '\n# Entries added by HostAliases.\n1.2.3.4\tfoo\tbar\n5.6.7.8\t\n',
    );
  });

  let dir = '';
  beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'hosts-'))));
  afterEach(() => rm(dir, { recursive: true }));

  it('is written into the same file, which running containers have mounted', async () => {
    const path = join(dir, 'etc-hosts');
    await writeHostsFile(path, 'a longer line\n');
    const first = await stat(path);
    expect(first.mode & 0o777).toBe(0o644);
    await chmod(path, 0o600);
    await writeHostsFile(path, 'b\n');
    expect(await readFile(path, 'utf8')).toBe('b\n');
    expect(await stat(path)).toMatchObject({ ino: first.ino, mode: first.mode });
    await expect(writeHostsFile(join(dir, 'missing', 'etc-hosts'), 'x')).rejects.toThrow('ENOENT');
  });

  it('is left alone when it is equal, and never written through a link', async () => {
    const path = join(dir, 'etc-hosts');
    await writeHostsFile(path, 'a\n');
    await utimes(path, 1, 1);
    await writeHostsFile(path, 'a\n');
    expect((await stat(path)).mtimeMs).toBe(1000);
    await symlink(path, join(dir, 'link'));
    await expect(writeHostsFile(join(dir, 'link'), 'b\n')).rejects.toThrow('ELOOP');
  });
});
