import type { Random } from '@podwright/time';

/** A version 4 UUID from the server's random source. */
export function newUid(random: Random): string {
  const hex = random.hex(16);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
