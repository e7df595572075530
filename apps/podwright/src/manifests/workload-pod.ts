import { isJsonObject, type JsonObject } from '@podwright/kube-types';

/** A pod that stands for a workload, with what the user should know about it. */
export interface WorkloadPod {
  readonly pod: JsonObject;
  readonly warnings: readonly string[];
}

/** The workloads that become one pod each, and their API groups. */
export const workloads: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
};

/**
 * The pod of a Deployment, DaemonSet or Job of one replica, named `NAME-pod` as `podman kube play` names it, with the
 * labels and annotations of the template. Returns a fault as text. Source: podman pkg/domain/infra/abi/play.go
 * playKubeDeployment, playKubeDaemonSet, playKubeJob.
 */
export function workloadPod(workload: JsonObject): WorkloadPod | string {
  const kind = String(workload.kind);
  const { name, namespace } = record(workload.metadata);
  const spec = record(workload.spec);
  const template = record(spec.template);
  if (typeof name !== 'string' || name === '') return `${kind} has no name`;
  if (!isJsonObject(template.spec)) return `${kind} ${JSON.stringify(name)}: spec.template.spec: Required value`;
  const fault =
    restartFault(kind, template.spec.restartPolicy) ??
    (spec.replicas === 0 ? 'spec.replicas is 0: there is nothing to run' : undefined);
  if (fault !== undefined) return `${kind} ${JSON.stringify(name)}: ${fault}`;
  const { labels, annotations } = record(template.metadata);
  const metadata = {
    name: `${name}-pod`,
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
  const several = ['replicas', 'parallelism', 'completions'].filter((field) => Number(spec[field] ?? 1) > 1);
  return {
    pod: { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec },
    warnings: several.map(
      (field) => `${kind} ${JSON.stringify(name)}: spec.${field} is ${String(spec[field])}, but one pod is run`,
    ),
  };
}

/** The rules of the API server for the templates of workloads. */
function restartFault(kind: string, policy: unknown): string | undefined {
  const field = 'spec.template.spec.restartPolicy';
  if (kind !== 'Job') {
    return policy === undefined || policy === 'Always'
      ? undefined
      : `${field}: Unsupported value: ${JSON.stringify(policy)}: supported values: "Always"`;
  }
  if (policy === undefined) return `${field}: Required value: valid values: "OnFailure", "Never"`;
  return policy === 'OnFailure' || policy === 'Never'
    ? undefined
    : `${field}: Unsupported value: ${JSON.stringify(policy)}: supported values: "OnFailure", "Never"`;
}

function record(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
