import type { KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Options of the kubelet's own ports. */
export function serverOptions(configuration: KubeletConfiguration): Readonly<Record<string, unknown>> {
  return {
    enabled: configuration.enableServer,
    address: configuration.address,
    port: configuration.port,
    readOnlyPort: configuration.readOnlyPort,
    healthzBindAddress: configuration.healthzBindAddress,
    healthzPort: configuration.healthzPort,
    tlsMinVersion: configuration.tlsMinVersion,
    tlsCipherSuites: configuration.tlsCipherSuites,
    tlsCurvePreferences: configuration.tlsCurvePreferences,
  };
}
