import { VolumeCapability_AccessMode_Mode as modes } from '@podwright/volume-csi-interface';

/**
 * The access mode of csi.v1 for one of Kubernetes. `singleNodeMultiWriter`: the driver has the capability
 * SINGLE_NODE_MULTI_WRITER. Source: kubernetes v1.36 pkg/volume/csi/csi_client.go asCSIAccessModeV1,
 * asSingleNodeMultiWriterCapableCSIAccessModeV1.
 */
export function csiAccessMode(mode: string, singleNodeMultiWriter: boolean): modes {
  switch (mode) {
    case 'ReadWriteOnce':
      return singleNodeMultiWriter ? modes.SINGLE_NODE_MULTI_WRITER : modes.SINGLE_NODE_WRITER;
    case 'ReadOnlyMany':
      return modes.MULTI_NODE_READER_ONLY;
    case 'ReadWriteMany':
      return modes.MULTI_NODE_MULTI_WRITER;
    case 'ReadWriteOncePod':
      return singleNodeMultiWriter ? modes.SINGLE_NODE_SINGLE_WRITER : modes.SINGLE_NODE_WRITER;
    default:
      return modes.UNKNOWN;
  }
}
