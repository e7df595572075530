/** Most bytes of an answer or of a command's output that are read and shown. Source: kubernetes v1.36 pkg/probe/exec/exec.go. */
export const maxOutputBytes = 10 * 1024;

/** Text of the first 10240 bytes; bytes that are no UTF-8 become replacement characters. */
export function cutOutput(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxOutputBytes)).toString('utf8');
}
