import { tokenId, type AssemblyReport } from '@podwright/assembly-interface';
import { criClientModule, socketPathOf, type CriClientConfig } from '@podwright/cri-client';
import { messageOf } from '@podwright/errors';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { configurationFault, serverAuthModule, type DelegatingServerAuthConfig } from '@podwright/server-auth';

/**
 * Faults that only show when a manager is constructed or started, as far as they can be found without that: one
 * sentence each, with the kubelet's own text. The assembly must have no other faults.
 */
export function startFaults(report: AssemblyReport): readonly string[] {
  return [...endpointFaults(report), ...serverAuthFaults(report)];
}

function endpointFaults({ config }: AssemblyReport): readonly string[] {
  const client = config[criClientModule.name] as CriClientConfig | undefined;
  if (client === undefined) return [];
  try {
    socketPathOf(client.runtimeEndpoint);
    socketPathOf(client.imageEndpoint || client.runtimeEndpoint);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function serverAuthFaults({ config, graph }: AssemblyReport): readonly string[] {
  const { name } = serverAuthModule;
  const auth = config[name] as DelegatingServerAuthConfig | undefined;
  if (auth === undefined) return [];
  const hasClient = graph.edges.some(({ from, token }) => from === name && token === tokenId(KUBE_CLIENT));
  const fault = configurationFault(auth, hasClient);
  return fault === undefined ? [] : [fault];
}
