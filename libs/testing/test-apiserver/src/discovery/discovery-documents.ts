import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import type { ResourceTable } from '../resources/resource-table.js';
import { subresourceKind } from './subresource-kinds.js';

const objectVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/**
 * The discovery documents: groups, versions and resources. Source: kubernetes v1.36 apiserver/pkg/endpoints/discovery.
 */
export class DiscoveryDocuments {
  constructor(private readonly table: ResourceTable) {}

  /** `/api`, and `/apis` with the groups. */
  coreVersions(serverAddress: string): unknown {
    return {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
    };
  }

  groups(): unknown {
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: this.groupNames().map((group) => this.groupBody(group)) };
  }

  /** `/apis/<group>`; undefined when there is none. */
  group(group: string): unknown {
    if (!this.groupNames().includes(group)) return undefined;
    return { kind: 'APIGroup', apiVersion: 'v1', ...this.groupBody(group) };
  }

  /** `/api/v1` or `/apis/<group>/<version>`; undefined when there is none. */
  resources(group: string, version: string): unknown {
    const served = this.of(group, version);
    if (served.length === 0) return undefined;
    return {
      kind: 'APIResourceList',
      ...(group !== '' && { apiVersion: 'v1' }),
      groupVersion: groupVersion({ group, version }),
      resources: served.flatMap((resource) => [
        {
          name: resource.plural,
          singularName: resource.singular,
          namespaced: resource.namespaced,
          kind: resource.kind,
          verbs: verbsOf(resource),
          ...named(resource),
        },
        ...resource.subresources.map((subresource) => {
          const { kind, verbs, ...own } = subresourceKind(resource, subresource);
          const gv = own.group === undefined ? {} : { group: own.group, version: own.version };
          return {
            name: `${resource.plural}/${subresource}`,
            singularName: '',
            namespaced: resource.namespaced,
            ...gv,
            kind,
            verbs,
          };
        }),
      ]),
    };
  }

  /** Aggregated discovery (`apidiscovery.k8s.io/v2`) of the core group (`/api`) or of all other groups (`/apis`). */
  aggregated(core: boolean): unknown {
    const groups = core ? [''] : this.groupNames();
    return {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: groups.map((group) => ({
        metadata: group === '' ? {} : { name: group },
        versions: this.versions(group).map((version) => ({
          version,
          resources: this.of(group, version).map(aggregatedResource),
          freshness: 'Current',
        })),
      })),
    };
  }

  private groupBody(group: string): object {
    const versions = this.versions(group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
    return { name: group, versions, preferredVersion: versions[0] };
  }

  private groupNames(): readonly string[] {
    return [...new Set(this.table.all.map(({ group }) => group))].filter((group) => group !== '').sort();
  }

  private versions(group: string): readonly string[] {
    return [...new Set(this.table.all.filter((resource) => resource.group === group).map(({ version }) => version))];
  }

  private of(group: string, version: string): readonly ApiResource[] {
    return this.table.all.filter((resource) => resource.group === group && resource.version === version);
  }
}

function verbsOf({ virtual }: ApiResource): readonly string[] {
  return virtual ? ['create'] : objectVerbs;
}

function named({ shortNames, categories }: ApiResource): object {
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

function aggregatedResource(resource: ApiResource): unknown {
  const { plural, singular, kind, namespaced, subresources } = resource;
  return {
    resource: plural,
    // Empty group and version mean those of the resource.
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...named(resource),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => {
        const { kind: ownKind, verbs, group = '', version = '' } = subresourceKind(resource, subresource);
        return { subresource, responseKind: { group, version, kind: ownKind }, verbs };
      }),
    }),
  };
}
