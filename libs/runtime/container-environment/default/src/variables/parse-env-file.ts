import { KubeletError } from '@podwright/errors';

/**
 * Variables of an env file: lines `NAME='value'` with optional blanks around the name, comment lines that begin with
 * `#`, and empty lines. The value is the exact text between the quotes, line breaks included; other syntax is refused,
 * so that a shell reads the same values. A later line replaces an earlier one with the same name. @throws KubeletError
 * `invalid-argument` for anything else. Source: kubernetes v1.36 pkg/kubelet/util/env.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  let rest = text;
  while ((rest = rest.replace(/^\s+/, '')) !== '') {
    if (rest.startsWith('#')) {
      const end = rest.indexOf('\n');
      rest = end < 0 ? '' : rest.slice(end);
      continue;
    }
    const assignment = /^([^\s=#']+)[ \t]*=[ \t]*'([^']*)'[ \t\r]*(?:#[^\n]*)?(?=\n|$)/.exec(rest);
    if (assignment === null) {
      // The message does not quote the line: it may hold a secret.
      throw new KubeletError("invalid environment variable format: lines must be NAME='value'", {
        code: 'invalid-argument',
      });
    }
    const [whole, name = '', value = ''] = assignment;
    variables.set(name, value);
    rest = rest.slice(whole.length);
  }
  return variables;
}
