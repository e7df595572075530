import type { PluginResourceAdjustment, PluginResources } from '@podwright/admission-interface';
import { injectable } from 'tsyringe';
import { KeptInOrder } from './kept-in-order.js';

/** {@link PluginResources} in memory. */
@injectable()
export class ResourceAdjustments implements PluginResources {
  private readonly list = new KeptInOrder<PluginResourceAdjustment>();

  add(adjustment: PluginResourceAdjustment): () => void {
    return this.list.add(adjustment);
  }

  adjustments(): readonly PluginResourceAdjustment[] {
    return this.list.items();
  }
}

/** Makes one without a container. */
export function createPluginResources(): PluginResources {
  return new ResourceAdjustments();
}
