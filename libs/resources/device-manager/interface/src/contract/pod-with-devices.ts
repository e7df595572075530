import type { Pod } from '@podwright/kube-types';

/** A pod whose containers have these limits, by container name; `init` are its init containers. */
export function podWithDevices(
  uid: string,
  containers: Readonly<Record<string, Readonly<Record<string, string>>>>,
  init: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Pod {
  const list = (limits: typeof containers): Pod['spec']['containers'] =>
    Object.entries(limits).map(([name, limit]) => ({
      name,
      image: 'i',
      resources: { limits: limit, requests: limit },
    }));
  return {
    metadata: { name: uid, namespace: 'default', uid },
    spec: { containers: list(containers), initContainers: list(init) },
  };
}
