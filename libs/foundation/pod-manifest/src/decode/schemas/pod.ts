import { always, list, object, pointer } from '../schema.js';
import { bool, int32, int64, quantities, string, strings } from '../scalars.js';
import { container, ephemeralContainer } from './container.js';
import { listMeta, objectMeta } from './metadata.js';
import { podStatus } from './pod-status.js';
import {
  localObjectReference,
  resourceRequirements,
  securityProfile,
  seLinuxOptions,
  windowsOptions,
} from './references.js';
import { affinity, toleration, topologySpreadConstraint } from './scheduling.js';
import { volume } from './volume.js';

// Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

const securityContext = object({
  seLinuxOptions,
  windowsOptions,
  runAsUser: pointer(int64),
  runAsGroup: pointer(int64),
  runAsNonRoot: pointer(bool),
  supplementalGroups: list(int64),
  supplementalGroupsPolicy: pointer(string),
  fsGroup: pointer(int64),
  sysctls: list(object({ name: always(string), value: always(string) })),
  fsGroupChangePolicy: pointer(string),
  seccompProfile: securityProfile,
  appArmorProfile: securityProfile,
  seLinuxChangePolicy: pointer(string),
});

const dnsConfig = object({
  nameservers: list(string),
  searches: list(string),
  options: list(object({ name: string, value: pointer(string) })),
});

export const podSpec = object({
  volumes: list(volume),
  initContainers: list(container),
  containers: always(list(container)),
  ephemeralContainers: list(ephemeralContainer),
  restartPolicy: string,
  terminationGracePeriodSeconds: pointer(int64),
  activeDeadlineSeconds: pointer(int64),
  dnsPolicy: string,
  nodeSelector: strings,
  serviceAccountName: string,
  serviceAccount: string,
  automountServiceAccountToken: pointer(bool),
  nodeName: string,
  hostNetwork: bool,
  hostPID: bool,
  hostIPC: bool,
  shareProcessNamespace: pointer(bool),
  securityContext,
  imagePullSecrets: list(localObjectReference),
  hostname: string,
  subdomain: string,
  affinity,
  schedulerName: string,
  tolerations: list(toleration),
  hostAliases: list(object({ ip: always(string), hostnames: list(string) })),
  priorityClassName: string,
  priority: pointer(int32),
  dnsConfig,
  readinessGates: list(object({ conditionType: always(string) })),
  runtimeClassName: pointer(string),
  enableServiceLinks: pointer(bool),
  preemptionPolicy: pointer(string),
  overhead: quantities,
  topologySpreadConstraints: list(topologySpreadConstraint),
  setHostnameAsFQDN: pointer(bool),
  os: object({ name: always(string) }),
  hostUsers: pointer(bool),
  schedulingGates: list(object({ name: always(string) })),
  resourceClaims: list(
    object({
      name: always(string),
      resourceClaimName: pointer(string),
      resourceClaimTemplateName: pointer(string),
    }),
  ),
  resources: resourceRequirements,
  hostnameOverride: pointer(string),
  schedulingGroup: object({ podGroupName: pointer(string) }),
});

export const pod = object({
  apiVersion: string,
  kind: string,
  metadata: always(objectMeta),
  spec: always(podSpec),
  status: podStatus,
});

export const podList = object({ apiVersion: string, kind: string, metadata: listMeta, items: always(list(pod)) });
