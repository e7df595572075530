/** Programs that the folder of PODWRIGHT_KUBEADM_ASSETS must have, of one release of Kubernetes, statically linked. */
export const kubeadmPrograms = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubeadm',
  'kubectl',
] as const;

/** With this one in the folder too, the cluster has its DNS; without it kubeadm is told to leave it out. */
export const DNS_PROGRAM = 'coredns';

/** Why kubeadm cannot make a cluster of the folder, as a sentence; undefined when it can. */
export function missingKubeadmProgram(folder: string, exists: (program: string) => boolean): string | undefined {
  if (folder === '') return `PODWRIGHT_KUBEADM_ASSETS names no folder with ${kubeadmPrograms.join(', ')}`;
  const missing = kubeadmPrograms.filter((program) => !exists(program));
  return missing.length === 0 ? undefined : `PODWRIGHT_KUBEADM_ASSETS has no ${missing.join(', ')}`;
}
