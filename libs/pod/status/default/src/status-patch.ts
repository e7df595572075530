import { createStrategicMergePatch, patchSchemaOf } from '@podwright/strategic-merge-patch';
import { isJsonObject, type PodStatus } from '@podwright/kube-types';
import { sameValue } from './same-value.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch from the API server's status `shown` to `wanted`; undefined when they are equal. Deletes
 * fields that `wanted` lacks. Source: kubernetes v1.36 pkg/util/pod/pod.go preparePatchBytesForPodStatus.
 */
export function statusPatch(shown: PodStatus, wanted: PodStatus): Members | undefined {
  const status = alignMembers(shown as unknown as Members, wanted as unknown as Members);
  const patch = createStrategicMergePatch({ status: shown }, { status }, patchSchemaOf('Pod'));
  const changes = patch['status'] as Members | undefined;
  return changes === undefined ? undefined : { ...changes, ...emptyObjects(shown as unknown as Members, wanted) };
}

// Go writes an empty struct behind a pointer, `resources: {}`. It is no reason for a patch, because a server may drop it.
function emptyObjects(shown: Members, wanted: object): Members {
  const isNew = ([name, value]: readonly [string, unknown]): boolean =>
    shown[name] === undefined && isJsonObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(wanted).filter(isNew));
}

// Takes over the server's notation of equal values, so that a text comparison finds them equal.
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
  if (isJsonObject(shown) && isJsonObject(wanted)) return alignMembers(shown, wanted);
  if (name === 'conditions' && Array.isArray(shown) && Array.isArray(wanted))
    return (wanted as readonly Members[]).map((item) => {
      const old = (shown as readonly Members[]).find(({ type }) => type === item['type']);
      return old === undefined ? item : align(old, item, '');
    });
  return wanted;
}
