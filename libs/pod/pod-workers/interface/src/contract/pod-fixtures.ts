import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';

export interface PodParts {
  readonly name?: string;
  readonly graceSeconds?: number;
  readonly deletionGraceSeconds?: number;
  readonly deleted?: boolean;
  readonly phase?: string;
  readonly fromFile?: boolean;
}

export function makePod(uid: string, parts: PodParts = {}): Pod {
  const { name = uid, graceSeconds = 30, deletionGraceSeconds, deleted = false, phase, fromFile = false } = parts;
  return {
    metadata: {
      name,
      namespace: 'default',
      uid,
      annotations: { 'kubernetes.io/config.source': fromFile ? 'file' : 'api' },
      ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ...(deletionGraceSeconds !== undefined && { deletionGracePeriodSeconds: deletionGraceSeconds }),
    },
    spec: { containers: [{ name: 'main' }], terminationGracePeriodSeconds: graceSeconds },
    ...(phase !== undefined && { status: { phase } }),
  };
}

export function makeRuntimePod(uid: string): RuntimePod {
  return { uid, name: uid, namespace: 'default', containers: [], sandboxes: [] };
}

/** A promise that the test settles. */
export function gate<T>(): { readonly promise: Promise<T>; open(value: T): void; fail(error: unknown): void } {
  let open: (value: T) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open: (value) => open(value), fail: (error) => fail(error) };
}
