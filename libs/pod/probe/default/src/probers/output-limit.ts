/**
 * Maximum bytes of an answer or a command's output to read and show. Source: kubernetes v1.36 pkg/probe/exec/exec.go.
 */
export const maxOutputBytes = 10 * 1024;

/** Text of the first 10240 bytes; invalid UTF-8 becomes replacement characters. */
export function cutOutput(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxOutputBytes)).toString('utf8');
}
