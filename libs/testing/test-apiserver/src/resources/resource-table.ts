import type { ApiResource } from './api-resource.js';
import { builtInResources } from './built-in-resources.js';

/** Finds served resources by the parts of a path. */
export class ResourceTable {
  private readonly byPath = new Map<string, ApiResource>();

  constructor(readonly all: readonly ApiResource[] = builtInResources) {
    for (const resource of all) this.byPath.set(pathKey(resource.group, resource.version, resource.plural), resource);
  }

  find(group: string, version: string, plural: string): ApiResource | undefined {
    return this.byPath.get(pathKey(group, version, plural));
  }

  serves(group: string, version: string): boolean {
    return this.all.some((resource) => resource.group === group && resource.version === version);
  }

  /**
   * Finds a resource by plural and group in any version, for the server's own use. @throws Error when there is none.
   */
  get(plural: string, group = ''): ApiResource {
    const found = this.all.find((resource) => resource.plural === plural && resource.group === group);
    if (found === undefined) throw new Error(`no resource ${plural} in group "${group}"`);
    return found;
  }
}

function pathKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
