import type { KubeletProgram } from '@podwright/kubelet-assembly';

/** The kubelet as upstream's. */
export const kubeletProgram: KubeletProgram = { name: 'kubelet', parts: [] };
