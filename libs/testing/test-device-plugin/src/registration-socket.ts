import { rm } from 'node:fs/promises';
import { SocketServer } from '@podwright/grpc';
import type { PluginInfo, RegistrationStatus } from '@podwright/plugin-watcher-interface';
import { registrationMethods } from './generated/registration-server-codecs.js';

export interface RegistrationSocketOptions {
  /** Path of the socket, in `<root>/plugins_registry` or a folder below it. */
  readonly socket: string;
  /** The answer to GetInfo; a promise may delay it, or reject. */
  readonly info: PluginInfo | (() => PluginInfo | Promise<PluginInfo>);
  /** Called with each registration status; when it rejects, the kubelet gets the error. */
  readonly notified?: (status: RegistrationStatus) => void | Promise<void>;
}

/**
 * The registration socket of a plugin, which the kubelet's plugin watcher finds. `statuses` are those from the kubelet.
 */
export class RegistrationSocket {
  readonly statuses: RegistrationStatus[] = [];
  private readonly server: SocketServer;

  constructor({ socket, info, notified }: RegistrationSocketOptions) {
    this.server = new SocketServer(socket);
    this.server.unary(registrationMethods.getInfo, () => (typeof info === 'function' ? info() : info));
    this.server.unary(registrationMethods.notifyRegistrationStatus, async (status) => {
      this.statuses.push(status);
      await notified?.(status);
      return {};
    });
  }

  listen(): Promise<void> {
    return this.server.listen();
  }

  /** Ends all calls and removes the socket; `keepSocket` leaves the dead socket in place. */
  async close({ keepSocket = false }: { readonly keepSocket?: boolean } = {}): Promise<void> {
    this.server.close();
    if (!keepSocket) await rm(this.server.socket, { force: true });
  }
}
