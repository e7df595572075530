import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { consoleModule } from '@podwright/console';
import { containerLogsRoutesModule } from '@podwright/container-logs';
import { containerRuntimeRoutesModule } from '@podwright/container-runtime';
import { nodeLogsModule } from '@podwright/node-logs';
import { profilingModule } from '@podwright/profiling';
import { serverModule } from '@podwright/server';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options of the kubelet's ports and their endpoints. */
export function serverOptions({ configuration, flags, gates, facts }: NodeSettings): readonly ConfiguredModule[] {
  const server = configure(serverModule, {
    enabled: configuration.enableServer,
    address: configuration.address,
    port: configuration.port,
    readOnlyPort: configuration.readOnlyPort,
    healthzBindAddress: configuration.healthzBindAddress,
    healthzPort: configuration.healthzPort,
    tlsMinVersion: configuration.tlsMinVersion,
    tlsCipherSuites: configuration.tlsCipherSuites,
    tlsCurvePreferences: configuration.tlsCurvePreferences,
    enableDebuggingHandlers: configuration.enableDebuggingHandlers,
    enableDebugFlagsHandler: configuration.enableDebugFlagsHandler,
  });
  const nodeLogs = configure(nodeLogsModule, {
    enabled: configuration.enableSystemLogHandler,
    enableQuery: configuration.enableSystemLogQuery && gates.nodeLogQuery,
  });
  const profiling = configure(profilingModule, { enabled: configuration.enableProfilingHandler });
  const runtimeRoutes = configure(containerRuntimeRoutesModule, { rootDir: path.resolve(flags.rootDir) });
  const console = configure(consoleModule, {
    address: flags.consoleAddress,
    rootDir: path.resolve(flags.rootDir),
    nodeName: facts.nodeName,
  });
  return [server, nodeLogs, profiling, configure(containerLogsRoutesModule, {}), runtimeRoutes, console];
}
