import type { NodeExpandRequest, VolumePlugin } from '@podwright/volume-interface';

/** A volume that may have to grow on the node. */
export interface ExpansionRequest extends Omit<NodeExpandRequest, 'oldBytes' | 'newBytes'> {
  readonly plugin: Pick<VolumePlugin, 'expandable'>;
  /** Unique name of the volume. */
  readonly volumeName: string;
}

/**
 * `done`: nothing is left to do; `bytes` is the size that the volume has now, where that is known. `wait`: the resize
 * controller has not come to the node's part yet; try again later. `in-use`: the volume cannot grow while it is in use;
 * do not try again before it is mounted anew.
 */
export type Expansion =
  | { readonly status: 'done'; readonly bytes?: number }
  | { readonly status: 'wait' }
  | { readonly status: 'in-use' };
