import type { PluginInfo, RegistrationStatus } from '@podwright/plugin-watcher-interface';
import { registrationMethods } from './generated/registration-server-codecs.js';
import { SocketServer } from './socket-server.js';

export interface RegistrationSocketOptions {
  /** In `<root>/plugins_registry` or a folder below it. */
  readonly socket: string;
  /** What it says of itself; a promise may take its time, or reject. */
  readonly info: PluginInfo | (() => PluginInfo | Promise<PluginInfo>);
  /** Called with each outcome; a rejection is what the kubelet gets. */
  readonly notified?: (status: RegistrationStatus) => void | Promise<void>;
}

/** The socket by which a plugin is found. `statuses` are the outcomes that it was told. */
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

  close(options: { readonly keepSocket?: boolean } = {}): Promise<void> {
    return this.server.close(options);
  }
}
