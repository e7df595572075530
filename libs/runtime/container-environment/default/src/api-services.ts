import type { Lifecycle } from '@podwright/assembly-interface';
import type { ServiceAddress, ServiceSource } from '@podwright/container-environment-interface';
import { KUBE_CLIENT, services, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { Service } from '@podwright/kube-types';
import { inject, injectable } from 'tsyringe';

const masterNamespace = 'default';

/**
 * {@link ServiceSource} that watches all services of the cluster and keeps what goes into variables. Services without an
 * address stay away already at the server. Source: kubernetes v1.36 pkg/kubelet/kubelet.go NewMainKubelet, serviceLister.
 */
@injectable()
export class ApiServices implements ServiceSource, Lifecycle {
  private readonly informer: Informer<Service>;

  constructor(@inject(KUBE_CLIENT) client: Pick<KubeClient, 'inform'>) {
    this.informer = client.inform(services, { fieldSelector: 'spec.clusterIP!=None', transform: addressOnly });
  }

  /** Does not wait for the first list: the API server may be a static pod that this kubelet has to start. */
  async start(): Promise<void> {
    this.informer.start();
  }

  stop(): Promise<void> {
    return this.informer.stop();
  }

  list(namespace: string): readonly ServiceAddress[] {
    const found = this.informer.list().filter(({ metadata }) => {
      return metadata?.namespace === namespace || metadata?.namespace === masterNamespace;
    });
    return found.map(addressOf);
  }

  hasSynced(): boolean {
    return this.informer.hasSynced();
  }
}

/** Thousands of services are watched by each node. */
function addressOnly({ metadata, spec }: Service): Service {
  const { namespace = '', name = '', resourceVersion } = metadata ?? {};
  const { clusterIP = '', ports = [] } = spec ?? {};
  return {
    metadata: { namespace, name, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { clusterIP, ports: ports.map(portOnly) },
  };
}

function portOnly({ name, port, protocol }: ServicePort): ServicePort {
  return { port, ...(name !== undefined && { name }), ...(protocol !== undefined && { protocol }) };
}

type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

function addressOf({ metadata, spec }: Service): ServiceAddress {
  const ports = (spec?.ports ?? []).map(({ name, port, protocol = '' }) => ({
    port,
    protocol,
    ...(name !== undefined && { name }),
  }));
  const { name = '', namespace = '' } = metadata ?? {};
  return { name, namespace, clusterIp: spec?.clusterIP ?? '', ports };
}

/** Makes one without a container. */
export function createApiServices(client: Pick<KubeClient, 'inform'>): ApiServices {
  return new ApiServices(client);
}
