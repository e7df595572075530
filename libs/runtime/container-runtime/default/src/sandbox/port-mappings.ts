import { isIPv6 } from 'node:net';
import type { DeepPartial, PortMapping } from '@podwright/cri-client-interface';
import { Protocol } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

/**
 * Ports of the regular containers, each once per container. Source: kubernetes v1.36 pkg/kubelet/container/helpers.go
 * MakePortMappings.
 */
export function portMappings(pod: Pod): readonly DeepPartial<PortMapping>[] {
  return pod.spec.containers.flatMap(mappingsOf);
}

function mappingsOf(container: Container): DeepPartial<PortMapping>[] {
  const seen = new Set<string>();
  return (container.ports ?? []).flatMap(
    ({ name = '', protocol = 'TCP', hostIP = '', containerPort, hostPort = 0 }) => {
      // The same port may be mapped once per IP family.
      const family = hostIP === '' ? 'any' : isIPv6(hostIP) ? 'v6' : 'v4';
      const key = name === '' ? `${family}-${protocol}-${hostIP}:${containerPort}:${hostPort}` : name;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ protocol: protocolOf(protocol), containerPort, hostPort, hostIp: hostIP }];
    },
  );
}

function protocolOf(protocol: string): Protocol {
  if (protocol === 'UDP') return Protocol.UDP;
  return protocol === 'SCTP' ? Protocol.SCTP : Protocol.TCP;
}
