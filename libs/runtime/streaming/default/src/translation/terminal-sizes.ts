// A size is some 30 bytes; what never ends in a brace is none.
const maxPendingBytes = 4_096;
const maxSize = 65_535;

/**
 * Reads the sizes of a terminal, JSON objects one after another in any split. The first that is none ends the reading, as
 * upstream's decoder does. Source: kubernetes v1.36 apiserver/pkg/util/proxy/websocket.go, handleResizeEvents.
 */
export class TerminalSizes {
  private pending = '';
  private broken = false;

  /** The sizes that are whole now, written as the runtime reads them. */
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
    // Go's decoder takes any case of a name, and 0 for what is absent.
    const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]));
    const Width = fields.get('width') ?? 0;
    const Height = fields.get('height') ?? 0;
    return isSize(Width) && isSize(Height) ? { Width, Height } : undefined;
  } catch {
    // The client sent no JSON: that ends the sizes, and nothing else.
    return undefined;
  }
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxSize;
}
