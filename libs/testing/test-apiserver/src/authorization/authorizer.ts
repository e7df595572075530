import { ApiError, forbidden } from '@podwright/api-machinery';
import type { ApiUser } from '../http/api-request.js';
import type { ObjectStore } from '../store/object-store.js';
import { forbiddenMessage, type Decision, type ResourceAttributes } from './attributes.js';
import { granted, type Grant } from './grants.js';
import { NodeAuthorizer } from './node-authorizer.js';
import { everybodyMay } from './node-rules.js';

const publicPaths = ['/healthz', '/livez', '/readyz', '/version'];
const discoveryPaths = ['/api', '/apis', '/openapi'];

/**
 * Authorizes requests: administrators may do everything, kubelets what the node authorizer allows, others what their
 * grants allow. Everybody may read health and version, and authenticated users discovery. There are no RBAC objects.
 */
export class Authorizer {
  private readonly nodes: NodeAuthorizer;

  constructor(
    store: ObjectStore,
    private readonly grants: readonly Grant[] = [],
  ) {
    this.nodes = new NodeAuthorizer(store);
  }

  decide(asked: ResourceAttributes): Decision {
    if (isAdministrator(asked.user)) return { allowed: true, reason: '' };
    if (isAuthenticated(asked.user) && everybodyMay(asked)) return { allowed: true, reason: '' };
    if (granted(this.grants, asked)) return { allowed: true, reason: '' };
    if (bootstrapMay(asked)) return { allowed: true, reason: '' };
    return this.nodes.authorize(asked);
  }

  decidePath(user: ApiUser, path: string): Decision {
    const within = (roots: readonly string[]): boolean =>
      roots.some((root) => path === root || path.startsWith(`${root}/`));
    const allowed = isAdministrator(user) || within(publicPaths) || (isAuthenticated(user) && within(discoveryPaths));
    return { allowed, reason: '' };
  }

  /** @throws ApiError 403 in the real server's words. */
  check(asked: ResourceAttributes): void {
    const { allowed, reason } = this.decide(asked);
    if (allowed) return;
    const message = forbiddenMessage(asked);
    throw forbidden(asked, asked.name, reason === '' ? message : `${message}: ${reason}`);
  }

  /** @throws ApiError 403 in the real server's words. */
  checkPath(user: ApiUser, method: string, path: string): void {
    if (this.decidePath(user, path).allowed) return;
    const verb = method.toLowerCase();
    const why = `User "${user.name}" cannot ${verb} path "${path}"`;
    throw new ApiError(403, 'Forbidden', `forbidden: ${why}`, {});
  }
}

function isAdministrator({ groups }: ApiUser): boolean {
  return groups.includes('system:masters');
}

function isAuthenticated({ groups }: ApiUser): boolean {
  return !groups.includes('system:unauthenticated');
}

/** The rights of nodes that join with a bootstrap token, as kubeadm's system:node-bootstrapper grants them. */
function bootstrapMay({ user, group, plural, verb }: ResourceAttributes): boolean {
  return (
    user.groups.includes('system:bootstrappers') &&
    group === 'certificates.k8s.io' &&
    plural === 'certificatesigningrequests' &&
    ['create', 'get', 'list', 'watch'].includes(verb)
  );
}
