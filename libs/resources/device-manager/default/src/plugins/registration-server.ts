import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Empty, RegisterRequest } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { isSocketServed, SocketServer } from '@podwright/grpc';
import type { Logger } from '@podwright/logging';
import { registrationMethods } from '../generated/server-codecs.js';

export interface RegistrationServerOptions {
  /** Of the sockets of the plugins and the kubelet. */
  readonly directory: string;
  /** Plugins may register here, too, when it exists and no other kubelet serves it; empty: no such directory. */
  readonly secondDirectory: string;
  readonly logger: Logger;
  /**
   * The plugin receives a rejection as the error of its call. `directory` has the plugin's socket. `signal` aborts when the
   * plugin stops waiting.
   */
  readonly register: (request: RegisterRequest, directory: string, signal: AbortSignal) => Promise<void>;
}

/** Takes the registrations of plugins between its start and its stop. */
export type ServeDeviceRegistration = (
  options: RegistrationServerOptions,
) => Pick<Lifecycle, 'start'> & { stop(): void };

/** Optional: without it plugins register on the kubelet's socket. */
export const DEVICE_REGISTRATION = createToken<ServeDeviceRegistration>('kubelet.device-manager.registration/v1');

const socketName = 'kubelet.sock';
// Enough for a registration, which is four short texts.
const maxRequestBytes = 64 * 1024;

/**
 * The socket where device plugins register. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/plugin/v1beta1/server.go.
 */
export class RegistrationServer {
  private servers: SocketServer[] = [];

  constructor(private readonly options: RegistrationServerOptions) {}

  async start(): Promise<void> {
    const { directory, secondDirectory, logger } = this.options;
    await mkdir(directory, { recursive: true, mode: 0o750 }).catch((error: unknown) => refuse(directory, error));
    await this.serve(directory);
    if (secondDirectory === '' || secondDirectory === directory || !(await isFree(secondDirectory))) return;
    await this.serve(secondDirectory).catch((error: unknown) => logger.warn(messageOf(error)));
  }

  stop(): void {
    for (const server of this.servers.splice(0)) server.close();
  }

  /**
   * Removes all sockets in the directory: a plugin that watches it sees the kubelet's new socket and registers again.
   * None when another kubelet serves the directory: that one still needs them.
   */
  private async serve(directory: string): Promise<void> {
    try {
      if (await isSocketServed(path.join(directory, socketName))) {
        throw new KubeletError('another kubelet serves it: stop that kubelet', { code: 'failed-precondition' });
      }
      for (const name of await readdir(directory)) await this.removeSocket(path.join(directory, name));
      const server = new SocketServer(path.join(directory, socketName), { maxRequestBytes });
      server.unary(registrationMethods.register, (request, call) => this.answer(request, directory, call));
      await server.listen();
      this.servers.push(server);
    } catch (error) {
      refuse(directory, error);
    }
  }

  private async answer(
    request: RegisterRequest,
    directory: string,
    call: ServerUnaryCall<RegisterRequest, Empty>,
  ): Promise<Empty> {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort(new KubeletError('the plugin has gone', { code: 'cancelled' })));
    try {
      await this.options.register(request, directory, gone.signal);
      return {};
    } catch (error) {
      const { resourceName, endpoint } = request;
      this.options.logger.error('Registration of a device plugin failed', { resourceName, endpoint, error });
      throw error;
    }
  }

  private async removeSocket(file: string): Promise<void> {
    const entry = await stat(file).catch((error: unknown) => {
      this.options.logger.error('Failed to stat file', { file, error });
      return undefined;
    });
    if (entry?.isSocket() === true) await rm(file, { force: true });
  }
}

function refuse(directory: string, cause: unknown): never {
  const socket = path.join(directory, socketName);
  const problem = `cannot serve the registration of device plugins on ${socket}: ${messageOf(cause)}`;
  throw new KubeletError(problem, { code: 'unavailable', cause });
}

/** Whether the directory is there, and nobody listens on its socket: a kubelet that is busy or stopped keeps it. */
async function isFree(directory: string): Promise<boolean> {
  const found = await stat(directory).catch((error: NodeJS.ErrnoException) => error.code);
  if (typeof found !== 'object' || !found.isDirectory()) return false;
  return !(await isSocketServed(path.join(directory, socketName)));
}
