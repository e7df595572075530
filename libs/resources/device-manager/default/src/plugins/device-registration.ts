import { KubeletError } from '@podwright/errors';
import { isExtendedResource } from '@podwright/kube-types';
import type { PluginHandler } from '@podwright/plugin-watcher-interface';
import type { PluginEndpoints } from './plugin-endpoints.js';

const version = 'v1beta1';
const invalidName = (resource: string): string => `the ResourceName "${resource}" is invalid`;

/** Throws upstream's text when the plugin speaks another version or serves a resource that it may not. */
export function checkRegistration(requested: string, resource: string): void {
  if (requested !== version)
    throw refused(
      `requested API version "${requested}" is not supported by kubelet. Supported version is ["${version}"]`,
    );
  if (!isExtendedResource(resource)) throw refused(invalidName(resource));
}

/**
 * Handles device plugins that the plugin watcher found by their socket. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/plugin/v1beta1/handler.go.
 */
export function devicePluginHandler(endpoints: Pick<PluginEndpoints, 'connect' | 'disconnect'>): PluginHandler {
  return {
    validate: async ({ name, versions }) => {
      if (!versions.includes(version)) {
        throw refused(`manager version, ${version}, is not among plugin supported versions [${versions.join(' ')}]`);
      }
      if (!isExtendedResource(name)) throw refused(`invalid name of device plugin socket: ${invalidName(name)}`);
    },
    register: ({ name, endpoint }, signal) => endpoints.connect(name, endpoint, signal),
    deregister: async ({ name }) => endpoints.disconnect(name),
  };
}

function refused(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
