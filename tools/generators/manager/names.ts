/** The wings of the design; a manager belongs to exactly one. */
export const wings = ['pod', 'runtime', 'node', 'resources', 'storage', 'control-plane'] as const;

/** Every spelling of a manager's name that a generated file needs. */
export interface ManagerNames {
  readonly wing: string;
  /** `log-rotation`: folders, files, npm names, token ids. */
  readonly kebab: string;
  /** `LogRotation`: the interface. */
  readonly pascal: string;
  /** `logRotation`: values. */
  readonly camel: string;
  /** `LOG_ROTATION`: the token. */
  readonly constant: string;
}

/** Parses `WING/NAME`. Throws with the expected format. */
export function managerNames(manager: string): ManagerNames {
  const [wing = '', kebab = '', ...rest] = manager.split('/');
  if (rest.length > 0 || !(wings as readonly string[]).includes(wing) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab)) {
    throw new Error(`"${manager}" is not WING/NAME: WING is one of ${wings.join(', ')}, NAME is in kebab-case`);
  }
  const pascal = kebab
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return {
    wing,
    kebab,
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    constant: kebab.replaceAll('-', '_').toUpperCase(),
  };
}
