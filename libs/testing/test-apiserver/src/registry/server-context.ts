import type { Clock, Random } from '@podwright/time';
import type { ResourceTable } from '../resources/resource-table.js';
import type { ObjectStore } from '../store/object-store.js';

/** What all parts of the server share. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: ObjectStore;
  readonly table: ResourceTable;
}
