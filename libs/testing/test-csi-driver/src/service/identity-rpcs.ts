import type { DeepPartial } from '@podwright/protobuf-wire';
import {
  PluginCapability_Service_Type as services,
  PluginCapability_VolumeExpansion_Type as expansions,
  type GetPluginCapabilitiesResponse,
  type GetPluginInfoResponse,
  type ProbeResponse,
} from '../generated/identity.js';
import type { DriverSettings } from '../test-csi-driver-options.js';

/** The work of the Identity service, which sidecars and tools call. Each method is one RPC. */
export class IdentityRpcs {
  constructor(private readonly settings: Pick<DriverSettings, 'name' | 'topology' | 'capabilities'>) {}

  getPluginInfo(): Promise<DeepPartial<GetPluginInfoResponse>> {
    return Promise.resolve({ name: this.settings.name, vendorVersion: '0.1.0' });
  }

  getPluginCapabilities(): Promise<DeepPartial<GetPluginCapabilitiesResponse>> {
    const { topology, capabilities } = this.settings;
    return Promise.resolve({
      capabilities: [
        ...(Object.keys(topology).length > 0 ? [{ service: { type: services.VOLUME_ACCESSIBILITY_CONSTRAINTS } }] : []),
        ...(capabilities.includes('EXPAND_VOLUME') ? [{ volumeExpansion: { type: expansions.ONLINE } }] : []),
      ],
    });
  }

  probe(): Promise<DeepPartial<ProbeResponse>> {
    return Promise.resolve({ ready: { value: true } });
  }
}
