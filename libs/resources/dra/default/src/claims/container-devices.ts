import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import type { ClaimAssignment } from '@podwright/pod-resources-interface';
import type { ClaimCache } from './claim-cache.js';
import { devicesOf, type ClaimDevice } from './claim-info.js';
import { containerClaims } from './pod-claims.js';

/** What containers get of the claims of their pods. */
export class ContainerDevices {
  constructor(
    private readonly cache: ClaimCache,
    private readonly extendedResources: boolean,
  ) {}

  /** Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go GetResources. */
  cdiDevices(pod: Pod, container: Container): readonly string[] {
    const { namespace = '' } = pod.metadata;
    const names = containerClaims(pod, container, this.extendedResources).flatMap(({ claimName, requests }) => {
      const claim = this.cache.get(namespace, claimName);
      if (claim === undefined) {
        const message = `internal error: unable to get claim info for ResourceClaim ${claimName} in namespace ${namespace}`;
        throw new KubeletError(message, { code: 'internal' });
      }
      return requests.flatMap((request) => devicesOf(claim, request).flatMap(({ device }) => device.cdiDeviceIds));
    });
    // A device of two requests has its name once: the runtime may refuse to inject it twice.
    return [...new Set(names)];
  }

  /** All devices of each claim, whatever the container's request. Source: as above, GetContainerClaimInfos. */
  assignments(pod: Pod, container: Container): readonly ClaimAssignment[] {
    const { namespace = '' } = pod.metadata;
    return containerClaims(pod, container, this.extendedResources).flatMap(({ claimName }) => {
      const claim = this.cache.get(namespace, claimName);
      if (claim === undefined) return [];
      const devices = devicesOf(claim, '').map(({ driver, device }) => assigned(driver, device));
      return [{ claimName, claimNamespace: namespace, devices }];
    });
  }
}

function assigned(
  driverName: string,
  { poolName, deviceName, cdiDeviceIds, shareId }: ClaimDevice,
): ClaimAssignment['devices'][number] {
  return { driverName, poolName, deviceName, cdiDevices: cdiDeviceIds, ...(shareId !== undefined && { shareId }) };
}
