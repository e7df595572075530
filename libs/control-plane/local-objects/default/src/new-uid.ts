import type { Random } from '@podwright/time';

/** A random UUID, as the API server gives one to each new object (RFC 9562, version 4). */
export function newUid(random: Random): string {
  const hex = random.hex(16);
  const variant = ((parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    '-',
  );
}
