import { always, list, object, pointer } from '../schema.js';
import { bool, int32, int64, intOrString, string } from '../scalars.js';
import {
  localReference,
  objectFieldSelector,
  resourceFieldSelector,
  resourceRequirements,
  securityProfile,
  seLinuxOptions,
  windowsOptions,
} from './references.js';

// Containers with their probes, environment and mounts. Source: kubernetes v1.36
// staging/src/k8s.io/api/core/v1/types.go.

const exec = object({ command: list(string) });
const httpGet = object({
  path: string,
  port: intOrString,
  host: string,
  scheme: string,
  httpHeaders: list(object({ name: always(string), value: always(string) })),
});
const tcpSocket = object({ port: intOrString, host: string });

const probe = object({
  exec,
  httpGet,
  tcpSocket,
  grpc: object({ port: always(int32), service: pointer(string) }),
  initialDelaySeconds: int32,
  timeoutSeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  failureThreshold: int32,
  terminationGracePeriodSeconds: pointer(int64),
});

const lifecycleHandler = object({ exec, httpGet, tcpSocket, sleep: object({ seconds: always(int64) }) });

const keySelector = object({ ...localReference, key: always(string), optional: pointer(bool) });
const envSource = object({ ...localReference, optional: pointer(bool) });
const env = object({
  name: always(string),
  value: string,
  valueFrom: object({
    fieldRef: objectFieldSelector,
    resourceFieldRef: resourceFieldSelector,
    configMapKeyRef: keySelector,
    secretKeyRef: keySelector,
    fileKeyRef: object({
      volumeName: always(string),
      path: always(string),
      key: always(string),
      optional: pointer(bool),
    }),
  }),
});

const securityContext = object({
  capabilities: object({ add: list(string), drop: list(string) }),
  privileged: pointer(bool),
  seLinuxOptions,
  windowsOptions,
  runAsUser: pointer(int64),
  runAsGroup: pointer(int64),
  runAsNonRoot: pointer(bool),
  readOnlyRootFilesystem: pointer(bool),
  allowPrivilegeEscalation: pointer(bool),
  procMount: pointer(string),
  seccompProfile: securityProfile,
  appArmorProfile: securityProfile,
});

const volumeMount = object({
  name: always(string),
  readOnly: bool,
  recursiveReadOnly: pointer(string),
  mountPath: always(string),
  subPath: string,
  mountPropagation: pointer(string),
  subPathExpr: string,
});

const containerFields = {
  name: always(string),
  image: string,
  command: list(string),
  args: list(string),
  workingDir: string,
  ports: list(
    object({ name: string, hostPort: int32, containerPort: always(int32), protocol: string, hostIP: string }),
  ),
  envFrom: list(object({ prefix: string, configMapRef: envSource, secretRef: envSource })),
  env: list(env),
  resources: always(resourceRequirements),
  resizePolicy: list(object({ resourceName: always(string), restartPolicy: always(string) })),
  restartPolicy: pointer(string),
  restartPolicyRules: list(object({ action: string, exitCodes: object({ operator: string, values: list(int32) }) })),
  volumeMounts: list(volumeMount),
  volumeDevices: list(object({ name: always(string), devicePath: always(string) })),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: object({ postStart: lifecycleHandler, preStop: lifecycleHandler, stopSignal: pointer(string) }),
  terminationMessagePath: string,
  terminationMessagePolicy: string,
  imagePullPolicy: string,
  securityContext,
  stdin: bool,
  stdinOnce: bool,
  tty: bool,
};

export const container = object(containerFields);
export const ephemeralContainer = object({ ...containerFields, targetContainerName: string });
