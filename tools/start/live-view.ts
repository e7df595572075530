import type { PodLines } from './pod-view.js';

/** The required part of a terminal or file stream. */
export interface ViewOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows the pods. On a terminal it redraws them in place; elsewhere it writes only changed lines, each with its pod,
 * and the pods that are gone.
 */
export class LiveView {
  private shown = '';
  private appended: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** Number of lines on the screen that the next drawing replaces. */
  private drawn = 0;

  constructor(private readonly out: ViewOutput) {}

  show(pods: readonly PodLines[]): void {
    const lines = pods.flatMap((pod) => pod.lines);
    if (lines.join('\n') === this.shown) return;
    if (this.out.isTTY) this.redraw(lines);
    else this.append(pods);
    this.shown = lines.join('\n');
    this.drawn = rowsOf(lines, this.out.columns);
  }

  /** Makes the next drawing start below the current one. */
  release(): void {
    this.drawn = 0;
  }

  private redraw(lines: readonly string[]): void {
    if (this.drawn > 0) this.out.write(`\u001b[${this.drawn}A\u001b[J`);
    this.out.write(lines.map((line) => `${line}\n`).join(''));
  }

  private append(pods: readonly PodLines[]): void {
    const before = this.appended;
    this.appended = new Map(pods.map(({ pod, lines }) => [pod, new Set(lines)]));
    for (const pod of before.keys()) if (!this.appended.has(pod)) this.out.write(`pod ${pod}  gone\n`);
    for (const { pod, lines } of pods) {
      for (const [index, line] of lines.entries()) {
        if (before.get(pod)?.has(line)) continue;
        this.out.write(index === 0 ? `${line}\n` : `pod ${pod}${line}\n`);
      }
    }
  }
}

// A terminal wraps long lines.
const rowsOf = (lines: readonly string[], columns: number | undefined): number =>
  lines.reduce((rows, line) => rows + (columns ? Math.max(1, Math.ceil(line.length / columns)) : 1), 0);
