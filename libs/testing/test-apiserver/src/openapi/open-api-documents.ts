import { createHash } from 'node:crypto';
import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import type { ResourceTable } from '../resources/resource-table.js';
import { serverVersion } from '../http/non-resource-paths.js';
import { apiTypeName } from './api-type.js';
import { operationsOf } from './operations.js';
import { schemaName, schemasOf, type Schema, type SchemaPlace } from './type-schema.js';

/**
 * The server's OpenAPI documents: version 3 per API group and version, version 2 in one document. They have the types
 * in api-types.ts without descriptions, which is enough for kubectl's validation, patches and `explain`.
 */
export class OpenApiDocuments {
  private readonly documents = new Map<string, string>();

  constructor(private readonly table: ResourceTable) {}

  /** The answer of `/openapi/v3`: the paths of the documents, with hashes for caches. */
  index(): unknown {
    const places = [...this.groupVersions().keys()].map((place) => {
      const hash = createHash('sha512')
        .update(this.document(place) ?? '')
        .digest('hex')
        .toUpperCase();
      return [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` }] as const;
    });
    return { paths: Object.fromEntries(places) };
  }

  /** The document of `api/v1` or `apis/apps/v1` as JSON; undefined when there is none. */
  document(place: string): string | undefined {
    const known = this.documents.get(place);
    if (known !== undefined) return known;
    const resources = this.groupVersions().get(place);
    if (resources === undefined) return undefined;
    const text = JSON.stringify({
      openapi: '3.0.0',
      info,
      paths: pathsOf(resources, 3),
      components: { schemas: schemas(resources, '#/components/schemas/') },
    });
    this.documents.set(place, text);
    return text;
  }

  /** The answer of `/openapi/v2`, as JSON. */
  swagger(): unknown {
    const { all } = this.table;
    return { swagger: '2.0', info, paths: pathsOf(all, 2), definitions: schemas(all, '#/definitions/') };
  }

  private groupVersions(): ReadonlyMap<string, readonly ApiResource[]> {
    const found = new Map<string, ApiResource[]>();
    for (const resource of this.table.all) {
      const place = `${resource.group === '' ? 'api' : 'apis'}/${groupVersion(resource)}`;
      found.set(place, [...(found.get(place) ?? []), resource]);
    }
    return found;
  }
}

const info = { title: 'Kubernetes', version: serverVersion.gitVersion };
const deleteOptions = 'meta.v1.DeleteOptions';

function pathsOf(resources: readonly ApiResource[], version: 2 | 3): Schema {
  return Object.fromEntries(resources.flatMap((resource) => operationsOf(resource, version)));
}

function schemas(resources: readonly ApiResource[], place: SchemaPlace): Schema {
  const kinds = new Map<string, readonly Schema[]>();
  for (const { group, version, kind } of resources) {
    kinds.set(apiTypeName(group, version, kind), [{ group, version, kind }]);
  }
  const lists = resources.filter(({ virtual }) => !virtual).map((resource) => listSchema(resource, place));
  return {
    ...schemasOf([...kinds.keys(), deleteOptions, 'meta.v1.ListMeta'], place, kinds),
    ...Object.fromEntries(lists),
    [patchSchemaName]: { type: 'object' },
  };
}

/** The schema of the body of any PATCH. */
const patchSchemaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

function listSchema({ group, version, kind }: ApiResource, place: SchemaPlace): readonly [string, Schema] {
  const name = schemaName(apiTypeName(group, version, kind));
  const item = { $ref: place + name };
  const schema = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: place === '#/definitions/' ? item : { allOf: [item], default: {} } },
      kind: { type: 'string' },
      metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: `${kind}List` }],
  };
  return [`${name}List`, schema];
}
