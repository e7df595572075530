/** Text counts as UTF-8. */
export type HashInput = string | Uint8Array;

function bytesOf(input: HashInput): Uint8Array {
  return typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
}

/** FNV-1a, 32 bit, as an unsigned number. Same as Go's hash/fnv New32a. */
export function fnv1a32(input: HashInput): number {
  const bytes = bytesOf(input);
  let hash = 0x811c9dc5;
  // By index: an iterator costs several times as much, and whole files go through here.
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** FNV-1a, 64 bit. Same as Go's hash/fnv New64a. */
export function fnv1a64(input: HashInput): bigint {
  return fnv1a(input, 0xcbf29ce484222325n, 0x100000001b3n, 64);
}

/** FNV-1a, 128 bit. Same as Go's hash/fnv New128a. */
export function fnv1a128(input: HashInput): bigint {
  return fnv1a(input, 0x6c62272e07bb014262b821756295c58dn, 0x0000000001000000000000000000013bn, 128);
}

function fnv1a(input: HashInput, offset: bigint, prime: bigint, bits: number): bigint {
  let hash = offset;
  for (const byte of bytesOf(input)) hash = BigInt.asUintN(bits, (hash ^ BigInt(byte)) * prime);
  return hash;
}
