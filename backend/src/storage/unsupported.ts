// What a request may ask for that this service does not do: refused rather than ignored. docs/protocol.md lists it.
import { isJsonObject, type JsonObject } from '#http/parse-json.ts'
import { storageErrors } from './errors.ts'

const VERSIONS = 'Object versioning'
const isGiven = (value: unknown) => value !== undefined && value !== null
const isOther = (value: unknown, usual: string) => isGiven(value) && value !== usual

const FEATURES: readonly [feature: string, isAskedFor: (body: JsonObject) => boolean][] = [
  ['Image transformation', ({ transform }) => isGiven(transform)],
  [VERSIONS, ({ versionId, sourceVersionId }) => isGiven(versionId) || isGiven(sourceVersionId)],
  [VERSIONS, ({ versioning_status: status }) => isOther(status, 'DISABLED')],
  [VERSIONS, ({ noncurrentVersions }) => isOther(noncurrentVersions, 'exclude')],
  [VERSIONS, ({ deleteMarkers }) => isOther(deleteMarkers, 'exclude')],
  [VERSIONS, ({ prefixes }) => Array.isArray(prefixes) && prefixes.some(isJsonObject)],
  ['This type of bucket', ({ type }) => isOther(type, 'STANDARD')],
]

/** @throws NotSupported when a JSON body asks for something unsupported */
export function rejectUnsupportedBody(body: unknown): void {
  if (!isJsonObject(body)) return
  for (const [feature, isAskedFor] of FEATURES)
    if (isAskedFor(body)) throw storageErrors.notSupported(feature)
}

/** @throws NotSupported for an address that names a version of an object */
export function rejectVersionInAddress({ searchParams }: URL): void {
  if (searchParams.has('versionId')) throw storageErrors.notSupported(VERSIONS)
}
