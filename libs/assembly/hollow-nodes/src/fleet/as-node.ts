import type { KubeTransport } from '@podwright/kube-client-interface';

/**
 * The same connection in the name of a node, `system:node:NAME` in the group `system:nodes`: the API server then lets it
 * do what a kubelet may do, and no more. The connection's own user needs the right to impersonate.
 */
export function asNode(transport: KubeTransport, nodeName: string): KubeTransport {
  const identity = { 'impersonate-user': `system:node:${nodeName}`, 'impersonate-group': 'system:nodes' };
  return {
    server: transport.server,
    start: () => transport.start(),
    stop: () => transport.stop(),
    closeConnections: (which) => transport.closeConnections(which),
    reloadCredentials: () => transport.reloadCredentials(),
    send: (request, signal) => transport.send({ ...request, headers: { ...request.headers, ...identity } }, signal),
  };
}
