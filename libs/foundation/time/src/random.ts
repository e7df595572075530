/** The only source of randomness; a seeded one makes a simulation repeatable. */
export interface Random {
  /**
   * A number from [0, 1), uniformly distributed. `of` says which pause or instant depends on it, such as
   * `probe UID/web/liveness`: a flight recorder keeps such a number, and a replay draws it again under the same name. A
   * number that becomes part of a name, key or token must have no name, because it would be in a recording.
   */
  next(of?: string): number;
  /** Lower-case hex text of `bytes` random bytes. */
  hex(bytes: number): string;
}
