/** The only source of randomness; a seeded one makes a simulation repeatable. */
export interface Random {
  /** A number from [0, 1), uniformly distributed. */
  next(): number;
  /** Lower-case hex text of `bytes` random bytes. */
  hex(bytes: number): string;
}
