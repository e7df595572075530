import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import type { PluginHandler, RegisteredPlugin } from '@podwright/plugin-watcher-interface';
import { supportedServices, type DraService } from './dra-driver-client.js';
import type { DraDrivers } from './dra-drivers.js';

/** Registers plugins of type `DRAPlugin`; their versions are names of gRPC services. */
export function draPluginHandler(drivers: Pick<DraDrivers, 'add' | 'remove'>): PluginHandler {
  return {
    validate: async (plugin) => void chooseService(plugin),
    register: async (plugin) => drivers.add(plugin.name, plugin.endpoint, chooseService(plugin)),
    deregister: async ({ name, endpoint }) => drivers.remove(name, endpoint),
  };
}

/**
 * The first of the plugin's services that this kubelet calls. Source: kubernetes v1.36
 * pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go validateSupportedServices.
 */
export function chooseService({ name, endpoint, versions }: RegisteredPlugin): DraService {
  const chosen = versions.find((version): version is DraService =>
    supportedServices.some((supported) => supported === version),
  );
  if (chosen !== undefined) return chosen;
  const problem =
    versions.length === 0
      ? 'empty list of supported gRPC services (aka supported versions)'
      : `none of services supported by the plugin (${quoted(versions)}) are supported by the kubelet (${quoted(supportedServices)})`;
  const message = `invalid supported gRPC versions of DRA driver plugin ${name} at endpoint ${endpoint}: ${problem}`;
  throw new KubeletError(message, { code: 'invalid-argument' });
}

const quoted = (names: readonly string[]): string => `[${names.map(goQuote).join(' ')}]`;
