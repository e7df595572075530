/** `252` from `252.39-1~deb12u1`, `v245-1.fc32` or `"v245"`; -1 for a text that starts with no number. */
export function systemdVersionOf(text: string): number {
  return Number(/^"?v?(\d+)/.exec(text)?.[1] ?? -1);
}
