import { createStrategicMergePatch, patchSchemaOf } from '@podwright/kube-client-interface';
import type { PodStatus } from '@podwright/kube-types';
import { sameValue } from './same-value.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch of `status` that makes `wanted` out of `shown`, which comes from the API server; undefined when
 * nothing differs. Members that `wanted` lacks are deleted. Source: kubernetes v1.36 pkg/util/pod/pod.go
 * preparePatchBytesForPodStatus.
 */
export function statusPatch(shown: PodStatus, wanted: PodStatus): Members | undefined {
  const status = alignMembers(shown as unknown as Members, wanted as unknown as Members);
  const patch = createStrategicMergePatch({ status: shown }, { status }, patchSchemaOf('Pod'));
  return patch['status'] as Members | undefined;
}

// What means the same is written as the server wrote it, so that a comparison of texts finds it equal.
function alignMembers(shown: Members, wanted: Members): Members {
  const aligned: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(shown), ...Object.keys(wanted)])) {
    const value = align(shown[name], wanted[name], name);
    if (value !== undefined) aligned[name] = value;
  }
  return aligned;
}

function align(shown: unknown, wanted: unknown, name: string): unknown {
  if (sameValue(shown, wanted, name)) return shown;
  if (isMap(shown) && isMap(wanted)) return alignMembers(shown, wanted);
  if (name === 'conditions' && Array.isArray(shown) && Array.isArray(wanted))
    return (wanted as readonly Members[]).map((item) => {
      const old = (shown as readonly Members[]).find(({ type }) => type === item['type']);
      return old === undefined ? item : alignMembers(old, item);
    });
  return wanted;
}

const isMap = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
