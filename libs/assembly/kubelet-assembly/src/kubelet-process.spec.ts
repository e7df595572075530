import { describe, expect, it } from '@jest/globals';
import {
  defaultKubeletConfiguration,
  kubeletProgramFlags,
  loadKubeletConfiguration,
} from '@podwright/kubelet-configuration';
import { createKubeletProcess } from './kubelet-process.js';
import { version } from './version.js';

async function create(argv: readonly string[] = []) {
  const configuration = defaultKubeletConfiguration({
    port: 10_999,
    clusterDNS: ['10.96.0.10', 'fd00::a'],
    featureGates: { SidecarContainers: true, NodeSwap: true },
    staticPodURLHeader: { Authorization: ['secret'] },
    logging: { verbosity: 2 },
  });
  const levels: number[] = [];
  const logger = { setVerbosity: (level: number) => void levels.push(level), flush: async () => undefined };
  const loaded = await loadKubeletConfiguration({ argv, cwd: '/' });
  if ('answer' in loaded) throw new Error('an answer instead of a configuration');
  const settings = { ...loaded, configuration };
  const parts = { clock: { now: () => 7 }, logger };
  return { process: createKubeletProcess(settings, kubeletProgramFlags, parts), levels };
}

describe('createKubeletProcess', () => {
  it('shows flags as the command line has them, not as a file does', async () => {
    const { process } = await create([
      ...['--node-labels', 'b=2,a=1', '--root-dir=/r', '--seccomp-default', '--cluster-dns=10.96.0.10,fd00::a'],
      ...['--feature-gates=SidecarContainers=true,NodeSwap=true', '--eviction-hard=memory.available<1Gi'],
      ...['--register-with-taints=a=b:NoSchedule,c:NoExecute', '--vmodule=a=1,b=2', '--manifest-url-header=b:1,a:2'],
      '--reserved-memory=1:memory=1Gi;0:memory=2Gi,hugepages-1Gi=1Gi',
    ]);
    expect(process.flags).toMatchObject({
      port: '10250',
      'cluster-dns': '[10.96.0.10,fd00::a]',
      'feature-gates': 'NodeSwap=true,SidecarContainers=true',
      'eviction-hard': 'memory.available<1Gi',
      'register-with-taints': 'a=b:NoSchedule,c=:NoExecute',
      vmodule: 'a=1,b=2',
      'manifest-url-header': 'a:<masked>,b:<masked>',
      'reserved-memory': '0:hugepages-1Gi=1Gi,memory=2Gi,1:memory=1Gi',
      'enforce-node-allocatable': '[pods]',
      'qos-reserved': '',
      'node-labels': 'a=1,b=2',
      'root-dir': '/r',
      'seccomp-default': 'true',
      'cert-dir': '/var/lib/kubelet/pki',
      'hostname-override': '',
    });
  });

  it('shows the certificate that the kubelet makes for itself', async () => {
    const pair = { tlsCertFile: '/c/kubelet.crt', tlsPrivateKeyFile: '/c/kubelet.key' };
    const { process } = await create(['--cert-dir=/c']);
    expect(process.configuration).toMatchObject(pair);
    process.useCgroupDriver('systemd');
    expect(process.configuration).toMatchObject({ ...pair, cgroupDriver: 'systemd' });
    expect(process.flags['tls-cert-file']).toBe('');
  });

  it('shows the headers of the manifest URL in the configuration, as upstream does, and not as flags', async () => {
    const { process } = await create(['--manifest-url-header=Authorization:secret']);
    expect(process.configuration.staticPodURLHeader).toEqual({ Authorization: ['secret'] });
    expect(JSON.stringify(process.flags)).not.toContain('secret');
    expect([process.version, process.startedMs]).toEqual([version, 7]);
  });

  it('reports the version that the command line names', async () => {
    const named = `${version}-custom.1`;
    const { process } = await create([`--version=${named}`]);
    expect([process.version, process.flags['version']]).toEqual([named, named]);
    expect((await create()).process.flags['version']).toBe('false');
  });

  it('changes the verbosity of the logger', async () => {
    const { process, levels } = await create();
    expect(process.verbosity).toBe(2);
    process.setVerbosity(6);
    expect([process.verbosity, levels]).toEqual([6, [6]]);
  });
});
