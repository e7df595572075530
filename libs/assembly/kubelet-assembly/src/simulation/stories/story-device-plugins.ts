import path from 'node:path';
import { CLOCK, defineModule, needs, type AnyModule } from '@podwright/assembly-interface';
import { DEVICE_PLUGIN_CONNECTOR, DEVICE_REGISTRATION } from '@podwright/device-manager';
import type { ConnectDevicePlugin, ServeDeviceRegistration } from '@podwright/device-manager';
import { KubeletError } from '@podwright/errors';
import type { Clock, VirtualClock } from '@podwright/time';
import { deviceResources, type DeviceResource } from './device-objects.js';
import { StoryDevicePlugin } from './story-device-plugin.js';

const registersAfterMs = 400;
const registersAgainAfterMs = 2_000;

const socketOf = (resource: DeviceResource): string => `${path.basename(resource)}.sock`;

/** A kubelet that takes registrations. */
interface Registrar extends Pick<Parameters<ServeDeviceRegistration>[0], 'directory' | 'register'> {
  readonly clock: Clock;
}

/** The device plugins of the machine: they outlive kubelets, and register with each. */
export class StoryDevicePlugins {
  private readonly plugins: ReadonlyMap<DeviceResource, StoryDevicePlugin>;
  private registrar: Registrar | undefined;

  constructor(private readonly clock: VirtualClock) {
    this.plugins = new Map(deviceResources.map((resource) => [resource, new StoryDevicePlugin(resource, clock)]));
  }

  /** Of each kubelet: in place of its socket, and of those of the plugins. */
  readonly module: AnyModule = defineModule({
    name: 'story-device-plugins',
    provides: { serve: DEVICE_REGISTRATION, connect: DEVICE_PLUGIN_CONNECTOR },
    needs: needs({ clock: CLOCK }),
    create: ({ clock }) => ({
      serve: this.servedBy(clock),
      connect: (async (socket) => this.behind(socket).connect(clock)) as ConnectDevicePlugin,
    }),
  });

  plugin(resource: DeviceResource): StoryDevicePlugin {
    const plugin = this.plugins.get(resource);
    if (plugin === undefined) throw new KubeletError(`there is no plugin of ${resource}`, { code: 'not-found' });
    return plugin;
  }

  /** Ends the process of a plugin. */
  leave(resource: DeviceResource): void {
    this.plugin(resource).leave();
  }

  /** Starts it again. */
  comeBack(resource: DeviceResource): void {
    this.plugin(resource).present = true;
    if (this.registrar !== undefined) this.registerSoon(resource, this.registrar);
  }

  reboot(): void {
    for (const { faults } of this.plugins.values()) faults.reboot();
  }

  heal(): void {
    for (const plugin of this.plugins.values()) plugin.heal();
  }

  private behind(socket: string): StoryDevicePlugin {
    const resource = deviceResources.find((each) => path.basename(socket) === socketOf(each));
    if (resource === undefined) throw new KubeletError(`${socket}: nobody serves there`, { code: 'unavailable' });
    return this.plugin(resource);
  }

  private servedBy(clock: Clock): ServeDeviceRegistration {
    return ({ directory, register }) => {
      const registrar: Registrar = { clock, directory, register };
      return {
        start: async () => {
          this.registrar = registrar;
          for (const resource of deviceResources) this.registerSoon(resource, registrar);
        },
        stop: () => {
          if (this.registrar === registrar) this.registrar = undefined;
        },
      };
    };
  }

  private registerSoon(resource: DeviceResource, registrar: Registrar, afterMs = registersAfterMs): void {
    const register = (): void => {
      const request = { version: 'v1beta1', endpoint: socketOf(resource), resourceName: resource, options: undefined };
      registrar.register(request, registrar.directory, new AbortController().signal).catch(() => {
        this.registerSoon(resource, registrar, registersAgainAfterMs);
      });
    };
    this.clock.setTimer(afterMs, () => {
      if (this.registrar !== registrar || !this.plugin(resource).present) return;
      // Of a kubelet that has died, the timers never fire.
      registrar.clock.setTimer(0, register);
    });
  }
}
