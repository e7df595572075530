import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { PluginConnection } from '@podwright/grpc';
import type { PluginHandler, RegisteredPlugin } from '@podwright/plugin-watcher-interface';
import type { Clock } from '@podwright/time';
import type { DirectoryPluginWatcherConfig } from './directory-watcher-config.js';
import { registrationMethods as methods } from './generated/client-codecs.js';

/** A registered plugin with its handler. */
export interface TakenPlugin {
  readonly plugin: RegisteredPlugin;
  readonly handler: PluginHandler;
}

export interface RegisterPluginDeps {
  readonly clock: Clock;
  readonly handlerOf: (type: string) => PluginHandler | undefined;
  /** A missing handler may still be added, so the plugin is not told that there is none. */
  readonly handlersMayCome: boolean;
  readonly config: Pick<DirectoryPluginWatcherConfig, 'dialTimeoutMs' | 'getInfoTimeoutMs' | 'notifyTimeoutMs'>;
}

/**
 * Asks the plugin on the socket for its info, registers it with the handler of its type and notifies the plugin of the
 * result. Rejects with upstream's text; with code `unavailable` when a handler may still come.
 * Source: kubernetes v1.36 pkg/kubelet/pluginmanager/operationexecutor/operation_generator.go.
 */
export async function registerPlugin(
  socket: string,
  { clock, handlerOf, handlersMayCome, config }: RegisterPluginDeps,
  signal: AbortSignal,
): Promise<TakenPlugin> {
  const connection = await PluginConnection.open(socket, {
    ...{ clock, signal },
    connectTimeoutMs: config.dialTimeoutMs,
  }).catch((error: unknown) => {
    const cause = messageOf(error);
    throw failed(`dial failed at socket ${socket}, err: failed to dial socket ${socket}, err: ${cause}`, error);
  });
  const notify = (error: string): Promise<unknown> =>
    connection.unary(
      methods.notifyRegistrationStatus,
      { pluginRegistered: error === '', error },
      { timeoutMs: config.notifyTimeoutMs, signal },
    );
  const refuse = async (problem: string, cause?: unknown): Promise<never> => {
    const refusal = failed(problem, cause);
    await notify(refusal.message).catch((error: unknown) => {
      throw failed(`failed to send error at socket ${socket}, err: ${refusal.message}: ${rpcErrorText(error)}`, error);
    });
    throw refusal;
  };
  try {
    const info = await connection
      .unary(methods.getInfo, {}, { timeoutMs: config.getInfoTimeoutMs, signal })
      .catch((error: unknown) => {
        const problem = `failed to get plugin info using RPC GetInfo at socket ${socket}, err: ${rpcErrorText(error)}`;
        throw failed(problem, error);
      });
    const handler = handlerOf(info.type);
    if (handler === undefined) {
      const problem = `no handler registered for plugin type: ${info.type} at socket ${socket}`;
      if (handlersMayCome) throw new KubeletError(`RegisterPlugin error -- ${problem} yet`, { code: 'unavailable' });
      return await refuse(problem);
    }
    const plugin: RegisteredPlugin = {
      name: info.name,
      endpoint: info.endpoint === '' ? socket : info.endpoint,
      versions: info.supportedVersions,
    };
    await handler
      .validate(plugin, signal)
      .catch((error: unknown) => refuse(`plugin validation failed with err: ${messageOf(error)}`, error));
    await handler
      .register(plugin, signal)
      .catch((error: unknown) => refuse(`plugin registration failed with err: ${messageOf(error)}`, error));
    // Only after the registration: a plugin that cannot be notified is deregistered again.
    await notify('').catch(async (error: unknown) => {
      await handler.deregister(plugin, signal);
      throw failed(`failed to send registration status at socket ${socket}, err: : ${rpcErrorText(error)}`, error);
    });
    return { plugin, handler };
  } finally {
    connection.close();
  }
}

function failed(problem: string, cause?: unknown): KubeletError {
  return new KubeletError(`RegisterPlugin error -- ${problem}`, { code: 'failed-precondition', cause });
}
