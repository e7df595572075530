import { nodeSocketFlags, nodeSocketParts, type KubeletProgram } from '@podwright/kubelet-assembly';

/** The kubelet as upstream's, with a socket for root. */
export const kubeletProgram: KubeletProgram = {
  program: 'kubelet',
  ownFlags: nodeSocketFlags,
  parts: nodeSocketParts,
};
