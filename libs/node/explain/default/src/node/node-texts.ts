import type { NodeSituation } from '@podwright/explain-interface';

/** Headline and advice, each one sentence; names in braces are filled in. */
export const nodeTexts: Readonly<Record<NodeSituation, readonly [headline: string, advice: string]>> = {
  'runtime-down': [
    'The node is not Ready, because the container runtime does not work.',
    'Fix the container runtime (systemctl status containerd, journalctl -u containerd).',
  ],
  'network-not-ready': [
    'The node is not Ready, because its network is not.',
    'Install or fix the network plugin (CNI); its configuration belongs in /etc/cni/net.d.',
  ],
  'not-ready': ['The node is not Ready: {message}', 'Fix what the message names; the node becomes Ready by itself.'],
  'lease-failing': [
    'The kubelet cannot renew the lease of the node, so the cluster will consider the node lost.',
    'Fix the connection to the API server, or the credentials of the kubelet.',
  ],
  'status-failing': [
    'The API server does not accept the status of the node.',
    'Fix the connection to the API server, or the credentials of the kubelet.',
  ],
  'memory-pressure': [
    'The node is short of memory and evicts pods.',
    'Give the pods that use most of it requests that fit, or move some of them away.',
  ],
  'disk-pressure': [
    'The node is short of disk and evicts pods.',
    'Remove files or images, or give the node a larger disk; the pods below use most of it.',
  ],
  'pid-pressure': [
    'The node is short of process numbers and evicts pods.',
    'Find the pod that starts so many processes, and give it a limit (podPidsLimit).',
  ],
  'image-gc-failing': [
    'The node is Ready; the image garbage collection cannot free enough disk.',
    'Free the disk by hand, or give it more room: what is left is in use, or is not images.',
  ],
  'near-pressure': [
    'The node is Ready, and {signal} is near its threshold: {distance} left.',
    'Move load away before the kubelet evicts {next}.',
  ],
  'was-not-ready': [
    'The node is Ready; it was not for {took}: {message}',
    'Nothing to do now; if it happens again, fix what the message names.',
  ],
  ready: ['The node is Ready.', ''],
};
