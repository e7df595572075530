import { describe, expect, it } from '@jest/globals';
import { defaultKubeletConfiguration, parseKubeletFlags } from '@podwright/kubelet-configuration';
import { createKubeletProcess } from './kubelet-process.js';
import { version } from './version.js';

function create(argv: readonly string[] = []) {
  const configuration = defaultKubeletConfiguration({
    port: 10_999,
    clusterDNS: ['10.96.0.10', 'fd00::a'],
    featureGates: { SidecarContainers: true, NodeSwap: true },
    staticPodURLHeader: { Authorization: ['secret'] },
    logging: { verbosity: 2 },
  });
  const levels: number[] = [];
  const logger = { setVerbosity: (level: number) => void levels.push(level), flush: async () => undefined };
  const { flags } = parseKubeletFlags(argv);
  return { process: createKubeletProcess(configuration, flags, { clock: { now: () => 7 }, logger }), levels };
}

describe('createKubeletProcess', () => {
  it('tells flags as they would read on a command line, whatever set them', () => {
    const { process } = create(['--node-labels', 'b=2,a=1', '--root-dir=/r', '--seccomp-default']);
    expect(process.flags).toMatchObject({
      port: '10999',
      'cluster-dns': '[10.96.0.10,fd00::a]',
      'feature-gates': 'NodeSwap=true,SidecarContainers=true',
      'node-labels': 'a=1,b=2',
      'root-dir': '/r',
      'seccomp-default': 'true',
      'cert-dir': '/var/lib/kubelet/pki',
      'hostname-override': '',
    });
  });

  it('shows no secret', () => {
    const { process } = create();
    expect(JSON.stringify([process.configuration, process.flags])).not.toContain('secret');
    expect([process.version, process.startedMs]).toEqual([version, 7]);
  });

  it('changes the verbosity of the logger', () => {
    const { process, levels } = create();
    expect(process.verbosity).toBe(2);
    process.setVerbosity(6);
    expect([process.verbosity, levels]).toEqual([6, [6]]);
  });
});
