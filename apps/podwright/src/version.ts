/** The version of this command; a spec compares it with package.json. */
export const version = 'v0.1.0';
