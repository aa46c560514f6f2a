// Every code the product reports, each with one line of meaning. Codes are stable; messages are for people.

/** Codes of a Failure: the whole request is refused. */
export const FAILURE_CODES = {
  'bad-request':
    'the request itself is malformed (two sources, no source, no operation, both a connection and a group)',
  'unknown-limit': 'a limit was named that does not exist',
  'invalid-limit': 'a limit was given a value outside its range',
  'invalid-prefix': 'the name prefix holds a character that a tool name may not have',
  'source-unreadable': 'the file could not be read (missing, a directory, no permission)',
  'source-too-large': 'the description is over `description_bytes`',
  'fetch-failed': 'the URL could not be fetched (an error status, no connection, too many redirects)',
  'fetch-timeout': 'the URL was not read within `fetch_seconds`',
  'fetch-unauthorized': 'the URL asks for a sign-in (401, 403 or a login page)',
  'address-refused': 'the URL leads to an address that is not on the public internet',
  'invalid-url': 'the URL is not an absolute http(s) URL without a user name',
  'not-json': 'the text is not JSON; the place of the first fault is named',
  'not-yaml':
    'the text is not YAML, or YAML that is not read (an unknown tag, a second document, aliases without end, nodes without number)',
  'not-utf8': 'the bytes are not UTF-8 text',
  'invalid-overlay': 'an overlay is none, or cannot be applied to the description; the action is named',
  'not-a-description': 'the text is something else than a description that is read (named where it is known)',
  'too-many-operations': 'the description holds more operations than `operations_listed`',
  'description-too-large': 'reading the description takes more than `description_steps`',
  'too-many-chosen': 'the import names more operations than `operations_per_import`',
  'unknown-operation': 'the description holds no operation of that key',
  'unimportable-operation': 'an operation chosen by its key cannot be imported',
  'invalid-server': 'the server is not an absolute http(s) URL without a user name',
  'other-server': 'an operation chosen by its key has servers of its own and another server was given',
  'over-budget': 'what the tools require takes more tokens than the budget',
  'unknown-tool': 'the store holds no tool of that id or name',
  'unknown-parameter': 'the tool has no parameter of that name',
  'invalid-value': 'a value that a person sets on a tool is not allowed',
  'invalid-tool': 'a tool written by hand is not one that can be called; the field is named',
  'name-taken': 'another tool already has that name',
  'invalid-store': 'the store address is not one that can be opened',
  'store-foreign': 'what is there is not a toolwright store, or one of a newer version, or damaged',
  'store-unreadable': 'the store could not be read',
  'store-unwritable': 'the store could not be written; nothing of the change was kept',
  'store-locked': 'another writer held the store for too long',
  'store-moved': 'the store changed since it was read',
  'store-conflict': 'a change would give two tools one name, one id or one identity',
  'unknown-connection': 'there is no connection of that id',
  'connection-in-use': 'tools point at the connection that is to be removed',
  'invalid-secret': 'a secret or its placement is not one that a connection can hold',
  'no-seal-key': 'no key is configured under which a secret could be sealed or opened',
  'invalid-seal-key': 'the keys that seal secrets are not written as `kid:base64url` of 32 bytes',
  'unopened-secret':
    'a sealed secret does not open: its key is gone, or it was changed or belongs to another connection',
  'connection-broken': 'the API refused the secret of the connection; a new one heals it',
  'secret-missing': 'the environment variable that holds the secret of the connection is not set',
  'no-connection': 'no connection of the group is healthy',
  'listen-failed': 'the port could not be listened on (in use, not allowed, no such address)',
  'output-unwritable': 'the file that a command was to write could not be written',
  'invalid-manifest': 'a manifest says what it cannot say; each fault is named with its line and column',
  'unknown-environment': 'the manifest has no environment of that name',
  'source-failed': 'sources of a manifest could not be planned, so nothing is written',
  'plan-moved': 'a saved plan was made for a store, a manifest or a description that has changed since',
  'plan-foreign': 'the file is not a saved plan that can be applied, or one of a newer version',
  'record-unwritable': 'the record of a call could not be written',
  'record-unreadable': 'the records of calls could not be read',
  'no-oauth-client': 'no OAuth client of the provider is configured, which a consented account needs',
  'consent-failed': 'the consent was refused, came too late, or its answer is not one that was asked for',
  'shared-operation': 'two sources of one server and set bear the same key; a label of a set keeps them apart',
  'nothing-pending': 'the tool has no form that waits for approval',
  'pending-moved': 'what waits for approval is another form than the one that was named by its digest',
  'renewal-failed': 'the token of a consented account could not be renewed for now; the connection stays healthy',
} as const;

/** Codes of an operation that cannot be imported. */
export const REFUSAL_CODES = {
  'body-media': 'the body has no form that the profile carries (core: JSON alone)',
  'body-not-object': 'the body is not an object, where its form or the profile needs one',
  inbound: 'a callback or a webhook: the API calls it, not the other way round',
  'unresolved-reference': 'a reference does not resolve, or its chain is longer than `reference_chain`',
  'path-gap': 'a gap in the path is named by no parameter',
  cookie: 'the operation requires a cookie that is not its key',
  'too-large': 'over `operation_steps` or `operation_schema_bytes`',
  'reserved-path': 'a path value that may hold slashes',
  malformed: 'the operation is not what the specification allows',
} as const;

/** Codes of a notice: something was cut, changed or left out, and the rest stands. */
export const NOTICE_CODES = {
  'properties-cut': 'optional properties beyond `optional_properties` were left out',
  'shown-smaller':
    'the operation is too large as a whole and is shown with fewer levels, or with its required arguments alone',
  'nesting-cut': 'what lies below `nesting` levels is shown as any shape',
  'recursion-cut': 'a reference that leads back to itself is shown as any shape',
  'alternatives-united': 'alternatives of the body were united into one object',
  'alternatives-left-out': 'alternatives that cannot be shown beside the others were left out',
  'entries-left-out': 'free-form entries beside named properties were left out',
  'constraints-conflict': 'constraints of an allOf contradict each other; the first is shown',
  'keyword-ignored': 'a keyword of a schema is not what the specification allows and was ignored',
  'invisible-characters': 'a name or a value that goes on the wire holds invisible characters',
  'argument-renamed': 'an argument goes by another name than on the wire because the name was taken',
  'body-left-out': 'a body that the method does not carry was left out',
  'cookie-left-out': 'an optional cookie was left out',
  'credential-left-out':
    'a required header that carries a credential is left to the connection, and no security scheme names it',
  'parameter-left-out': 'a parameter that fits nowhere was left out',
  deprecated: 'the operation is deprecated',
  'security-differs': 'the operation asks for another security scheme than the suggested connection serves',
  'security-none': 'the operation needs no key',
  'security-optional': 'the key is optional for the operation',
  'security-undefined': 'the operation names a security scheme that the description does not define',
  'own-servers': 'the operation has servers of its own',
  'media-upload': 'the call carries the metadata; the media itself is not uploaded',
  'media-download': 'the call answers the metadata; the media itself is not downloaded',
  'unreadable-part': 'a part of the description that is not one operation could not be read',
  'output-smaller': 'what a good answer holds is too large as a whole and is shown with fewer levels',
  'output-left-out': 'what a good answer holds could not be read, and is not shown',
  'budget-cut': 'a text or an optional property was left out to fit the budget; `at` points into the input schema',
  'overlay-unmatched': 'an action of an overlay selects nothing in the description',
} as const;

/** Why an operation of a selection was skipped. */
export const SKIP_CODES = {
  'other-server': 'it has servers of its own, and another server was chosen',
} as const;

/** How a tool changed, for those who call it. */
export const DIFFERENCE_CODES = {
  'endpoint-changed': 'the request goes to another URL',
  'method-changed': 'the request is made with another method',
  'body-changed': 'the body is sent as another media type, as another argument, or a part of it is written otherwise',
  'place-moved': 'an argument goes elsewhere in the request, under another name, or is written otherwise there',
  'argument-required':
    'an argument, or a property inside one, has to be given now: it became required, or is new and required',
  'argument-removed': 'an argument, or a property inside one, is no longer taken',
  'type-narrowed': 'values of a type that was taken no longer are',
  'enum-narrowed': 'values of a list no longer are taken, or there is a list of values now',
  'bound-narrowed': 'a bound is tighter: a number, a length, a count, a multiple, or that items differ',
  'pattern-changed': 'a text has to match a pattern, or another one',
  'format-changed': 'a value is to have a format, or another one',
  'entries-narrowed': 'an object takes no free-form entries any more',
  'alternative-removed': 'one of several forms of a value is no longer taken, as far as can be proved',
  'default-changed': 'what is left out comes to another value: a default was added, changed or removed',
  'schema-changed': 'a keyword changed of which is not known what it means',
  'not-compared': 'the schemas are too large to be compared',
  'argument-added': 'there is a new optional argument, or an optional property inside one',
  'argument-optional': 'an argument, or a property inside one, no longer has to be given',
  'type-widened': 'values of more types are taken',
  'enum-widened': 'more values of a list are taken, or any',
  'bound-widened': 'a bound is looser or gone, or a pattern is gone',
  'format-widened': 'a format is gone, or one that takes more values',
  'entries-widened': 'an object takes free-form entries',
  'alternative-added': 'a value may have one more form',
  'body-presence-changed': 'there is a body now, or none any more, or it became required or optional as a whole',
  'output-changed': 'the schema of the answer changed',
  rewritten: 'it is written otherwise, and takes the same values',
  'text-changed': 'a description or a title reads otherwise, came or went',
  'text-added': 'what is new brings text that the model reads',
} as const;

export type DifferenceCode = keyof typeof DIFFERENCE_CODES;
/** Codes of a change: what a rendering for a consumer says otherwise than the stored tool. */
export const CHANGE_CODES = {
  'name-changed': 'the name is not one that the consumer takes, and is written otherwise',
  'description-cut': 'the description is longer than the consumer takes',
  'property-renamed': 'a property goes by another name, which is turned back in a call',
  'null-for-absent': 'an optional property is required, and null leaves it out',
  'empty-for-absent': 'an optional property that may be null is required, and {} leaves it out',
  'as-json-text': 'a value that has no form of its own is given as JSON text, which is read back in a call',
  'entries-left-out': 'entries beside the named properties cannot be given',
  restated: 'the same is said with other keywords',
  'told-in-text': 'a constraint that the consumer does not know is told in the description',
  'keyword-left-out': 'a keyword that the consumer does not know is left out; the call is still checked by it',
  'root-composition-left-out':
    'alternatives of the arguments as a whole are left out; the call is still checked by them',
  'output-schema-left-out': 'the schema of the answer is not one that the consumer takes',
  'not-strict': 'the tool has no strict form and is rendered in the plain one',
} as const;

/** Codes of a finding of lint: what will make a model fail. */
export const LINT_CODES = {
  'no-description': 'nothing is said of the tool but its method and path',
  'near-name': 'another tool has nearly the same name',
  'equal-description': 'another tool has the same description',
  'many-optional': 'it has 60 optional arguments or more',
  'large-enum': 'an enum has more than 250 values',
  'hidden-characters': 'a text holds characters that no reader sees',
  'instruction-to-model': 'a text speaks to the model instead of describing the API',
} as const;

export type FailureCode = keyof typeof FAILURE_CODES;
export type RefusalCode = keyof typeof REFUSAL_CODES;
export type NoticeCode = keyof typeof NOTICE_CODES;
export type LintCode = keyof typeof LINT_CODES;
export type ChangeCode = keyof typeof CHANGE_CODES;
export type SkipCode = keyof typeof SKIP_CODES | RefusalCode;

/** Something cut, changed or left out: `at` is a JSON pointer into the description. */
export interface Notice {
  readonly code: NoticeCode;
  readonly at: string;
  readonly message: string;
}

/** What a rendering says otherwise: `at` is a JSON pointer into the stored tool. */
export interface Change {
  readonly code: ChangeCode;
  readonly at: string;
  readonly message: string;
}
