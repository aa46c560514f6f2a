// The library: use cases, and every stage of the compiler for use alone.

export { type ApplyOptions, hasChanges, planApply, writeApply } from './app/apply.js';
export type { ConnectionAction } from './app/apply-connection.js';
export type { ApplyAction, ApplyPlan } from './app/apply-plan.js';
export { type Approval, type ApproveOptions, approveTools, pendingDifferences } from './app/approve.js';
export { type CallOptions, type CallRequest, callTool, maskedRequestOf, requestOf } from './app/call.js';
export { type Skipped, wantedTool } from './app/choose.js';
export { type Compilation, type CompiledOperation, type CompileOptions, compile } from './app/compile.js';
export type { ConnectionView } from './app/connection-record.js';
export {
  addConnection,
  type ConnectionOptions,
  type ConnectionUpdate,
  listConnections,
  type NewConnection,
  type RemovalOptions,
  removeConnection,
  type SecretSource,
  setConnection,
} from './app/connections.js';
export {
  type AccountOptions,
  addAccount,
  type ConsentRequest,
  type ConsentUpdate,
  renewConsent,
} from './app/consent.js';
export { costOf, type SetCost } from './app/cost.js';
export { type Cut, cut } from './app/cut.js';
export { type Export, exportTools, render } from './app/export.js';
export {
  type ImportAnswer,
  type ImportOptions,
  type ImportReport,
  type ImportRequest,
  importOperations,
  type TrimmedOperation,
} from './app/import.js';
export { lintDescription, lintTools } from './app/lint.js';
export {
  type CommonOptions,
  type Preview,
  type PreviewedOperation,
  type PreviewOptions,
  preview,
} from './app/preview.js';
export type { Select, Unmatched } from './app/select.js';
export { type Copied, checkStore, copyStore, type Stores } from './app/stores.js';
export { createTool, removeTools, setTool, type ToolChanges } from './app/tools.js';
export { type Unfit, unfitValues, unshown } from './app/unfit.js';
export {
  CHANGE_CODES,
  type Change,
  type ChangeCode,
  DIFFERENCE_CODES,
  type DifferenceCode,
  FAILURE_CODES,
  type FailureCode,
  LINT_CODES,
  type LintCode,
  NOTICE_CODES,
  type Notice,
  type NoticeCode,
  REFUSAL_CODES,
  type RefusalCode,
  SKIP_CODES,
  type SkipCode,
} from './base/codes.js';
export { Failure } from './base/failure.js';
export { DEFAULT_LIMITS, type LimitName, type Limits, withLimits } from './base/limits.js';
export type { Profile } from './base/profile.js';
export type { AnswerBody, Answered, BoundRequest, CallResult, Problem, RefusedCall } from './call/call.js';
export { type CallRecord, type CallRecords, memoryRecords } from './call/record.js';
export { fileRecords } from './call/record-file.js';
export { openRecords } from './call/record-open.js';
export { renderResult } from './call/result.js';
export type { Connection, ConnectionStore, Placement } from './connection/connection.js';
export { memoryConnections } from './connection/memory.js';
export { openConnections } from './connection/open.js';
export { type Sealer, sealer } from './connection/seal.js';
export { decode } from './document/decode.js';
export type { ApiDocument, DocumentKind, Network, Opened, Source } from './document/document.js';
export { identify } from './document/kind.js';
export { type OpenOptions, open } from './document/open.js';
export type { Manifest, ReadManifest } from './manifest/manifest.js';
export { readManifest } from './manifest/read.js';
export { manifestSchema } from './manifest/schema.js';
export type { Refusal, ServerUrl } from './operation/operation.js';
export { compareForms } from './plan/compare.js';
export { diff, diffTogether } from './plan/diff.js';
export { approve, ownedForm } from './plan/owned.js';
export type {
  Action,
  ChangeClass,
  Difference,
  Hold,
  KnownOperation,
  Missing,
  Plan,
  PlanRequest,
  RefreshedField,
  Renamed,
  Stale,
  WantedTool,
} from './plan/plan.js';
export { fileStore } from './store/file.js';
export { memoryStore } from './store/memory.js';
export { openStore } from './store/open.js';
export type { Fault } from './store/record.js';
export type { Scope } from './store/scope.js';
export type { ChangeSet, Committed, Part, Snapshot, ToolStore } from './store/store.js';
export type { Watch } from './store/watch.js';
export type { NewTool } from './tool/check.js';
export type { Cost, Shown } from './tool/cost.js';
export { CONSUMERS, type Consumer } from './tool/dialect/dialect.js';
export type { Rendering } from './tool/dialect/rendering.js';
export type { Emission, ToolDraft } from './tool/emit.js';
export { isEmission } from './tool/emit.js';
export { type Finding, SEVERITIES, type Severity } from './tool/lint/finding.js';
export type { Output } from './tool/output.js';
export { type ConsentProvider, PROVIDERS, type ProviderName, type Providers } from './tool/provider.js';
export { structuredAnswer } from './tool/structured.js';
export type { SuggestedServer, Suggestion } from './tool/suggestion.js';
export type {
  HttpConfig,
  HttpTool,
  Locations,
  Origin,
  OwnedForm,
  PartEncoding,
  Place,
  Schema,
  ToolBody,
} from './tool/tool.js';
