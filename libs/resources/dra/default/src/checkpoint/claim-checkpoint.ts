import { crc32 } from 'node:zlib';
import { KubeletError, messageOf } from '@podwright/errors';
import { goJson, goMap } from '@podwright/kube-types';
import type { ClaimDevice, ClaimInfo } from '../claims/claim-info.js';

export const claimCheckpointName = 'dra_manager_state';

interface FileDevice {
  readonly PoolName?: string;
  readonly DeviceName?: string;
  readonly ShareID?: string | null;
  readonly RequestNames?: readonly string[] | null;
  readonly CDIDeviceIDs?: readonly string[] | null;
}

interface FileClaim {
  readonly ClaimUID?: string;
  readonly ClaimName?: string;
  readonly Namespace?: string;
  readonly PodUIDs?: Readonly<Record<string, object>> | null;
  readonly DriverState?: Readonly<Record<string, { readonly Devices?: readonly FileDevice[] | null }>> | null;
}

/**
 * Encodes the file with keys in upstream's order. `undefined` is the content of a new file.
 * Source: kubernetes v1.36 pkg/kubelet/cm/dra/state/checkpoint.go.
 */
export function encodeClaimCheckpoint(claims: readonly ClaimInfo[] | undefined): string {
  const content = {
    kind: 'DRACheckpoint',
    apiVersion: 'checkpoint.dra.kubelet.k8s.io/v1',
    ClaimInfoStateList: claims?.map(fileClaim) ?? null,
  };
  const data = goJson(content);
  return goJson({ Data: data, Checksum: crc32(data) });
}

/**
 * Decodes the file; unknown and missing fields and other versions are no error. Throws `data-loss` when it is
 * incomplete or its checksum is wrong.
 */
export function decodeClaimCheckpoint(content: string): readonly ClaimInfo[] {
  try {
    const { Data: data = '', Checksum: checksum = 0 } = JSON.parse(content) as { Data?: string; Checksum?: number };
    if (crc32(data) !== checksum) throw new Error('checkpoint is corrupted');
    const { ClaimInfoStateList: list } = JSON.parse(data) as { ClaimInfoStateList?: readonly FileClaim[] | null };
    return (list ?? []).map(claimOf);
  } catch (error) {
    throw new KubeletError(messageOf(error), { code: 'data-loss', cause: error });
  }
}

function fileClaim({ claimUid, claimName, namespace, podUids, drivers }: ClaimInfo): FileClaim {
  return {
    ClaimUID: claimUid,
    ClaimName: claimName,
    Namespace: namespace,
    PodUIDs: goMap([...podUids].map((uid) => [uid, {}])),
    DriverState: goMap([...drivers].map(([driver, devices]) => [driver, { Devices: orNull(devices.map(fileDevice)) }])),
  };
}

const fileDevice = ({ poolName, deviceName, shareId, requestNames, cdiDeviceIds }: ClaimDevice): FileDevice => ({
  PoolName: poolName,
  DeviceName: deviceName,
  ShareID: shareId ?? null,
  RequestNames: orNull(requestNames),
  CDIDeviceIDs: orNull(cdiDeviceIds),
});

/** An empty list of a protobuf message is Go's nil slice. */
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);

function claimOf({ ClaimUID, ClaimName, Namespace, PodUIDs, DriverState }: FileClaim): ClaimInfo {
  return {
    claimUid: ClaimUID ?? '',
    claimName: ClaimName ?? '',
    namespace: Namespace ?? '',
    podUids: new Set(Object.keys(PodUIDs ?? {})),
    drivers: new Map(
      Object.entries(DriverState ?? {}).map(([driver, { Devices }]) => [driver, (Devices ?? []).map(deviceOf)]),
    ),
    prepared: false,
  };
}

const deviceOf = ({ PoolName, DeviceName, ShareID, RequestNames, CDIDeviceIDs }: FileDevice): ClaimDevice => ({
  poolName: PoolName ?? '',
  deviceName: DeviceName ?? '',
  ...(typeof ShareID === 'string' && { shareId: ShareID }),
  requestNames: RequestNames ?? [],
  cdiDeviceIds: CDIDeviceIDs ?? [],
});
