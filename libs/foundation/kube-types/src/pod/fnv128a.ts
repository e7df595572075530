/**
 * 128-bit FNV-1a as 32 lower-case hex digits. Four 32-bit limbs instead of a bigint: the text of a pod has some
 * kilobytes, and a bigint product per byte costs milliseconds.
 */
export function fnv128a(bytes: Uint8Array): string {
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
