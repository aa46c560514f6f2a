// Whose tools and connections: the deployment says it, never what a caller wrote (CONTRACT section 13).
import { Failure } from '../base/failure.js';

export interface Scope {
  readonly organization: string;
  readonly project: string;
}

/** That of the command line. */
export const DEFAULT_SCOPE: Scope = { organization: 'default', project: 'default' };

/** @throws Failure `invalid-store` for a file in another scope than the default: it holds one project, and says not which. */
export function expectDefaultScope({ organization, project }: Scope): void {
  if (organization === DEFAULT_SCOPE.organization && project === DEFAULT_SCOPE.project) return;
  throw new Failure('invalid-store', 'a file holds the tools of one project; several of them need a database');
}
