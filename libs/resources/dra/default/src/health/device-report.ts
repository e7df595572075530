import { HealthStatus, type DeviceHealth } from '@podwright/dra-interface';

export type ReportedHealth = 'Healthy' | 'Unhealthy' | 'Unknown';

/** What a driver reported of one device. */
export interface DeviceReport {
  readonly poolName: string;
  readonly deviceName: string;
  readonly health: ReportedHealth;
  readonly message: string;
  /** How long the report is believed. */
  readonly timeoutMs: number;
}

// Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go DefaultHealthTimeout, pkg/apis/core/v1 ResourceHealth.
export const defaultTimeoutMs = 30_000;
const longestMessageBytes = 1024;

/** The plugin's own time stamp is ignored, as upstream does: clocks differ. */
export function deviceReport({ device, health, healthCheckTimeoutSeconds, message }: DeviceHealth): DeviceReport {
  return {
    poolName: device?.poolName ?? '',
    deviceName: device?.deviceName ?? '',
    health: healthOf(health),
    message: shortened(message),
    timeoutMs: healthCheckTimeoutSeconds > 0n ? Number(healthCheckTimeoutSeconds) * 1000 : defaultTimeoutMs,
  };
}

function healthOf(status: HealthStatus): ReportedHealth {
  if (status === HealthStatus.HEALTHY) return 'Healthy';
  return status === HealthStatus.UNHEALTHY ? 'Unhealthy' : 'Unknown';
}

function shortened(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= longestMessageBytes) return message;
  return `${bytes.subarray(0, longestMessageBytes - 3).toString()}...`;
}
