import { booleanField, createToken, defineConfig, listField, stringField } from '@podwright/assembly-interface';
import type { ConfigField } from '@podwright/assembly-interface';

export interface LocalContainerEnvironmentConfig {
  /** Where the kubelet keeps its files; pods are below `pods`. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Value of `spec.nodeName` for pods that have none. Default empty. */
  readonly nodeName: string;
  /**
   * Those of `--node-ip`, also `0.0.0.0` or `::`: the family of the first goes first in `status.podIPs`, and pods that ask the
   * node for names ask at its local address of each. Default none: IPv4.
   */
  readonly nodeIps: readonly string[];
  /** Name servers of the cluster. Default none: pods get those of the node. */
  readonly clusterDns: readonly string[];
  /** Domain of the cluster, such as `cluster.local`. Default empty. */
  readonly clusterDomain: string;
  /** Resolver file of the node; empty: pods that use the node's settings ask the node itself. Default `/etc/resolv.conf`. */
  readonly resolvConf: string;
  /** Hosts file of the node, copied for host-network pods. Default `/etc/hosts`. */
  readonly hostsFile: string;
  /** Feature gate HostnameOverride: `spec.hostnameOverride` is used. Default true. */
  readonly hostnameOverride: boolean;
  /** Feature gate EnvFiles: variables may come from files in volumes (`fileKeyRef`). Default true. */
  readonly envFiles: boolean;
}

export const LOCAL_CONTAINER_ENVIRONMENT_CONFIG = createToken<LocalContainerEnvironmentConfig>(
  'kubelet.local-container-environment.config/v1',
);

function absolutePath(fallback: string): ConfigField<string> {
  const text = stringField(fallback);
  return {
    decode: (value, field) => {
      const result = text.decode(value, field);
      if (!result.ok || result.value.startsWith('/')) return result;
      return { ok: false, faults: [{ field, value, problem: 'must be an absolute path' }] };
    },
  };
}

export const localContainerEnvironmentConfigSchema = defineConfig<LocalContainerEnvironmentConfig>(
  LOCAL_CONTAINER_ENVIRONMENT_CONFIG,
  {
    rootDir: absolutePath('/var/lib/kubelet'),
    nodeName: stringField(''),
    nodeIps: listField([]),
    clusterDns: listField([]),
    clusterDomain: stringField(''),
    resolvConf: stringField('/etc/resolv.conf'),
    hostsFile: absolutePath('/etc/hosts'),
    hostnameOverride: booleanField(true),
    envFiles: booleanField(true),
  },
);
