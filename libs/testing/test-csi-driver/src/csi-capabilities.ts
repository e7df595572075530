import { NodeServiceCapability_RPC_Type as types } from '@podwright/volume-csi-interface';

/** What a driver's Node service can do, in the protocol's words. Source: CSI 1.9, NodeServiceCapability.RPC.Type. */
export const csiCapabilities = [
  'STAGE_UNSTAGE_VOLUME',
  'GET_VOLUME_STATS',
  'EXPAND_VOLUME',
  'VOLUME_CONDITION',
  'SINGLE_NODE_MULTI_WRITER',
  'VOLUME_MOUNT_GROUP',
] as const satisfies readonly (keyof typeof types)[];

export type CsiCapability = (typeof csiCapabilities)[number];

export function capabilityNumber(name: CsiCapability): (typeof types)[CsiCapability] {
  return types[name];
}
