import type { Container, LifecycleHandler, Probe } from '@podwright/kube-types';
import { httpHeaderName, portName, portNumber } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateNonNegative } from './numbers.js';

const probeNames = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Validates the probes of a regular container or a sidecar. */
export function validateProbes(container: Container, path: string, errors: FieldErrors): void {
  for (const name of probeNames) {
    const probe = container[name];
    if (probe === undefined) continue;
    const field = `${path}.${name}`;
    validateProbe(probe, field, errors);
    if (name !== 'readinessProbe') {
      if ((probe.successThreshold ?? 1) !== 1)
        errors.invalid(`${field}.successThreshold`, probe.successThreshold, 'must be 1');
    } else if (probe.terminationGracePeriodSeconds !== undefined) {
      errors.invalid(
        `${field}.terminationGracePeriodSeconds`,
        probe.terminationGracePeriodSeconds,
        'must not be set for readinessProbes',
      );
    }
  }
}

/** Rejects probes and lifecycle hooks: an init container that is no sidecar may have none. */
export function forbidProbesAndHooks(container: Container, path: string, detail: string, errors: FieldErrors): void {
  for (const name of ['lifecycle', ...probeNames] as const) {
    if (container[name] !== undefined) errors.forbidden(`${path}.${name}`, detail);
  }
}

export function validateLifecycle(container: Container, path: string, graceSeconds: number, errors: FieldErrors): void {
  for (const name of ['postStart', 'preStop'] as const) {
    const handler = container.lifecycle?.[name];
    if (handler === undefined) continue;
    validateHandler(handler, `${path}.lifecycle.${name}`, errors);
    const seconds = handler.sleep?.seconds;
    if (seconds !== undefined && (seconds < 0 || seconds > graceSeconds)) {
      errors.invalid(
        `${path}.lifecycle.${name}.sleep`,
        seconds,
        `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`,
      );
    }
  }
}

function validateProbe(probe: Probe, field: string, errors: FieldErrors): void {
  validateHandler(probe, field, errors);
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    validateNonNegative(probe[name], `${field}.${name}`, errors);
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  }
}

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<LifecycleHandler, 'sleep'>;

/** Validates a handler, which must have exactly one type; rejects all types but the first. */
function validateHandler(handler: Handler, path: string, errors: FieldErrors): void {
  const { exec, httpGet, tcpSocket, grpc } = handler;
  const given = (['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const).filter(
    (name) => handler[name] !== undefined,
  );
  if (given.length === 0) errors.required(path, 'must specify a handler type');
  for (const name of given.slice(1)) errors.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type');
  if (exec && (exec.command ?? []).length === 0) errors.required(`${path}.exec.command`);
  if (tcpSocket) validatePort(tcpSocket.port, `${path}.tcpSocket.port`, errors);
  if (grpc) validatePort(grpc.port, `${path}.grpc.port`, errors);
  if (!httpGet) return;
  if (!httpGet.path) errors.required(`${path}.httpGet.path`);
  validatePort(httpGet.port, `${path}.httpGet.port`, errors);
  errors.oneOf(`${path}.httpGet.scheme`, httpGet.scheme, ['HTTP', 'HTTPS']);
  (httpGet.httpHeaders ?? []).forEach(({ name }) => {
    errors.rule(`${path}.httpGet.httpHeaders`, name, httpHeaderName(name));
  });
}

function validatePort(port: unknown, field: string, errors: FieldErrors): void {
  if (typeof port === 'string') errors.rule(field, port, portName(port));
  else errors.rule(field, port, portNumber(typeof port === 'number' ? port : 0));
}
