import { isSidecar, type Container, type Pod } from '@podwright/kube-types';

/** One port of the host. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const anyIp = '0.0.0.0';

/**
 * Host ports that the pod's regular containers and sidecars use. Source: kubernetes v1.36 pkg/scheduler/util/utils.go
 * GetHostPorts.
 */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  const containers: readonly Container[] = [
    ...pod.spec.containers,
    ...(pod.spec.initContainers ?? []).filter(isSidecar),
  ];
  return containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ ip: hostIP || anyIp, protocol: protocol || 'TCP', port: hostPort }] : [],
    ),
  );
}

/**
 * Host ports in use. As upstream, 0.0.0.0 conflicts with every address, any other address (even `::`) only with itself.
 */
export class HostPortTable {
  private readonly addresses = new Map<string, Set<string>>();

  add({ ip, protocol, port }: HostPort): void {
    const key = `${protocol} ${port}`;
    const known = this.addresses.get(key);
    if (known === undefined) this.addresses.set(key, new Set([ip]));
    else known.add(ip);
  }

  /** Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/framework HostPortInfo.CheckConflict. */
  conflictsWith({ ip, protocol, port }: HostPort): boolean {
    const used = this.addresses.get(`${protocol} ${port}`);
    return used !== undefined && (ip === anyIp || used.has(anyIp) || used.has(ip));
  }
}
