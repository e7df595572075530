/** The verbosity of loggers whose name (`logger` field) matches a pattern with `*` and `?`, as in `logging.vmodule`. */
export interface VerbosityRule {
  readonly filePattern: string;
  readonly verbosity: number;
}

/** The verbosity that all loggers of one root share; `overall` may change at run time. */
export class Verbosity {
  private readonly rules: readonly { readonly pattern: RegExp; readonly verbosity: number }[];

  constructor(
    public overall: number,
    rules: readonly VerbosityRule[],
  ) {
    this.rules = rules.map(({ filePattern, verbosity }) => ({ pattern: globToRegExp(filePattern), verbosity }));
  }

  /** The verbosity that a rule gives this logger; undefined when none matches. The first match counts. */
  ruleFor(loggerName: unknown): number | undefined {
    if (typeof loggerName !== 'string') return undefined;
    return this.rules.find(({ pattern }) => pattern.test(loggerName))?.verbosity;
  }
}

function globToRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`);
}
