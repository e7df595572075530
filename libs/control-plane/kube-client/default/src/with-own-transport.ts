import type { Lifecycle } from '@podwright/assembly-interface';
import type { KubeClient } from '@podwright/kube-client-interface';

/** The client, whose stop also stops the transport. The transport must be started. */
export function withOwnTransport(client: KubeClient, transport: Lifecycle): KubeClient {
  const stop = async (): Promise<void> => {
    await client.stop();
    await transport.stop();
  };
  return new Proxy(client, {
    get: (target, name): unknown => {
      if (name === 'stop') return stop;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
