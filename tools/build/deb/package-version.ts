import { version as kubeletVersion } from '@podwright/kubelet-assembly';
import { listPackages } from '../../workspace/packages.js';

/**
 * Version of the Debian package: that of Kubernetes, which kubeadm compares, and then that of `@podwright/kubelet`,
 * which changes more often. `~` sorts before the end, as `-` does in a prerelease.
 */
export function packageVersion(): string {
  const kubelet = listPackages().find(({ folder }) => folder === 'apps/kubelet');
  if (kubelet === undefined) throw new Error('apps/kubelet has no package.json');
  return `${kubeletVersion.replace(/^v/, '')}+podwright${kubelet.manifest.version.replaceAll('-', '~')}`;
}
