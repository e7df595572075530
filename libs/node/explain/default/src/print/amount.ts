import { bytes } from './span.js';

/** A quantity of a resource: bytes with a unit, inodes and process IDs as numbers. */
export function amount({ resource }: { readonly resource: string }, quantity: number): string {
  const isCount = resource === 'inodes' || resource === 'pids';
  return isCount ? String(Math.round(quantity)) : bytes(quantity);
}
