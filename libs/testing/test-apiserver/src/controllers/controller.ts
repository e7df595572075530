import type { StoreEvent } from '../store/collection-history.js';

/** One controller of the server. Called for each write, in order, after the writer has finished. */
export type Controller = (event: StoreEvent) => void;
