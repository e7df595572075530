import type { KubeletProcess } from '@podwright/server-interface';
import type { Route } from '../route.js';

const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

/** `/configz`: the configuration in effect. Source: kubernetes v1.36 staging/src/k8s.io/component-base/configz. */
export function configzRoutes(process: Pick<KubeletProcess, 'configuration'>): readonly Route[] {
  const handle: Route['handle'] = () => {
    const kubeletconfig = {
      kind: 'KubeletConfiguration',
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      ...process.configuration,
    };
    return { status: 200, headers, body: JSON.stringify({ kubeletconfig }) };
  };
  return [{ path: '/configz', methods: 'any', metricPath: 'configz', handle }];
}
