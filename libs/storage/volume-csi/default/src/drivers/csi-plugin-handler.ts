import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { RegisteredNode } from '@podwright/node-status-interface';
import type { PluginHandler, RegisteredPlugin } from '@podwright/plugin-watcher-interface';
import type { Clock } from '@podwright/time';
import type { CsiClients } from '../client/csi-client.js';
import { csiOperation } from '../client/csi-operation.js';
import { csiText } from '../csi-text.js';
import type { NodeInfo } from '../csi-node/node-info.js';
import { whenRegistered } from '../csi-node/when-registered.js';
import type { DriverStore } from './driver-store.js';
import { highestSupportedVersion, isLowerVersion } from './supported-version.js';

export interface CsiPluginHandlerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly drivers: DriverStore;
  readonly clients: CsiClients;
  readonly nodeInfo: Pick<NodeInfo, 'install' | 'uninstall'>;
  readonly node: Pick<RegisteredNode, 'current' | 'watch'>;
  /** Called when the driver of this name has been registered or has gone. */
  readonly changed: (driver: string) => void;
}

// As the API server checks names in CSINode: they become parts of paths. Source: kubernetes v1.36
// pkg/apis/storage/validation/validation.go ValidateCSIDriverName.
const longestName = 63;
const driverName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/i;

/**
 * Registers CSI drivers whose socket the plugin watcher has found. Source: kubernetes v1.36
 * pkg/volume/csi/csi_plugin.go RegistrationHandler.
 */
export class CsiPluginHandler implements PluginHandler {
  constructor(private readonly deps: CsiPluginHandlerDeps) {}

  async validate({ name, endpoint, versions }: RegisteredPlugin): Promise<void> {
    try {
      if (name.length > longestName || !driverName.test(name))
        throw problem(`${JSON.stringify(name.slice(0, 2 * longestName))} is no name of a CSI driver`);
      this.usableVersion('ValidatePlugin', name, versions);
    } catch (error) {
      const message = `validation failed for CSI Driver ${name.slice(0, 2 * longestName)} at endpoint ${endpoint}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
    }
  }

  async register({ name, endpoint, versions }: RegisteredPlugin, signal: AbortSignal): Promise<void> {
    const { clock, clients, drivers, nodeInfo, node, changed } = this.deps;
    const version = this.usableVersion('RegisterPlugin', name, versions);
    drivers.set({ name, endpoint, version });
    try {
      const info = await csiOperation(clock, signal, async (operation) => {
        const answer = await clients.of(name).nodeGetInfo(operation);
        // The sidecar of a driver ends when the registration fails, so a node that is still being registered is waited for.
        await whenRegistered(node, operation.signal);
        return answer;
      });
      await nodeInfo.install(name, info, signal);
    } catch (error) {
      // A kubelet that stops leaves the driver's entry for its next start.
      if (!signal.aborted) await this.undo(name, signal);
      throw error;
    }
    changed(name);
  }

  async deregister({ name, endpoint }: RegisteredPlugin, signal: AbortSignal): Promise<void> {
    // A newer driver of this name has taken over on another socket.
    if (this.deps.drivers.get(name)?.endpoint !== endpoint) return;
    try {
      await this.unregister(name, signal);
    } finally {
      this.deps.changed(name);
    }
  }

  private async undo(name: string, signal: AbortSignal): Promise<void> {
    const message = 'RegisterPlugin failed to unregister plugin due to previous error';
    await this.unregister(name, signal).catch((error: unknown) =>
      this.deps.logger.error(message, { driver: name, error }),
    );
  }

  private async unregister(name: string, signal: AbortSignal): Promise<void> {
    this.deps.drivers.delete(name);
    try {
      await this.deps.nodeInfo.uninstall(name, signal);
    } catch (error) {
      throw problem(`Error uninstalling CSI driver: ${messageOf(error)}`, KubeletError.from(error));
    }
  }

  private usableVersion(caller: string, name: string, versions: readonly string[]): string {
    const failed = `${caller} for CSI driver ${JSON.stringify(name)} failed.`;
    if (versions.length === 0) throw problem(`${failed} Plugin returned an empty list for supported versions`);
    let version: string;
    try {
      version = highestSupportedVersion(versions);
    } catch (error) {
      const quoted = versions.map((text) => JSON.stringify(text)).join(' ');
      const why = `None of the versions specified [${quoted}] are supported. err=${messageOf(error)}`;
      throw problem(`${failed} ${why}`, KubeletError.from(error));
    }
    const existing = this.deps.drivers.get(name);
    if (existing !== undefined && !isLowerVersion(existing.version, version)) {
      const higher = JSON.stringify(existing.version);
      throw problem(
        `${failed} Another driver with the same name is already registered with a higher supported version: ${higher}`,
      );
    }
    return version;
  }
}

function problem(message: string, cause?: KubeletError): KubeletError {
  return new KubeletError(csiText(message), { code: cause?.code ?? 'invalid-argument', cause });
}
