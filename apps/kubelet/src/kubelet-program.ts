import type { KubeletProgram } from '@podwright/kubelet-assembly';

/** The kubelet as upstream's. */
export const kubeletProgram: KubeletProgram = { program: 'kubelet', parts: [] };
