/** Questions to the authorizer: `authorizer.group('').resource('pods').check('get').allowed()` (apiserver pkg/cel/library/authz.go). */
import { isDNS1123Label, isDNS1123Subdomain } from '../../apimachinery/validation.ts';
import { member, type Overload } from '../functions.ts';
import { bool, type CelType, string } from '../types.ts';
import { CelError, type CelObject } from '../values.ts';

/** What is asked about somebody: a path, or a resource. */
export interface CheckedAccess {
  readonly verb: string;
  /** Only of what is no resource. */
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** Who decides: about whoever sent the request, or about a service account. */
export interface Decider {
  decide(access: CheckedAccess, serviceAccount: { readonly namespace: string; readonly name: string } | undefined): AccessAnswer;
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

const prefix = 'kubernetes.authorization';
const nothing: Omit<CheckedAccess, 'verb'> = { group: '', resource: '', subresource: '', namespace: '', name: '' };

type Account = Parameters<Decider['decide']>[1];

/** `requestResource` is what the request itself is about. */
export class CelAuthorizer implements CelObject {
  readonly celType = `${prefix}.Authorizer`;
  readonly decider: Decider;
  readonly account: Account;
  readonly #requestResource: Omit<CheckedAccess, 'verb'> | undefined;

  constructor(decider: Decider, requestResource?: Omit<CheckedAccess, 'verb'>, account?: Account) {
    this.decider = decider;
    this.#requestResource = requestResource;
    this.account = account;
  }

  /** What the request itself is about. */
  get requestResource(): CelObject | undefined {
    return this.#requestResource && new CelCheck('ResourceCheck', this, this.#requestResource);
  }
}

class CelCheck implements CelObject {
  readonly celType: string;
  readonly authorizer: CelAuthorizer;
  readonly access: Omit<CheckedAccess, 'verb'>;

  constructor(kind: 'PathCheck' | 'GroupCheck' | 'ResourceCheck', authorizer: CelAuthorizer, access: Omit<CheckedAccess, 'verb'>) {
    this.celType = `${prefix}.${kind}`;
    this.authorizer = authorizer;
    this.access = access;
  }

  with(more: Partial<CheckedAccess>): CelCheck {
    return new CelCheck('ResourceCheck', this.authorizer, { ...this.access, ...more });
  }
}

class CelDecision implements CelObject {
  readonly celType = `${prefix}.Decision`;
  readonly answer: AccessAnswer;

  constructor(answer: AccessAnswer) {
    this.answer = answer;
  }
}

const opaque = (name: string): CelType => ({ kind: 'object', name: `${prefix}.${name}`, fields: new Map(), isClosed: true });
const pathCheck = opaque('PathCheck');
const groupCheck = opaque('GroupCheck');
const resourceCheck = opaque('ResourceCheck');
const decision = opaque('Decision');
export const authorizerType = opaque('Authorizer');
/** Of the variable `authorizer.requestResource`. */
export const requestResourceType = resourceCheck;

/** Two of them an expression may ask for. */
const checkCost = 350_000;

const narrowed = (field: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector'): Overload =>
  member(field, [resourceCheck, string], resourceCheck, (check: CelCheck, value: string) => check.with({ [field]: value }));

const checked = (type: CelType): Overload =>
  member(
    'check',
    [type, string],
    decision,
    ({ authorizer, access }: CelCheck, verb: string) => {
      const { decider, account } = authorizer;
      return new CelDecision(decider.decide({ ...access, verb }, account));
    },
    { spendByName: () => checkCost },
  );

export const authorizerFunctions: readonly Overload[] = [
  member('path', [authorizerType, string], pathCheck, (authorizer: CelAuthorizer, path: string) => {
    if (path.trim() === '') throw new CelError('path must not be empty');
    return new CelCheck('PathCheck', authorizer, { ...nothing, path });
  }),
  member('group', [authorizerType, string], groupCheck, (authorizer: CelAuthorizer, group: string) => {
    return new CelCheck('GroupCheck', authorizer, { ...nothing, group });
  }),
  member('serviceAccount', [authorizerType, string, string], authorizerType, ({ decider }: CelAuthorizer, namespace: string, name: string) => {
    if (isDNS1123Subdomain(name).length > 0) throw new CelError('Invalid service account name');
    if (isDNS1123Label(namespace).length > 0) throw new CelError('Invalid service account namespace');
    return new CelAuthorizer(decider, undefined, { namespace, name });
  }),
  member('resource', [groupCheck, string], resourceCheck, (check: CelCheck, resource: string) => {
    if (resource.trim() === '') throw new CelError('resource must not be empty');
    return check.with({ resource });
  }),
  narrowed('subresource'),
  narrowed('namespace'),
  narrowed('name'),
  narrowed('fieldSelector'),
  narrowed('labelSelector'),
  checked(pathCheck),
  checked(resourceCheck),
  member('allowed', [decision], bool, ({ answer }: CelDecision) => answer.allowed),
  member('reason', [decision], string, ({ answer }: CelDecision) => answer.reason),
  // An authorizer that fails says no and why; here none fails otherwise.
  member('errored', [decision], bool, () => false),
  member('error', [decision], string, () => ''),
];
