/** An IPv4 address as such, also where a listener of both families shows it inside an IPv6 one. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
