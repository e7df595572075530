import { booleanField, createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface PluginDeviceManagerConfig {
  /** Folder of the sockets of plugins and kubelet, and of the checkpoint. */
  readonly directory: string;
  /** How long the resource of a plugin that is gone still counts in the node's capacity. */
  readonly stopGraceMs: number;
  readonly dialTimeoutMs: number;
  readonly preStartTimeoutMs: number;
  /** A plugin that has not answered by then is waited for by its pod alone, no more by admission. */
  readonly admissionPatienceMs: number;
  /** The start of a container waits no longer for such an answer, and is tried again. */
  readonly startPatienceMs: number;
  /** false: containers show no health of their devices. Gate ResourceHealthStatus. */
  readonly resourceHealthStatus: boolean;
}

export const PLUGIN_DEVICE_MANAGER_CONFIG = createToken<PluginDeviceManagerConfig>('kubelet.device-manager.config/v1');

// Source: kubernetes v1.36 staging/src/k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1/constants.go, pkg/kubelet/cm/devicemanager/types.go.
export const pluginDeviceManagerConfigSchema = defineConfig<PluginDeviceManagerConfig>(PLUGIN_DEVICE_MANAGER_CONFIG, {
  directory: stringField('/var/lib/kubelet/device-plugins'),
  stopGraceMs: integerField(300_000, { min: 0 }),
  dialTimeoutMs: integerField(10_000, { min: 1 }),
  preStartTimeoutMs: integerField(30_000, { min: 1 }),
  admissionPatienceMs: integerField(10_000, { min: 1 }),
  startPatienceMs: integerField(30_000, { min: 1 }),
  resourceHealthStatus: booleanField(true),
});
