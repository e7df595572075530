import { scalar } from './schema.js';

/** Bytes in base64 with padding; line breaks are skipped. The decoded value is canonical base64. */
export const base64 = scalar({
  expected: 'base64 (string)',
  zero: '',
  read(value) {
    if (typeof value !== 'string') return undefined;
    const place = firstIllegalByte(value);
    if (place !== undefined) return { fault: `illegal base64 data at input byte ${place}` };
    return { value: Buffer.from(value, 'base64').toString('base64') };
  },
});

/**
 * Where Go's base64.StdEncoding stops to decode; undefined for what it accepts. It accepts bits after the last byte that
 * are not zero.
 */
function firstIllegalByte(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text);
  const places = [...bytes.keys()].filter((index) => bytes[index] !== 0x0a && bytes[index] !== 0x0d);
  const isPadding = (index: number): boolean => bytes[places[index] ?? -1] === 0x3d;
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    if (/[A-Za-z0-9+/]/.test(String.fromCharCode(bytes[place] as number))) continue;
    const column = index % 4;
    if (!isPadding(index) || column < 2) return place;
    if (column === 3) return places[index + 1];
    if (index + 1 === places.length) return bytes.length;
    return isPadding(index + 1) ? places[index + 2] : (places[index + 1] as number) - 1;
  }
  return places.length % 4 === 0 ? undefined : bytes.length - (places.length % 4);
}
