// A size has about 30 bytes; longer text without a closing brace is invalid.
const maxPendingBytes = 4_096;
const maxSize = 65_535;

/**
 * Parses terminal sizes: consecutive JSON objects, split into chunks anywhere. The first invalid one ends parsing, as
 * in upstream's decoder. Source: kubernetes v1.36 apiserver/pkg/util/proxy/websocket.go, handleResizeEvents.
 */
export class TerminalSizes {
  private pending = '';
  private broken = false;

  /** Returns the sizes that this chunk completes, as JSON lines for the runtime. */
  push(bytes: Uint8Array): readonly string[] {
    if (this.broken) return [];
    this.pending += Buffer.from(bytes).toString('latin1');
    const sizes: string[] = [];
    for (let end = this.pending.indexOf('}'); end >= 0 && !this.broken; end = this.pending.indexOf('}')) {
      const size = terminalSize(this.pending.slice(0, end + 1));
      this.pending = this.pending.slice(end + 1);
      if (size === undefined) this.broken = true;
      else sizes.push(`${JSON.stringify(size)}\n`);
    }
    if (this.pending.length > maxPendingBytes) this.broken = true;
    if (this.broken) this.pending = '';
    return sizes;
  }
}

function terminalSize(text: string): { readonly Width: number; readonly Height: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    // Go's decoder ignores the case of names and reads an absent field as 0.
    const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]));
    const Width = fields.get('width') ?? 0;
    const Height = fields.get('height') ?? 0;
    return isSize(Width) && isSize(Height) ? { Width, Height } : undefined;
  } catch {
    // The client sent invalid JSON: that ends resizing, not the session.
    return undefined;
  }
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxSize;
}
