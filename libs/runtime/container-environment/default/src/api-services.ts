import { needs, pick, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import type { ServiceAddress, ServiceSource } from '@podwright/container-environment-interface';
import { KUBE_CLIENT, services, type Informer } from '@podwright/kube-client-interface';
import type { Service } from '@podwright/kube-types';

const masterNamespace = 'default';

export const apiServicesNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
});

/**
 * {@link ServiceSource} that watches every service of the cluster and keeps only what environment variables need. A
 * field selector makes the API server leave out headless services. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * NewMainKubelet, serviceLister.
 */
export class ApiServices implements ServiceSource, Lifecycle {
  private readonly informer: Informer<Service>;

  constructor(deps: Needs<typeof apiServicesNeeds>) {
    this.informer = deps.client.inform(services, { fieldSelector: 'spec.clusterIP!=None', transform: addressOnly });
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

/** Every node watches all services, often thousands: the rest of each object would only hold memory. */
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
