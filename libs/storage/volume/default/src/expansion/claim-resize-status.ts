import { messageOf } from '@podwright/errors';
import type { PersistentVolumeClaim } from '@podwright/kube-types';

type ClaimStatus = NonNullable<PersistentVolumeClaim['status']>;

/** A strategic merge patch of a claim's status. */
export interface ClaimStatusPatch {
  readonly metadata?: { readonly resourceVersion: string };
  readonly status: Readonly<Record<string, unknown>>;
}

// Source: kubernetes v1.36 pkg/volume/util/resize_util.go knownResizeConditions.
const resizeConditions = ['FileSystemResizePending', 'Resizing', 'ControllerResizeError', 'NodeResizeError'];

/** Where the resize controller stands: its status of the claim's storage, and the size that it has allocated. */
export function resizeOf({ status }: PersistentVolumeClaim): { resizeStatus: string; allocated: string | undefined } {
  return {
    resizeStatus: status?.allocatedResourceStatuses?.['storage'] ?? '',
    allocated: status?.allocatedResources?.['storage'],
  };
}

/** True when the resize controller is too old to recover from failures: it writes neither of both fields. */
export function isLegacyResize({ status }: PersistentVolumeClaim): boolean {
  const resizeStatus = status?.allocatedResourceStatuses?.['storage'] ?? '';
  return resizeStatus === '' && status?.allocatedResources === undefined;
}

export function inProgressPatch(claim: PersistentVolumeClaim): ClaimStatusPatch {
  return sameVersion(claim, { allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } });
}

/** The claim has its new size; whatever spoke of the expansion goes. */
export function finishedPatch(claim: PersistentVolumeClaim, size: string): ClaimStatusPatch {
  const { allocatedResourceStatuses: statuses, conditions } = claim.status ?? {};
  const others = Object.keys(statuses ?? {}).some((resource) => resource !== 'storage');
  const gone = (conditions ?? []).filter(({ type }) => resizeConditions.includes(type));
  return sameVersion(claim, {
    capacity: { storage: size },
    ...(statuses !== undefined && { allocatedResourceStatuses: others ? { storage: null } : null }),
    ...(gone.length > 0 && { conditions: gone.map(({ type }) => ({ $patch: 'delete', type })) }),
  });
}

/**
 * A final error. As upstream, a condition that says so already keeps its message, and the patch goes through on a claim
 * that changed meanwhile.
 */
export function failedPatch(
  claim: PersistentVolumeClaim,
  error: unknown,
  { infeasible, time }: { readonly infeasible: boolean; readonly time: string },
): ClaimStatusPatch {
  const known = claim.status?.conditions?.some(({ type, status }) => type === 'NodeResizeError' && status === 'True');
  const condition = {
    type: 'NodeResizeError',
    status: 'True',
    lastTransitionTime: time,
    message: `failed to expand pvc with ${messageOf(error)}`,
  };
  return {
    status: {
      ...(infeasible && { allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } }),
      ...(known !== true && { conditions: [condition] }),
    },
  };
}

/** The server refuses the patch when the claim has changed meanwhile. */
function sameVersion(
  claim: PersistentVolumeClaim,
  status: Partial<Record<keyof ClaimStatus, unknown>>,
): ClaimStatusPatch {
  return { metadata: { resourceVersion: claim.metadata?.resourceVersion ?? '' }, status };
}
