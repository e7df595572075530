import type { ServiceAddress } from '@podwright/container-environment-interface';
import { ipFamily } from '@podwright/kube-types';

const masterService = 'kubernetes';
const masterNamespace = 'default';

/**
 * Variables through which containers find services: `<NAME>_SERVICE_HOST`, `<NAME>_SERVICE_PORT` and those of Docker
 * links. A pod with `enableServiceLinks: false` gets only those of the master service. Services without an address are
 * left out. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go getServiceEnvVarMap, pkg/kubelet/envvars/envvars.go.
 */
export function serviceVariables(
  services: readonly ServiceAddress[],
  namespace: string,
  enableServiceLinks: boolean,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const service of visibleServices(services, namespace, enableServiceLinks)) addVariables(service, variables);
  return variables;
}

/** Services by name: one in the pod's own namespace hides the master service of the same name. */
function visibleServices(
  services: readonly ServiceAddress[],
  namespace: string,
  enableServiceLinks: boolean,
): Iterable<ServiceAddress> {
  const byName = new Map<string, ServiceAddress>();
  for (const service of services) {
    if (service.clusterIp === '' || service.clusterIp === 'None') continue;
    if (service.namespace === masterNamespace && service.name === masterService) {
      if (!byName.has(service.name)) byName.set(service.name, service);
    } else if (service.namespace === namespace && enableServiceLinks) {
      byName.set(service.name, service);
    }
  }
  return byName.values();
}

function addVariables({ name, clusterIp, ports }: ServiceAddress, variables: Map<string, string>): void {
  const [first] = ports;
  if (first === undefined) return;
  const prefix = variableName(name);
  variables.set(`${prefix}_SERVICE_HOST`, clusterIp);
  variables.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const { name: portName = '', port } of ports) {
    if (portName !== '') variables.set(`${prefix}_SERVICE_PORT_${variableName(portName)}`, String(port));
  }
  variables.set(`${prefix}_PORT`, url(clusterIp, first));
  for (const port of ports) {
    const portPrefix = `${prefix}_PORT_${port.port}_${protocolOf(port).toUpperCase()}`;
    variables.set(portPrefix, url(clusterIp, port));
    variables.set(`${portPrefix}_PROTO`, protocolOf(port).toLowerCase());
    variables.set(`${portPrefix}_PORT`, String(port.port));
    variables.set(`${portPrefix}_ADDR`, clusterIp);
  }
}

type Port = ServiceAddress['ports'][number];

function protocolOf({ protocol }: Port): string {
  return protocol === '' ? 'TCP' : protocol;
}

function url(clusterIp: string, port: Port): string {
  const host = ipFamily(clusterIp) === 6 ? `[${clusterIp}]` : clusterIp;
  return `${protocolOf(port).toLowerCase()}://${host}:${port.port}`;
}

function variableName(text: string): string {
  return text.replaceAll('-', '_').toUpperCase();
}
