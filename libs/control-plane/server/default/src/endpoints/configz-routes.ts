import type { KubeletProcess } from '@podwright/server-interface';
import type { Route } from '@podwright/server-interface';

const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

/**
 * Serves the configuration in effect at `/configz`. Source: kubernetes v1.36 staging/src/k8s.io/component-base/configz.
 */
export function configzRoutes(process: Pick<KubeletProcess, 'configuration'>): readonly Route[] {
  const handle: Route['handle'] = () => {
    const kubeletconfig = {
      kind: 'KubeletConfiguration',
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      ...withoutEmptyFields(process.configuration),
    };
    return { status: 200, headers, body: JSON.stringify({ kubeletconfig }) };
  };
  return [{ path: '/configz', methods: 'any', metricPath: 'configz', handle }];
}

// Go's encoder omits these fields when they are 0 or false, because they are not pointers in Go's types.
const scalars: ReadonlySet<string> = new Set([
  ...['port', 'readOnlyPort', 'rotateCertificates', 'serverTLSBootstrap', 'registryBurst', 'eventBurst'],
  ...['enableContentionProfiling', 'nodeLeaseDurationSeconds', 'maxPods', 'runOnce', 'maxOpenFiles', 'kubeAPIBurst'],
  ...['evictionMaxPodGracePeriod', 'podsPerCore', 'protectKernelDefaults', 'kernelMemcgNotification', 'splitStream'],
]);

// Strings that Go's encoder shows even when they are empty: the first without omitempty, the second behind a pointer.
const shownEmpty: ReadonlySet<string> = new Set(['containerRuntimeEndpoint', 'resolvConf']);

// Omits empty fields as Go's encoder does. A structure whose fields are all empty stays.
function withoutEmptyFields(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      if (shownEmpty.has(name)) return [[name, field]];
      if (field === undefined || field === '' || (scalars.has(name) && (field === 0 || field === false))) return [];
      if (Array.isArray(field)) return field.length === 0 ? [] : [[name, field]];
      if (typeof field !== 'object' || field === null) return [[name, field]];
      return Object.keys(field).length === 0 ? [] : [[name, withoutEmptyFields(field)]];
    }),
  );
}
