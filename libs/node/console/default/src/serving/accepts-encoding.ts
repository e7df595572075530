import type { ServerRequest } from '@podwright/server-interface';

/** Whether the client reads this encoding, as its Accept-Encoding says. */
export function acceptsEncoding({ headers }: Pick<ServerRequest, 'headers'>, encoding: string): boolean {
  const offered = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',');
  return offered.some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
