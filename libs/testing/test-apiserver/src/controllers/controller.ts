import type { StoreEvent } from '../store/collection-history.js';

/** Does the server's own work after a write. Called in the order of the events, once the writer is through. */
export type Controller = (event: StoreEvent) => void;
