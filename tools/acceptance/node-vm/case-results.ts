import { renderReportLine, type ReportLine } from '@podwright/lab';

type End = Extract<ReportLine, { type: 'end' }>;

/** Collects the guest's reports; each test waits for one case. */
export class CaseResults {
  private readonly ends = new Map<string, End>();
  private readonly history: string[] = [];
  private readonly waiting = new Set<() => void>();
  private over = false;

  readonly take = (line: ReportLine): void => {
    if (line.type === 'end') this.ends.set(line.name, line);
    if (line.type === 'done') this.over = true;
    this.history.push(renderReportLine(line).trim().slice(0, 300));
    for (const wake of this.waiting) wake();
  };

  /** Call when the machine has ended: no more results will come. */
  finish(): void {
    this.over = true;
    for (const wake of this.waiting) wake();
  }

  /** Resolves when the case has passed. Rejects when it failed, when the guest ended without it, or at the timeout. */
  async passed(name: string, withinMs: number): Promise<void> {
    const end = await this.ended(name, withinMs);
    if (end.error !== undefined) throw new Error(`in the guest: ${end.error}\n---- the guest's logs\n${end.log ?? ''}`);
  }

  private ended(name: string, withinMs: number): Promise<End> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const give = (why: string): void =>
        finish(() => reject(new Error(`${why}; reported so far:\n${this.history.slice(-20).join('\n')}`)));
      const look = (): void => {
        const end = this.ends.get(name);
        if (end !== undefined) finish(() => resolve(end));
        else if (this.over) give('the guest ended without this case');
      };
      const timer = setTimeout(() => give(`no result within ${withinMs / 1000} s`), withinMs);
      this.waiting.add(look);
      look();
    });
  }
}
