import { describe, expect, it } from '@jest/globals';
import { joinConfiguration } from './cluster-shape.js';
import { kubeadmPrograms, missingKubeadmProgram } from './kubeadm-assets.js';

describe('the folder of programs', () => {
  it.each([
    ['', [], 'PODWRIGHT_KUBEADM_ASSETS names no folder with etcd, kube-apiserver, '],
    ['/a', kubeadmPrograms.slice(2), 'PODWRIGHT_KUBEADM_ASSETS has no etcd, kube-apiserver'],
  ])('%s is refused by the names of what is missing', (folder, present, reason) => {
    expect(missingKubeadmProgram(folder, (name) => (present as readonly string[]).includes(name))).toMatch(
      new RegExp(`^${reason}`),
    );
  });

  it('needs nothing more than all of them', () => {
    expect(missingKubeadmProgram('/a', () => true)).toBeUndefined();
  });
});

describe('the file for kubeadm join', () => {
  it('has what the printed command says', () => {
    const command =
      'kubeadm join 10.99.0.1:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:00ff ';
    expect(JSON.parse(joinConfiguration(command))).toMatchObject({
      kind: 'JoinConfiguration',
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: '10.99.0.1:6443',
          token: 'abcdef.0123456789abcdef',
          caCertHashes: ['sha256:00ff'],
        },
      },
    });
  });

  it('is not made of another command', () => {
    expect(() => joinConfiguration('kubeadm join --config x')).toThrow(
      'kubeadm prints another command to join: kubeadm',
    );
  });
});
