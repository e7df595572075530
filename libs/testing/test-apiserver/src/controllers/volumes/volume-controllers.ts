import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import type { Controller } from '../controller.js';
import { claimBinder } from './claim-binder.js';
import { claimResizer } from './claim-resizer.js';
import { ephemeralClaims } from './ephemeral-claims.js';
import { volumeAttacher } from './volume-attacher.js';

/** What a cluster does for volumes before the node has its turn. */
export function volumeControllers(context: ServerContext, registry: ObjectRegistry): readonly Controller[] {
  return [ephemeralClaims, claimBinder, claimResizer, volumeAttacher].map((make) => make(context, registry));
}
