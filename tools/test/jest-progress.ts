/** Counts finished spec files from jest's output. */
export class JestProgress {
  private passed = 0;
  private failed = 0;
  private unfinishedLine = '';

  constructor(
    private readonly tier: string,
    private readonly files: number,
  ) {}

  /** Reads the next part of jest's output, which may end within a line. */
  take(text: string): void {
    const lines = (this.unfinishedLine + text).split('\n');
    this.unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('PASS ')) this.passed++;
      else if (line.startsWith('FAIL ')) this.failed++;
    }
  }

  line(): string {
    const { tier, files, passed, failed } = this;
    return `  ${tier}: ${passed + failed} of ${files} files done${failed === 0 ? '' : `, ${failed} failed`}`;
  }
}
