import { needs, optional, pick, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import type { ServiceAddress, ServiceSource } from '@podwright/container-environment-interface';
import { KUBE_CLIENT, services, type Informer } from '@podwright/kube-client-interface';
import { OFFLINE_OBJECTS, type OfflineRef } from '@podwright/offline-objects-interface';
import type { Service } from '@podwright/kube-types';

const masterNamespace = 'default';

export const apiServicesNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
  /** With it, pods start with the services of before while the API server cannot be reached. */
  offline: optional(OFFLINE_OBJECTS),
});

const savedList: OfflineRef = { kind: 'ServiceList', namespace: '', name: '' };
interface SavedList {
  readonly items: readonly Service[];
}

/**
 * {@link ServiceSource} that watches every service of the cluster and keeps only what environment variables need. A
 * field selector makes the API server leave out headless services. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * NewMainKubelet, serviceLister.
 */
export class ApiServices implements ServiceSource, Lifecycle {
  private readonly informer: Informer<Service>;
  private readonly stopping = new AbortController();
  /** In place of the first list. */
  private saved: readonly Service[] | undefined;

  constructor(private readonly deps: Needs<typeof apiServicesNeeds>) {
    this.informer = deps.client.inform(services, { fieldSelector: 'spec.clusterIP!=None', transform: addressOnly });
  }

  /** Does not wait for the first list: the API server may be a static pod that this kubelet has to start. */
  async start(): Promise<void> {
    this.informer.start();
    void this.useSaved();
  }

  stop(): Promise<void> {
    this.stopping.abort();
    return this.informer.stop();
  }

  list(namespace: string): readonly ServiceAddress[] {
    const found = this.services().filter(({ metadata }) => {
      return metadata?.namespace === namespace || metadata?.namespace === masterNamespace;
    });
    return found.map(addressOf);
  }

  hasSynced(): boolean {
    return this.informer.hasSynced() || this.saved !== undefined;
  }

  private services(): readonly Service[] {
    return this.informer.hasSynced() ? this.informer.list() : (this.saved ?? []);
  }

  private async useSaved(): Promise<void> {
    const { offline } = this.deps;
    if (offline === undefined) return;
    this.informer.watch(() => {
      if (this.informer.hasSynced()) offline.keep(savedList, () => ({ items: this.informer.list() }));
    });
    if (!(await offline.away((signal) => this.informer.synced(signal), this.stopping.signal))) return;
    const copy = await offline.get<SavedList>(savedList);
    if (copy === undefined) return;
    offline.use([copy]);
    this.saved = copy.object.items;
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
