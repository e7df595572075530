/** Reads the rest of a log as text. */
export async function collect(content: AsyncIterable<Uint8Array>): Promise<string> {
  return new LogReader(content).rest();
}

/** Reads a log piece by piece. */
export class LogReader {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private readonly decoder = new TextDecoder();

  constructor(content: AsyncIterable<Uint8Array>) {
    this.iterator = content[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async next(): Promise<string | undefined> {
    const { done, value } = await this.iterator.next();
    return done === true ? undefined : this.decoder.decode(value, { stream: true });
  }

  async rest(): Promise<string> {
    let text = '';
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) text += piece;
    return text;
  }
}
