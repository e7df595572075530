import { BlockList, isIP } from 'node:net';
import { KubeletError } from '@podwright/errors';
import { parseProxyUrl } from '@podwright/kubeconfig';
import type { ServerAddress } from '@podwright/kubeconfig';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a server: `proxy-url` of the kubeconfig, else HTTPS_PROXY or HTTP_PROXY unless NO_PROXY names the
 * server. A proxy of the environment never applies to this machine itself. Throws `invalid-argument`. Source:
 * golang.org/x/net/http/httpproxy.
 */
export function chooseProxy(
  server: ServerAddress,
  proxyUrl: string | undefined,
  environment: Environment,
): URL | undefined {
  if (proxyUrl !== undefined) return readProxy(proxyUrl, 'proxy-url of the kubeconfig');
  const name = server.secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = environment[name] ?? environment[name.toLowerCase()] ?? '';
  if (text === '' || isThisMachine(server.host)) return undefined;
  if (goesDirectly(server, environment['NO_PROXY'] ?? environment['no_proxy'] ?? '')) return undefined;
  return readProxy(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`, name);
}

function readProxy(text: string, place: string): URL {
  const proxy = parseProxyUrl(text);
  const fault =
    typeof proxy === 'string'
      ? proxy
      : proxy.protocol.startsWith('socks')
        ? 'socks5 proxies are not supported yet'
        : '';
  if (typeof proxy !== 'string' && fault === '') return proxy;
  throw new KubeletError(`${place} ${JSON.stringify(text)}: ${fault}; use an http or https proxy`, {
    code: 'invalid-argument',
  });
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function goesDirectly(server: ServerAddress, noProxy: string): boolean {
  const rules = noProxy.split(',').map((rule) => rule.trim().toLowerCase());
  return rules.some((rule) => rule !== '' && matches(server, rule));
}

function matches({ host, port }: ServerAddress, rule: string): boolean {
  if (rule === '*') return true;
  const name = host.toLowerCase();
  if (isIP(name) !== 0) return matchesAddress(name, port, rule);
  const [, ruleName = rule, rulePort] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  if (rulePort !== undefined && Number(rulePort) !== port) return false;
  // `example.org` matches itself and its subdomains; `.example.org` and `*.example.org` match only subdomains.
  const bare = ruleName.replace(/^\*?\./, '');
  return name.endsWith(`.${bare}`) || (bare === ruleName && name === bare);
}

function matchesAddress(address: string, port: number, rule: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const [network = '', prefix] = rule.split('/');
  const list = new BlockList();
  const [, plain = network, rulePort] =
    /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(isIP(network) === 6 ? `[${network}]` : network) ?? [];
  const ruleFamily = isIP(plain);
  if (ruleFamily === 0 || (rulePort !== undefined && Number(rulePort) !== port)) return false;
  const kind = ruleFamily === 6 ? 'ipv6' : 'ipv4';
  const bits = Number(prefix);
  if (prefix === undefined) list.addAddress(plain, kind);
  else if (Number.isInteger(bits) && bits <= (kind === 'ipv6' ? 128 : 32)) list.addSubnet(plain, bits, kind);
  else return false;
  return list.check(address, family);
}
