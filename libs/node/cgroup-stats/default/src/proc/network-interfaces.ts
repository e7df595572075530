import type { NetworkInterfaceSample } from '@podwright/cgroup-stats-interface';

// Source: google/cadvisor v0.56 container/libcontainer/handler.go ignoredDevicePrefixes.
const ignored = ['lo', 'veth', 'docker', 'nerdctl'];
const columns = 16;

/** Parses /proc/PID/net/dev. Undefined when any line is malformed: then no line can be trusted. */
export function parseNetworkInterfaces(text: string): readonly NetworkInterfaceSample[] | undefined {
  const interfaces: NetworkInterfaceSample[] = [];
  for (const line of text.split('\n').slice(2)) {
    if (line.trim() === '') continue;
    const colon = line.lastIndexOf(':');
    const name = line.slice(0, colon).trim();
    const numbers = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)
      .map(Number);
    if (colon < 0 || numbers.length !== columns || numbers.some(Number.isNaN)) return undefined;
    if (ignored.some((prefix) => name.toLowerCase().startsWith(prefix))) continue;
    const [rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0] = numbers;
    const [txBytes = 0, txPackets = 0, txErrors = 0, txDropped = 0] = numbers.slice(8);
    interfaces.push({ name, rxBytes, rxPackets, rxErrors, rxDropped, txBytes, txPackets, txErrors, txDropped });
  }
  return interfaces;
}
