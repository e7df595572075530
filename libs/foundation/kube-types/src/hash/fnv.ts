/** 32-bit FNV-1a hash as an unsigned number; text is hashed as UTF-8. Same as Go's hash/fnv New32a. */
export function fnv1a32(input: string | Uint8Array): number {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  let hash = 0x811c9dc5;
  // By index: an iterator costs several times as much, and whole files go through here.
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash >>> 0;
}

/**
 * 128-bit FNV-1a hash as 32 lower-case hex digits. Same as Go's hash/fnv New128a. It uses four 32-bit limbs instead of
 * a bigint: a pod has some kilobytes of text, and one bigint product per byte would cost milliseconds.
 */
export function fnv1a128(bytes: Uint8Array): string {
  // Offset basis 0x6c62272e07bb014262b821756295c58d, least significant limb first.
  let [a, b, c, d] = [0x6295c58d, 0x62b82175, 0x07bb0142, 0x6c62272e];
  for (const byte of bytes) {
    a = (a ^ byte) >>> 0;
    // Prime = 2^88 + 0x13b: the product is a shift by 88 bits plus a small multiple.
    const low = a * 0x13b;
    const second = b * 0x13b + Math.floor(low / 2 ** 32);
    const third = c * 0x13b + Math.floor(second / 2 ** 32) + (a & 0xff) * 2 ** 24;
    const fourth = d * 0x13b + Math.floor(third / 2 ** 32) + (a >>> 8) + (b & 0xff) * 2 ** 24;
    a = low >>> 0;
    b = second >>> 0;
    c = third >>> 0;
    d = fourth >>> 0;
  }
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(8, '0')).join('');
}
