import { booleanField, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface PluginDeviceManagerConfig {
  /** Directory of the sockets of the plugins and the kubelet, and of the checkpoint. */
  readonly directory: string;
  /**
   * Another directory of sockets: plugins may register there, too, when it exists at the start and no other kubelet serves
   * it. Empty: none.
   */
  readonly secondDirectory: string;
  /** How long the node's capacity keeps the resource of a plugin that is gone. */
  readonly stopGraceMs: number;
  readonly dialTimeoutMs: number;
  readonly preStartTimeoutMs: number;
  /** How long admission waits for a plugin's answer. After that, only the pod's containers wait, at their start. */
  readonly admissionPatienceMs: number;
  /** How long the start of a container waits for such an answer before it fails and is retried. */
  readonly startPatienceMs: number;
  /** false: container statuses do not report device health. Gate ResourceHealthStatus. */
  readonly resourceHealthStatus: boolean;
  /** false: a resource of a plugin is allocated even if a claim serves it. Gate DRAExtendedResource. */
  readonly extendedResources: boolean;
}

// Source: kubernetes v1.36 staging/src/k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1/constants.go,
// pkg/kubelet/cm/devicemanager/types.go.
export const pluginDeviceManagerConfigSchema = defineConfig<PluginDeviceManagerConfig>({
  directory: stringField('/var/lib/kubelet/device-plugins'),
  secondDirectory: stringField(''),
  stopGraceMs: integerField(300_000, { min: 0 }),
  dialTimeoutMs: integerField(10_000, { min: 1 }),
  preStartTimeoutMs: integerField(30_000, { min: 1 }),
  admissionPatienceMs: integerField(10_000, { min: 1 }),
  startPatienceMs: integerField(30_000, { min: 1 }),
  resourceHealthStatus: booleanField(true),
  extendedResources: booleanField(true),
});
