/** The first half of what is to be written, as a torn write leaves it. */
export function halfOf(data: unknown): unknown {
  if (typeof data === 'string') return data.slice(0, data.length / 2);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength >> 1) : data;
}
