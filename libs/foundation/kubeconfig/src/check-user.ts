import type { ExecFields, UserFields } from './kubeconfig-schema.js';

export const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
const modes = ['Never', 'IfAvailable', 'Always'];

/**
 * The faults of a user, in upstream's words where it checks the same. Source: clientcmd/validation.go and
 * rest/config.go.
 */
export function checkUser(name: string, user: UserFields): readonly string[] {
  const faults = [...checkCertificate(name, user)];
  if (user.exec !== undefined) faults.push(...checkExec(name, user.exec));
  const provider = user['auth-provider'];
  if (provider !== undefined) {
    faults.push(
      user.exec === undefined
        ? `no Auth Provider found for name ${JSON.stringify(provider.name ?? '')} of user ${JSON.stringify(name)}; use an exec plugin`
        : `authProvider cannot be provided in combination with an exec plugin for ${name}`,
    );
  }
  const basic = user.username !== undefined || user.password !== undefined;
  if (user.token !== undefined && basic) {
    faults.push(`more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`);
  }
  if (user.tokenFile !== undefined && basic) {
    faults.push(`user ${JSON.stringify(name)}: username/password or bearer token may be set, but not both`);
  }
  const impersonates = user['as-uid'] ?? user['as-groups'] ?? user['as-user-extra'];
  if (impersonates !== undefined && user.as === undefined) {
    faults.push(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
  }
  return faults;
}

function checkCertificate(name: string, user: UserFields): readonly string[] {
  const certificate = user['client-certificate'] ?? user['client-certificate-data'];
  if (certificate === undefined) return [];
  const faults: string[] = [];
  if (user['client-certificate'] !== undefined && user['client-certificate-data'] !== undefined) {
    faults.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`);
  }
  if (user['client-key'] !== undefined && user['client-key-data'] !== undefined) {
    faults.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`);
  }
  if (user['client-key'] === undefined && user['client-key-data'] === undefined) {
    faults.push(
      `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
    );
  }
  return faults;
}

function checkExec(name: string, exec: ExecFields): readonly string[] {
  const faults: string[] = [];
  if (exec.command === undefined) {
    faults.push(`command must be specified for ${name} to use exec authentication plugin`);
  }
  if (exec.apiVersion === undefined) {
    faults.push(`apiVersion must be specified for ${name} to use exec authentication plugin`);
  } else if (!(execVersions as readonly string[]).includes(exec.apiVersion)) {
    faults.push(`exec plugin: invalid apiVersion ${JSON.stringify(exec.apiVersion)} for ${name}`);
  }
  if (exec.env?.some((variable) => (variable.name ?? '') === '') === true) {
    faults.push(`env variable name must be specified for ${name} to use exec authentication plugin`);
  }
  const mode = exec.interactiveMode;
  // Optional before v1; absent means IfAvailable there.
  if (mode === undefined && exec.apiVersion === execVersions[0]) {
    faults.push(`interactiveMode must be specified for ${name} to use exec authentication plugin`);
  }
  if (mode !== undefined && !modes.includes(mode)) {
    faults.push(`invalid interactiveMode for ${name}: ${JSON.stringify(mode)}`);
  }
  return faults;
}
