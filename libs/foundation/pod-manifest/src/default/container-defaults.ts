import type { Container, EnvVar, EphemeralContainer, LifecycleHandler, Probe } from '@podwright/kube-types';
import { parseImageReference } from '@podwright/kube-types';
import { requestsFromLimits, roundRequirements } from './resource-defaults.js';

const defaultTerminationMessagePath = '/dev/termination-log';

/**
 * The default pull policy: `Always` for the tag `latest`, which may change, else `IfNotPresent`, even for an invalid
 * name.
 */
export function defaultPullPolicy(image: string | undefined): 'Always' | 'IfNotPresent' {
  const reference = parseImageReference(image ?? '');
  return 'tag' in reference && reference.tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Sets the defaults of a regular or init container. */
export function defaultContainer(container: Container): Container {
  return { ...defaultCommon(container), resources: requestsFromLimits(container.resources) };
}

/** Sets the defaults of an ephemeral container. It gets no requests, because it may have no resources. */
export function defaultEphemeralContainer(container: EphemeralContainer): EphemeralContainer {
  return {
    ...defaultCommon(container),
    ...(container.resources && { resources: roundRequirements(container.resources) }),
  };
}

function defaultCommon<T extends Container | EphemeralContainer>(container: T): T {
  const { ports, env, lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return {
    ...container,
    ...(ports && { ports: ports.map((port) => ({ ...port, protocol: port.protocol || 'TCP' })) }),
    ...(env && { env: env.map(defaultEnv) }),
    ...(livenessProbe && { livenessProbe: defaultProbe(livenessProbe) }),
    ...(readinessProbe && { readinessProbe: defaultProbe(readinessProbe) }),
    ...(startupProbe && { startupProbe: defaultProbe(startupProbe) }),
    ...(lifecycle && {
      lifecycle: {
        ...lifecycle,
        ...(lifecycle.postStart && { postStart: defaultHandler(lifecycle.postStart) }),
        ...(lifecycle.preStop && { preStop: defaultHandler(lifecycle.preStop) }),
      },
    }),
    imagePullPolicy: container.imagePullPolicy || defaultPullPolicy(container.image),
    terminationMessagePath: container.terminationMessagePath || defaultTerminationMessagePath,
    terminationMessagePolicy: container.terminationMessagePolicy || 'File',
  };
}

/** Sets each missing host port to the container port: on the host's network they are the same. */
export function hostPortsFromContainerPorts(container: Container): Container {
  if (container.ports === undefined) return container;
  return {
    ...container,
    ports: container.ports.map((port) => ({ ...port, hostPort: port.hostPort || port.containerPort })),
  };
}

function defaultEnv(env: EnvVar): EnvVar {
  const { valueFrom } = env;
  if (valueFrom === undefined) return env;
  const { fieldRef, fileKeyRef } = valueFrom;
  return {
    ...env,
    valueFrom: {
      ...valueFrom,
      ...(fieldRef && { fieldRef: { ...fieldRef, apiVersion: fieldRef.apiVersion || 'v1' } }),
      ...(fileKeyRef && { fileKeyRef: { ...fileKeyRef, optional: fileKeyRef.optional ?? false } }),
    },
  };
}

function defaultProbe(probe: Probe): Probe {
  return {
    ...probe,
    ...defaultHttpGet(probe),
    ...(probe.grpc && { grpc: { ...probe.grpc, service: probe.grpc.service ?? '' } }),
    timeoutSeconds: probe.timeoutSeconds || 1,
    periodSeconds: probe.periodSeconds || 10,
    successThreshold: probe.successThreshold || 1,
    failureThreshold: probe.failureThreshold || 3,
  };
}

function defaultHandler(handler: LifecycleHandler): LifecycleHandler {
  return { ...handler, ...defaultHttpGet(handler) };
}

function defaultHttpGet({ httpGet }: Pick<LifecycleHandler, 'httpGet'>): Pick<LifecycleHandler, 'httpGet'> {
  return httpGet ? { httpGet: { ...httpGet, path: httpGet.path || '/', scheme: httpGet.scheme || 'HTTP' } } : {};
}
