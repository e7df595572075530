import type { Logger } from '@podwright/logging';

// Bounds the memory for a server with many different warnings; beyond it each is logged again.
const mostRemembered = 1_000;

/**
 * Logs the `Warning` headers of answers (code 299, such as for a deprecated field), each text once. Source: kubernetes
 * v1.36 client-go/rest/warnings.go, which logs them each time.
 */
export class ServerWarnings {
  private readonly seen = new Set<string>();

  constructor(private readonly logger: Logger) {}

  read(headers: Readonly<Record<string, string>>): void {
    const header = headers['warning'];
    if (header === undefined) return;
    for (const text of warningTexts(header)) {
      if (this.seen.has(text)) continue;
      if (this.seen.size >= mostRemembered) this.seen.clear();
      this.seen.add(text);
      this.logger.warn(text);
    }
  }
}

/** Texts of the warnings with code 299 in a header of RFC 7234: `299 agent "text" "date", 299 ...`. */
export function warningTexts(header: string): readonly string[] {
  const texts: string[] = [];
  for (const [, code, text] of header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g)) {
    const plain = (text ?? '').replace(/\\(.)/g, '$1').replace(/\p{Cc}/gu, ' ');
    if (code === '299' && plain !== '') texts.push(plain);
  }
  return texts;
}
