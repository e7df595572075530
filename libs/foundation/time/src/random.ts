/** The only source of chance; a seeded one makes a simulation repeatable. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Lower-case hex text of `bytes` random bytes. */
  hex(bytes: number): string;
}
