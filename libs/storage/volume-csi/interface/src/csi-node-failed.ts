import { createToken } from '@podwright/assembly-interface';

/**
 * Called once, with a reason to log, when the node's CSINode could not be initialized for minutes although the API
 * server answers. The process should then exit with an error, so that its next start tries again. The app provides it;
 * without it the node stays NotReady. Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go initializeCSINode.
 */
export type CsiNodeFailed = (reason: string) => void;

export const CSI_NODE_FAILED = createToken<CsiNodeFailed>('kubelet.csi-node-failed/v1');
