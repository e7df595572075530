import { createToken } from '@podwright/assembly-interface';
import type { DeepPartial } from '@podwright/protobuf-wire';
import type {
  NodeExpandVolumeRequest,
  NodeGetInfoResponse,
  NodeGetVolumeStatsRequest,
  NodeGetVolumeStatsResponse,
  NodePublishVolumeRequest,
  NodeServiceCapability_RPC_Type as capabilities,
  NodeStageVolumeRequest,
  NodeUnpublishVolumeRequest,
  NodeUnstageVolumeRequest,
} from '@podwright/volume-csi-interface';
import type { RegisteredDriver } from '../drivers/driver-store.js';
import type { CsiOperation } from './csi-operation.js';

/** What a driver may be able to do, in the names of csi.v1. */
export type NodeCapability = Exclude<keyof typeof capabilities, 'UNKNOWN' | 'UNRECOGNIZED'>;

/**
 * Calls to the Node service of one driver, each over a connection of its own. Errors have the driver's gRPC code and
 * Go's text, `rpc error: code = NotFound desc = ...`. Those of staging, publishing, expanding and asking for
 * capabilities are marked as uncertain when the driver may still be at work: Canceled, DeadlineExceeded, Unavailable,
 * ResourceExhausted, Aborted, and anything that is no gRPC status. Source: kubernetes v1.36
 * pkg/volume/csi/csi_client.go.
 */
export interface CsiClient {
  readonly driver: string;
  nodeGetInfo(operation: CsiOperation): Promise<NodeGetInfoResponse>;
  /** Asks the driver each time, as upstream. */
  supports(capability: NodeCapability, operation: CsiOperation): Promise<boolean>;
  nodeStageVolume(request: DeepPartial<NodeStageVolumeRequest>, operation: CsiOperation): Promise<void>;
  nodeUnstageVolume(request: NodeUnstageVolumeRequest, operation: CsiOperation): Promise<void>;
  nodePublishVolume(request: DeepPartial<NodePublishVolumeRequest>, operation: CsiOperation): Promise<void>;
  nodeUnpublishVolume(request: NodeUnpublishVolumeRequest, operation: CsiOperation): Promise<void>;
  /** Resolves with the volume's new capacity in bytes, as the driver reports it. */
  nodeExpandVolume(request: DeepPartial<NodeExpandVolumeRequest>, operation: CsiOperation): Promise<bigint>;
  nodeGetVolumeStats(
    request: DeepPartial<NodeGetVolumeStatsRequest>,
    operation: CsiOperation,
  ): Promise<NodeGetVolumeStatsResponse>;
}

/** The clients of the drivers that are registered on this node. */
export interface CsiClients {
  /**
   * Throws `not-found`, marked as transient, with `driver name <d> not found in the list of registered CSI drivers`.
   */
  of(driver: string): CsiClient;
}

export const CSI_CLIENTS = createToken<CsiClients>('kubelet.volume-csi.clients/v1');

/** Makes the client of a driver that is registered. */
export type ConnectCsiDriver = (driver: RegisteredDriver) => CsiClient;

/** Optional: without it the kubelet connects to the sockets of the drivers. */
export const CSI_DRIVER_CONNECTOR = createToken<ConnectCsiDriver>('kubelet.volume-csi.connector/v1');
