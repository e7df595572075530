import type { FeatureGates, KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Which endpoints the server has. */
export function endpointOptions(
  configuration: KubeletConfiguration,
  rootDir: string,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  return {
    rootDir,
    enableDebuggingHandlers: configuration.enableDebuggingHandlers,
    enableSystemLogHandler: configuration.enableSystemLogHandler,
    enableSystemLogQuery: configuration.enableSystemLogQuery && featureGates.enabled('NodeLogQuery'),
    enableProfilingHandler: configuration.enableProfilingHandler,
    enableDebugFlagsHandler: configuration.enableDebugFlagsHandler,
    containerCheckpoint: featureGates.enabled('ContainerCheckpoint'),
    splitLogStreams: featureGates.enabled('PodLogsQuerySplitStreams'),
    flagz: featureGates.enabled('ComponentFlagz'),
    statusz: featureGates.enabled('ComponentStatusz'),
  };
}
