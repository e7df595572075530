import type { Configuration, Flags } from './load-configuration.js';
import type { NodeFacts } from './node-facts.js';

const str = (v: unknown, d: string): string => (typeof v === 'string' ? v : d);
const num = (v: unknown, d: number): number => (typeof v === 'number' ? v : d);
export function moduleOptions(c: Configuration, flags: Flags, facts: NodeFacts): Readonly<Record<string, unknown>> {
  return {
    '@podwright/events': { nodeName: facts.nodeName },
    '@podwright/cgroup': { cgroupRoot: str(c['cgroupRoot'], '/') },
    '@podwright/cri-client': { runtimeEndpoint: str(c['containerRuntimeEndpoint'], 'unix:///run/containerd/containerd.sock') },
    '@podwright/container-runtime': { rootDir: flags.rootDir, podLogsDir: str(c['podLogsDir'], '/var/log/pods'), cgroupVersion: facts.cgroupVersion, nodeMemoryBytes: facts.memoryBytes, maxConcurrentStarts: facts.cores * 2 },
    '@podwright/container-environment': { rootDir: flags.rootDir, nodeName: facts.nodeName, nodeIps: facts.nodeIps },
    '@podwright/container-gc': { podLogsDir: str(c['podLogsDir'], '/var/log/pods') },
    '@podwright/volume': { rootDir: flags.rootDir },
    '@podwright/pod-sync': { rootDir: flags.rootDir, nodeIps: facts.nodeIps },
    '@podwright/pod-config': { nodeName: facts.nodeName, staticPodPath: str(c['staticPodPath'], '') },
    '@podwright/server': { address: str(c['address'], '0.0.0.0'), readOnlyPort: num(c['readOnlyPort'], 0), healthzPort: num(c['healthzPort'], 10248) },
  };
}
