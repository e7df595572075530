import type { Container } from '@podwright/kube-types';
import { portName, portNumber } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

const protocols = ['SCTP', 'TCP', 'UDP'];

export function validatePorts(container: Container, path: string, hostNetwork: boolean, errors: FieldErrors): void {
  const names = new Set<string>();
  (container.ports ?? []).forEach((port, index) => {
    const field = `${path}.ports[${index}]`;
    if (port.name) {
      errors.rule(`${field}.name`, port.name, portName(port.name));
      if (names.has(port.name)) errors.duplicate(`${field}.name`, port.name);
      names.add(port.name);
    }
    if (!port.containerPort) errors.required(`${field}.containerPort`);
    else errors.rule(`${field}.containerPort`, port.containerPort, portNumber(port.containerPort));
    if (port.hostPort) {
      errors.rule(`${field}.hostPort`, port.hostPort, portNumber(port.hostPort));
      if (hostNetwork && port.hostPort !== port.containerPort) {
        errors.invalid(`${field}.hostPort`, port.hostPort, 'must match `containerPort` when `hostNetwork` is true');
      }
    }
    if (!port.protocol) errors.required(`${field}.protocol`);
    else errors.oneOf(`${field}.protocol`, port.protocol, protocols);
  });
}

/** Reports containers that run together and use the same host port. `path` is the container's field path. */
export function validateHostPortConflicts(
  containers: readonly (readonly [path: string, container: Container])[],
  errors: FieldErrors,
): void {
  const taken = new Set<string>();
  for (const [path, container] of containers) {
    (container.ports ?? []).forEach((port, index) => {
      if (!port.hostPort) return;
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) errors.duplicate(`${path}.ports[${index}].hostPort`, key);
      taken.add(key);
    });
  }
}
