import { booleanField, defineConfig, listField, stringField } from '@podwright/assembly-interface';
import type { ConfigField } from '@podwright/assembly-interface';

export interface LocalContainerEnvironmentConfig {
  /** Root directory of the kubelet; pod directories are below `pods`. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Value of `spec.nodeName` for pods that have none. Default empty. */
  readonly nodeName: string;
  /**
   * Addresses of `--node-ip`, `0.0.0.0` and `::` included. The family of the first one comes first in `status.podIPs`;
   * a pod that resolves names through the node asks the loopback address of each family. Default none, which means
   * IPv4.
   */
  readonly nodeIps: readonly string[];
  /** Name servers of the cluster. Default none: pods use those of the node. */
  readonly clusterDns: readonly string[];
  /** Domain of the cluster, such as `cluster.local`. Default empty. */
  readonly clusterDomain: string;
  /**
   * Resolver file of the node. When it is empty, pods that use the node's settings ask the node's loopback address.
   * Default `/etc/resolv.conf`.
   */
  readonly resolvConf: string;
  /** Hosts file of the node; host-network pods get a copy. Default `/etc/hosts`. */
  readonly hostsFile: string;
  /** Feature gate HostnameOverride: `spec.hostnameOverride` takes effect. Default true. */
  readonly hostnameOverride: boolean;
  /** Feature gate EnvFiles: variables may come from files in volumes (`fileKeyRef`). Default true. */
  readonly envFiles: boolean;
}

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

export const localContainerEnvironmentConfigSchema = defineConfig<LocalContainerEnvironmentConfig>({
  rootDir: absolutePath('/var/lib/kubelet'),
  nodeName: stringField(''),
  nodeIps: listField([]),
  clusterDns: listField([]),
  clusterDomain: stringField(''),
  resolvConf: stringField('/etc/resolv.conf'),
  hostsFile: absolutePath('/etc/hosts'),
  hostnameOverride: booleanField(true),
  envFiles: booleanField(true),
});
