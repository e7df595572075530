import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import type { Controller } from '../controller.js';
import { claimAllocator } from './claim-allocator.js';
import { claimReleaser } from './claim-releaser.js';
import { claimTemplates } from './claim-templates.js';
import { extendedResourceClaims } from './extended-resource-claims.js';

/** What a cluster does for resource claims before the node has its turn, and after. */
export function resourceClaimControllers(context: ServerContext, registry: ObjectRegistry): readonly Controller[] {
  return [claimTemplates, extendedResourceClaims, claimAllocator, claimReleaser].map((make) => make(context, registry));
}
